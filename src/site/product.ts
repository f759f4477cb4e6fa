// All files of one product, by the writers of the service.
import { NO_FILTER } from '../domain/feed-query.ts';
import { CHANGE_TYPES, type ChangeType } from '../domain/model.ts';
import { onOneLine, presentBadge, writeBadgeSvg } from '../present/badge.ts';
import { presentChangelog, presentVersion } from '../present/changelog.ts';
import { writeChangelogMarkdown, writeVersionMarkdown } from '../present/markdown-pages.ts';
import { htmlNotes } from '../present/notes/html.ts';
import { textNotes } from '../present/notes/text.ts';
import { appStream } from '../present/outputs/appstream.ts';
import { atom } from '../present/outputs/atom.ts';
import { jsonFeed } from '../present/outputs/json-feed.ts';
import { changelogMarkdown, markdownNotes } from '../present/outputs/markdown.ts';
import {
  addFramed,
  describeFeed,
  type NamedOutput,
  type Out,
  UNFILTERED,
  writeOutput,
} from '../present/outputs/output.ts';
import { rss } from '../present/outputs/rss.ts';
import type { Site } from '../present/pages/document.ts';
import { queryOf } from '../present/pages/filters.ts';
import { writeChangelog, writeChanges, writeVersion } from '../present/pages/product-pages.ts';
import { highestOrder, latestOf, outlineOf, previousOf } from '../store/read/index.ts';
import type { PageRow } from '../store/read/pages.ts';
import type { HeadRow } from '../store/read/reads.ts';
import type { Render } from '../text/render.ts';
import { INDEX, type NamedProduct, PAGE_VERSIONS, pagesOf } from './layout.ts';

/** The path has slashes, and `head` the colour of the style sheet. */
export type PageFile = readonly [path: string, write: (out: Out) => unknown, head?: HeadRow];

export const OUTPUTS: readonly NamedOutput[] = [
  { ...atom, file: 'feed.atom' },
  { ...rss, file: 'feed.rss' },
  { ...jsonFeed, file: 'feed.json' },
  { ...changelogMarkdown, file: 'CHANGELOG.md' },
  { ...appStream, file: 'releases.xml' },
];
const NOTES = { 'notes.md': markdownNotes, 'notes.txt': textNotes, 'notes.html': htmlNotes };
const FEED_VERSIONS = 250;

type Pages = Readonly<{ site: Site; render: Render }>;

export function productFiles(pages: Pages, product: NamedProduct): PageFile[] {
  const { head, index, versions, nameOf, comparisons } = product;
  const rows = new Map(versions.map((version) => [version.id, version]));
  const [latest, highest] = [latestOf(index), highestOrder(index)];
  const latestRow = rows.get(latest?.id ?? '');
  const badge = presentBadge({ head, latest: latest ?? null });
  return [
    ...versions.flatMap((version): PageFile[] => {
      const name = `versions/${nameOf(version)}`;
      const previous = previousOf(index, version.label)?.label;
      const found = { head, version, previous, highest };
      return [
        [`${name}.html`, (out) => writeVersion(out, pages, found)],
        [`${name}.md`, async (out) => out.add(await writeVersionMarkdown(pages.site, found))],
        ...recordAndNotes(pages, head, version, name),
      ];
    }),
    ...changelogPages(pages, product),
    ...[...comparisons.values()].map(({ file, form, versions: between }): PageFile => {
      const view = {
        ...{ head, menu: [], form, isFiltered: true, filter: NO_FILTER },
        versions: between.map(({ id }) => rows.get(id) as PageRow),
      };
      return [file, (out) => writeChanges(out, pages, view)];
    }),
    ...OUTPUTS.map((output): PageFile => [output.file, (out) => writeFeed(out, pages, product, output)]),
    ['changelog.json', (out) => out.add(JSON.stringify(presentChangelog({ head, versions })))],
    ['recent.json', async (out) => out.add(await writeRecent(pages, product))],
    ['badge.json', (out) => out.add(JSON.stringify(badge))],
    ['badge.svg', (out) => out.add(writeBadgeSvg(badge))],
    ...(latestRow === undefined
      ? []
      : [
          ['latest.txt', (out: Out) => out.add(`${onOneLine(latestRow.label)}\n`)] as const,
          ...recordAndNotes(pages, head, latestRow, 'versions/latest'),
        ]),
  ];
}

