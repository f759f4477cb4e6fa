// All files of one product, by the writers of the service.
import { LRUCache } from 'lru-cache';
import { CHANGE_TYPES, type ChangeType, sectionsOf } from '../domain/model.ts';
import { onOneLine, presentBadge, writeBadgeSvg } from '../present/badge.ts';
import { presentChangelog, presentVersion } from '../present/changelog.ts';
import type { NamedVersion } from '../present/links.ts';
import {
  frameChangelogMarkdown,
  writeListedVersion,
  writeVersionMarkdown,
} from '../present/markdown-pages.ts';
import { htmlNotes } from '../present/notes/document.ts';
import { textNotes } from '../present/notes/text.ts';
import { appStream } from '../present/outputs/appstream.ts';
import { atom } from '../present/outputs/atom.ts';
import { jsonFeed } from '../present/outputs/json-feed.ts';
import { changelogMarkdown, markdownNotes } from '../present/outputs/markdown.ts';
import { describeFeed, type NamedOutput, UNFILTERED } from '../present/outputs/output.ts';
import { rss } from '../present/outputs/rss.ts';
import type { Site } from '../present/pages/document.ts';
import { type FilterForm, NO_FORM } from '../present/pages/filters.ts';
import {
  frameChangelog,
  frameChanges,
  frameVersion,
  isTold,
  type RangeItem,
  writeRangeChange,
  writeTold,
} from '../present/pages/product-pages.ts';
import {
  type Before,
  END_SECTION,
  type RenderedVersion,
  renderVersion,
  startSection,
  writeArticle,
  writeContent,
} from '../present/pages/version-parts.ts';
import { renderText } from '../present/texts.ts';
import { type ChangelogIndex, indexOf, latestOf, outlineOf } from '../store/read/index.ts';
import type { PageRow } from '../store/read/pages.ts';
import type { Render } from '../text/render.ts';
import { type Comparison, comparisonsOf } from './comparisons.ts';
import type { SiteProduct } from './content.ts';
import type { SiteFile } from './folder.ts';
import { afterFile, betweenFile, type PageFilter, pageFile } from './layout.ts';

export const OUTPUTS: readonly NamedOutput[] = [
  { ...atom, file: 'feed.atom' },
  { ...rss, file: 'feed.rss' },
  { ...jsonFeed, file: 'feed.json' },
  { ...changelogMarkdown, file: 'CHANGELOG.md' },
  { ...appStream, file: 'releases.xml' },
];
const NOTES = [
  ['notes.md', markdownNotes],
  ['notes.txt', textNotes],
  ['notes.html', htmlNotes],
] as const;
const PAGE_VERSIONS = 20;
const FEED_VERSIONS = 250;
/** Of versions that wait for the next page that lists them. */
const LISTED_CHARACTERS_MAX = 32 * 1024 * 1024;

export function productFiles(
  site: Site,
  render: Render,
  product: SiteProduct,
  nameOf: (version: NamedVersion) => string,
): SiteFile[] {
  const index = indexOf(product.head, product.versions);
  const comparisons = comparisonsOf(index).map((comparison): PlacedComparison => {
    const { from, to } = comparison;
    const path = to === null ? afterFile(nameOf(from)) : betweenFile(nameOf(from), nameOf(to));
    return { ...comparison, path, url: path.split('/').map(encodeURIComponent).join('/') };
  });
  const writer = new ProductWriter(site, render, product, index, comparisons);
  return [
    ...product.versions.flatMap((version) => writer.versionFiles(version, `versions/${nameOf(version)}`)),
    ...writer.changelogPages(),
    ...comparisons.map((each): SiteFile => [each.path, () => writer.writeComparison(each)]),
    ...writer.otherFiles(),
  ];
}

type PlacedComparison = Comparison & Readonly<{ path: string; url: string }>;

