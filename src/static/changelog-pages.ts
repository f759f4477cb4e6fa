// The pages with versions in full, newest first: all of them, those of a year, those with changes of a type.
import { CHANGE_TYPES } from '../domain/model.ts';
import { parsePageQuery } from '../http/query/page-query.ts';
import { FEED_PARAMETERS } from '../http/query/parameters.ts';
import { renderText, renderVersion } from '../http/writing/rendered.ts';
import { frameChangelog, writeVersionArticle } from '../present/pages/changelog-page.ts';
import type { ChangelogView } from '../present/pages/views.ts';
import { findYears } from '../store/read/listing.ts';
import type { PageRow } from '../store/read/pages.ts';
import type { HeadRow } from '../store/read/reads.ts';
import { type Product, PUBLIC_ROWS, pagesOf, type Sources, type StaticFile } from './body.ts';
import { keepWritten } from './kept.ts';
import { type PageFilter, pageFile } from './layout.ts';

export const PAGE_VERSIONS = 20;

/** The filter as a server's page has it in its query. */
function queryOf({ type, year }: PageFilter): string {
  if (year !== undefined) return `?since=${year}-01-01&until=${year}-12-31`;
  return type === undefined ? '' : `?type=${type}`;
}

const parse = (filter: PageFilter) => parsePageQuery(queryOf(filter), FEED_PARAMETERS);

export async function* changelogPages(sources: Sources, product: Product): AsyncGenerator<StaticFile> {
  const { render, site } = sources;
  const { types, years } = await findFilters(sources, product);
  const articleOf = keepWritten(
    async ({ head, ...version }: PageRow & Readonly<{ head: HeadRow }>) => {
      const rendered = await renderVersion(head, version, render, 3);
      return Buffer.from([...writeVersionArticle(site, head, rendered)].join(''));
    },
    (article) => article.length,
  );
  const filters: PageFilter[] = [
    {},
    ...types.map((type) => ({ type })),
    ...(years.length > 1 ? years.map((year) => ({ year })) : []),
  ];
  for (const filter of filters) {
    const { form, query } = parse(filter);
    let number = 1;
    const feed = { ...query.feed, limit: PAGE_VERSIONS, withChanges: true };
    for await (const { head, versions, end, description } of pagesOf(sources.db, product.path, feed)) {
      const isFirst = number === 1 && queryOf(filter) === '';
      const view: ChangelogView = {
        head,
        form,
        description: isFirst ? await renderText(head, description, render, 2) : null,
        isFiltered: query.filterText !== '',
        isContinued: number > 1,
        versionCount: versions.length,
        labels: [],
        types,
        years,
        range: null,
        olderUrl: end && pageFile(filter, number + 1),
      };
      const { start, end: close } = frameChangelog(site, view);
      const articles: Buffer[] = [];
      for (const version of versions) articles.push(await articleOf({ ...version, head }));
      yield { path: pageFile(filter, number), body: [start, ...articles, close] };
      number += 1;
    }
  }
}

/** The types and years that have versions. */
async function findFilters(
  { db }: Sources,
  { path }: Product,
): Promise<Pick<ChangelogView, 'types' | 'years'>> {
  const { found } = await findYears(db, path, PUBLIC_ROWS);
  const types: ChangelogView['types'][number][] = [];
  for (const type of CHANGE_TYPES)
    for await (const { versions } of pagesOf(db, path, { ...parse({ type }).query.feed, limit: 1 })) {
      if (versions.length > 0) types.push(type);
      break;
    }
  return { types, years: found?.years ?? [] };
}