function recordAndNotes({ render }: Pages, head: HeadRow, version: PageRow, name: string): PageFile[] {
  const context = { head, render, isTitled: false };
  const title = `${head.productName} ${version.label}`;
  return [
    [
      `${name}.json`,
      async (out) => out.add(JSON.stringify({ data: await presentVersion(head, version, render) })),
    ],
    ...Object.entries(NOTES).map(
      ([file, form]): PageFile => [
        `${name}/${file}`,
        (out) => addFramed(out, form.frame(head, title), [version], (own) => form.writeVersion(own, context)),
      ],
    ),
  ];
}

/** The versions in full, newest first: all of them, those with changes of a type, and those of a year. */
function changelogPages(pages: Pages, { head, description, index, versions }: NamedProduct): PageFile[] {
  const outline = outlineOf(index);
  const { facets } = outline;
  const types = CHANGE_TYPES.filter((type) => facets.some(({ mark }) => mark === type));
  const years = facets.flatMap(({ year, mark }) => (year !== '' && mark === '' ? [year] : []));
  const filters = [
    { values: {}, shown: versions },
    ...types.map((type) => ({ values: { type: [type] }, shown: onlyOfType(versions, type) })),
    ...(years.length > 1 ? years : []).map((year) => ({
      values: { since: [`${year}-01-01`], until: [`${year}-12-31`] },
      shown: versions.filter(({ sortKey }) => sortKey.startsWith(year)),
    })),
  ];
  return filters.flatMap(({ values, shown }) => {
    const form = { values, problems: {} };
    const query = queryOf(form);
    return pagesOf(query, shown).flatMap(({ file, ...page }): PageFile[] => {
      const view = {
        ...{ ...outline, ...page, head, description, depth: 'changelog' as const, form },
        previousOf: (label: string) => previousOf(index, label)?.label,
        isFiltered: query !== '',
        matches: { count: shown.length, isMore: false },
      };
      const html: PageFile = [file, (out) => writeChangelog(out, pages, view)];
      if (file !== INDEX) return [html];
      // The older versions are in CHANGELOG.md.
      const newest = { ...view, olderUrl: null };
      return [html, ['index.md', (out) => writeChangelogMarkdown(out, pages.site, view, newest)]];
    });
  });
}

function onlyOfType(versions: readonly PageRow[], wanted: ChangeType): PageRow[] {
  return versions.flatMap((version) => {
    const changes = version.changes.filter(({ type }) => type === wanted);
    return changes.length === 0 ? [] : [{ ...version, image: null, description: null, changes }];
  });
}

function writeFeed(out: Out, { site, render }: Pages, product: NamedProduct, output: NamedOutput) {
  const { head, description: introduction, versions } = product;
  const { file, isWhole, versionsMax = FEED_VERSIONS } = output;
  const newest = versions.slice(0, versionsMax);
  const updatedAt = newest.reduce((last, each) => (each.updatedAt > last ? each.updatedAt : last), '');
  const told = { file, filter: UNFILTERED, introduction, updatedAt: updatedAt || null };
  return writeOutput(out, output, describeFeed(head, told, site), isWhole ? versions : newest, render);
}

async function writeRecent({ render }: Pages, { head, versions }: NamedProduct): Promise<string> {
  const newest = versions.slice(0, PAGE_VERSIONS);
  const records = await Promise.all(newest.map((version) => presentVersion(head, version, render)));
  return JSON.stringify({ data: { ...presentChangelog({ head, versions: [] }).data, versions: records } });
}