class ProductWriter {
  readonly #site: Site;
  readonly #render: Render;
  readonly #product: SiteProduct;
  readonly #index: ChangelogIndex;
  readonly #rows: ReadonlyMap<string, PageRow>;
  readonly #befores: ReadonlyMap<string | undefined, Before>;
  readonly #afters: ReadonlyMap<string, string>;
  readonly #listed = new LRUCache<string, RenderedVersion>({
    maxSize: LISTED_CHARACTERS_MAX,
    sizeCalculation: ({ description, changes }) =>
      changes.reduce((sum, { text }) => sum + text.html.length, 1_000 + (description?.html.length ?? 0)),
  });

  constructor(
    site: Site,
    render: Render,
    product: SiteProduct,
    index: ChangelogIndex,
    comparisons: readonly PlacedComparison[],
  ) {
    this.#site = site;
    this.#render = render;
    this.#product = product;
    this.#index = index;
    this.#rows = new Map(product.versions.map((version) => [version.id, version]));
    this.#befores = new Map(comparisons.map(({ from, to, url }) => [to?.id, { label: from.label, url }]));
    this.#afters = new Map(comparisons.flatMap(({ from, to, url }) => (to === null ? [[from.id, url]] : [])));
  }

  /** A page, a record, and notes in three forms. */
  versionFiles(version: PageRow, name: string): SiteFile[] {
    const { head } = this.#product;
    const [before, after] = [this.#befores.get(version.id), this.#afters.get(version.id)];
    // Pages of versions are one folder below that of the changelog.
    const about = {
      head,
      before: before === undefined ? null : { ...before, url: `../${before.url}` },
      afterUrl: after === undefined ? null : `../${after}`,
    };
    const writePage = async () => {
      const rendered = await renderVersion(head, version, this.#render, { level: 2 });
      const { start, end } = frameVersion(this.#site, { ...about, version: rendered });
      return [start, ...writeContent(rendered, { head, url: '', level: 2 }), end].join('');
    };
    return [
      [`${name}.html`, writePage],
      [`${name}.md`, () => writeVersionMarkdown(this.#site, { ...about, version })],
      ...this.#recordAndNotes(version, name),
    ];
  }

  #recordAndNotes(version: PageRow, name: string): SiteFile[] {
    const { head } = this.#product;
    const context = { head, render: this.#render, isTitled: false };
    const writeRecord = async () =>
      JSON.stringify({ data: await presentVersion(head, version, this.#render) });
    const notes = NOTES.map(([file, form]): SiteFile => {
      const { start, end } = form.frame(head, `${head.productName} ${version.label}`);
      return [`${name}/${file}`, async () => start + (await form.writeVersion(version, context)) + end];
    });
    return [[`${name}.json`, writeRecord], ...notes];
  }

  /** The versions in full, newest first: all of them, those of a year, and those with changes of a type. */
  changelogPages(): SiteFile[] {
    const { versions } = this.#product;
    const { facets } = outlineOf(this.#index);
    const years = facets.flatMap(({ year, mark }) => (year !== '' && mark === '' ? [{ year }] : []));
    const types = CHANGE_TYPES.filter((type) => facets.some(({ mark }) => mark === type));
    const filters: PageFilter[] = [
      {},
      ...types.map((type) => ({ type })),
      ...(years.length > 1 ? years : []),
    ];
    return filters.flatMap((filter) => {
      const { type, year = '' } = filter;
      const found = versions.filter(
        ({ sortKey, changes }) =>
          sortKey.startsWith(year) && (type === undefined || changes.some((change) => change.type === type)),
      );
      const pages = Math.max(1, Math.ceil(found.length / PAGE_VERSIONS));
      return Array.from({ length: pages }, (_, page): SiteFile => {
        return [pageFile(filter, page + 1), () => this.#writeList(filter, found, page)];
      });
    });
  }

  async #writeList(filter: PageFilter, found: readonly PageRow[], page: number): Promise<string> {
    const { head, description } = this.#product;
    const { type, year } = filter;
    const shown = found.slice(page * PAGE_VERSIONS, (page + 1) * PAGE_VERSIONS);
    const isFiltered = type !== undefined || year !== undefined;
    const isFirst = !isFiltered && page === 0;
    const outline = outlineOf(this.#index);
    const { start, end } = frameChangelog(this.#site, {
      ...outline,
      // It is long: on every page, it would be a large part of the site.
      menu: isFirst ? outline.menu : [],
      head,
      depth: 'changelog',
      form: formOf(filter),
      description: isFirst ? await renderText(head, description, this.#render, 2) : null,
      isFiltered,
      isContinued: page > 0,
      versionIds: shown.map(({ id }) => id),
      matches: { count: found.length, isMore: false },
      olderUrl: (page + 1) * PAGE_VERSIONS < found.length ? pageFile(filter, page + 2) : null,
    });
    const parts = [start];
    const links = this.#site.links.fromProduct('changelog', head);
    for (const version of shown) {
      const listed = await this.#listedOf(version);
      const part = type === undefined ? listed : onlyType(listed, type);
      const before = this.#befores.get(version.id) ?? null;
      parts.push(...writeArticle(part, { head, url: links.version(version), before }));
    }
    return [...parts, end].join('');
  }

  async writeComparison({ from, to, versions }: Comparison): Promise<string> {
    const { head } = this.#product;
    const { start, end } = frameChanges(this.#site, {
      head,
      form: { values: { from: [from.label], ...(to !== null && { to: [to.label] }) }, problems: {} },
      isFiltered: true,
      menu: [],
      isEmpty: false,
    });
    const changes: RangeItem[] = [];
    const told: string[] = [];
    for (const { id } of versions) {
      const version = await this.#listedOf(this.#rows.get(id) as PageRow);
      for (const change of version.changes) changes.push({ ...change, version });
      if (isTold(version)) told.push(writeTold(this.#site, head, version));
    }
    const sections = sectionsOf(changes).flatMap((section) => [
      startSection(section.kind, head, 2, section.changes.length),
      ...section.changes.map((change) => writeRangeChange(this.#site, head, change)),
      END_SECTION,
    ]);
    return [start, ...sections, ...told, end].join('');
  }

  /** Records and formats of the whole changelog, and what is about its latest version. */
  otherFiles(): SiteFile[] {
    const { head, versions } = this.#product;
    const latest = latestOf(this.#index) ?? null;
    const row = this.#rows.get(latest?.id ?? '');
    const badge = presentBadge({ head, latest });
    const ofLatest: SiteFile[] =
      row === undefined
        ? []
        : [
            ['latest.txt', () => `${onOneLine(row.label)}\n`],
            ...this.#recordAndNotes(row, 'versions/latest'),
          ];
    return [
      ...OUTPUTS.map((output): SiteFile => [output.file, () => this.#writeOutput(output)]),
      ['index.md', () => this.#writeMarkdown()],
      ['changelog.json', () => JSON.stringify(presentChangelog({ head, versions }))],
      ['recent.json', () => this.#writeRecent()],
      ['badge.json', () => JSON.stringify(badge)],
      ['badge.svg', () => writeBadgeSvg(badge)],
      ...ofLatest,
    ];
  }

  async #writeOutput(output: NamedOutput): Promise<string> {
    const { head, description, versions } = this.#product;
    const newest = versions.slice(0, output.versionsMax ?? FEED_VERSIONS);
    const updatedAt = newest.reduce(
      (last, version) => (version.updatedAt > last ? version.updatedAt : last),
      '',
    );
    const told = { introduction: description, updatedAt: updatedAt || null };
    const feed = describeFeed(head, { file: output.file, filter: UNFILTERED, ...told }, this.#site);
    const shown = output.isWhole ? versions : newest;
    const { start, between, end } = output.frame(feed);
    const entries: string[] = [];
    for (const version of output.arrange?.(shown) ?? shown)
      entries.push(await output.writeVersion(feed, version, this.#render));
    return start + entries.join(between) + end;
  }

  /** The older versions are in CHANGELOG.md. */
  async #writeMarkdown(): Promise<string> {
    const { head, versions } = this.#product;
    const shown = versions.slice(0, PAGE_VERSIONS);
    const versionIds = shown.map(({ id }) => id);
    const view = { form: NO_FORM, isFiltered: false, isContinued: false, versionIds, olderUrl: null };
    const { start, end } = await frameChangelogMarkdown(this.#site, this.#product, view);
    const parts = await Promise.all(shown.map((version) => writeListedVersion(this.#site, head, version)));
    return [start, ...parts, end].join('');
  }

  async #writeRecent(): Promise<string> {
    const { head, versions } = this.#product;
    const newest = versions.slice(0, PAGE_VERSIONS);
    const records = await Promise.all(newest.map((version) => presentVersion(head, version, this.#render)));
    return JSON.stringify({ data: { ...presentChangelog({ head, versions: [] }).data, versions: records } });
  }

  /** In a list, where its headings are one level below. */
  async #listedOf(version: PageRow): Promise<RenderedVersion> {
    const known = this.#listed.get(version.id);
    if (known !== undefined) return known;
    const rendered = await renderVersion(this.#product.head, version, this.#render, { level: 3 });
    this.#listed.set(version.id, rendered);
    return rendered;
  }
}

const onlyType = (version: RenderedVersion, type: ChangeType): RenderedVersion => ({
  ...version,
  image: null,
  description: null,
  changes: version.changes.filter((change) => change.type === type),
});

/** The filter as a server's page has it in its query. */
function formOf({ type, year }: PageFilter): FilterForm {
  const values = {
    ...(type !== undefined && { type: [type] }),
    ...(year !== undefined && { since: [`${year}-01-01`], until: [`${year}-12-31`] }),
  };
  return { values, problems: {} };
}
