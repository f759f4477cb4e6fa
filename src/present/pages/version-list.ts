// What pages with a list of versions share: what was found, where the list goes on, a note if it is empty, and menus of
// versions by major version: to go to one, and to compare two.
import { isPrerelease, versionOrder } from '../../domain/version-order.ts';
import type { MenuVersion, Outline } from '../../store/read/index.ts';
import type { PageLinks } from '../links.ts';
import { type Html, html } from '../template.ts';
import { fill, fillHtml, type Locale } from '../words/locale.ts';
import { NOTHING, writeEmpty } from './document.ts';
import {
  type Chips,
  type FilterForm,
  groupByMajor,
  type Menu,
  queryOf,
  writeFilters,
  writeMoreFilters,
  writeSearch,
  writeVersionSelect,
} from './filters.ts';

/** A list of versions: the newest, those that match filters, or a later page. */
export type VersionListView = Readonly<{
  form: FilterForm;
  /** Whether a filter or a cursor applies. Such a page is not for search engines (R42). */
  isFiltered: boolean;
  isContinued: boolean;
  /** Those on this page. */
  versions: readonly Readonly<{ id: string }>[];
  /** How many versions match the filters; null if that is not known, and without filters. */
  matches: Readonly<{ count: number; isMore: boolean }> | null;
  /** The next page; null on the last one. */
  olderUrl: string | null;
}>;

type Tools = Readonly<{
  chips: Chips;
  /** The versions to choose from in more filters, and what else opens. */
  menu: Menu;
  /** Where the search leads, if not to this page. */
  action?: string | null;
  more?: Html;
}>;

/** The search, chips for types and years, then what opens, and what was found. */
export function writeTools(
  view: VersionListView,
  { chips, menu, action = null, more = NOTHING }: Tools,
): Html {
  const { form, locale, isStatic } = chips;
  const { choices, others, removal } = writeFilters(chips);
  return html`${!isStatic && writeSearch(form, locale, { menu, removal, action })}
${choices}
<div class="tools">
${!isStatic && writeMoreFilters(form, locale, menu)}
${more}
</div>
${view.isFiltered && writeResult(view, chips, others)}`;
}

/** How many versions match, and the filters that are not shown elsewhere. A page without versions has its own note. */
function writeResult({ matches }: VersionListView, { locale, links, isEmpty }: Chips, others: Html): Html {
  const { filters } = locale.words;
  if (isEmpty && others === NOTHING) return NOTHING;
  const { count = 0, isMore } = matches ?? {};
  const found = isMore
    ? fill(filters.matchesMore, { n: locale.number(count) })
    : locale.count(filters.matches, count);
  return html`<div class="found">
${matches !== null && !isEmpty && html`<p>${found}</p>`}
${others}
${!isEmpty && html`<a href="${links.changelog}">${filters.clearAll}</a>`}
</div>`;
}

export function writeVersionsEnd(view: VersionListView, links: Chips['links'], locale: Locale): Html {
  const { form, versions, olderUrl, isFiltered, isContinued } = view;
  const { regions, go, empty } = locale.words;
  if (versions.length === 0) {
    const linkTo = (text: string) => html`<a href="${links.changelog}">${text}</a>`;
    if (isFiltered)
      return writeEmpty(empty.noMatch, fillHtml(empty.tryOthers, { link: linkTo(empty.clearFilters) }));
    return isContinued
      ? writeEmpty(empty.noOlder, linkTo(empty.seeNewest))
      : writeEmpty(empty.nothingYet, html`${empty.appearHere}`);
  }
  if (olderUrl === null && !isContinued) return NOTHING;
  return html`<nav class="more" aria-label="${regions.moreVersions}">
${olderUrl !== null && html`<a rel="next" href="${olderUrl}">${go.olderVersions} <span aria-hidden="true">→</span></a>`}
${isContinued && html`<a href="${links.filtered(queryOf(form))}">${go.newestVersions}</a>`}
</nav>`;
}

/** For fewer, a menu is longer than the way. */
const MENU_VERSIONS_MIN = 4;

type MenuPage = Omit<Outline, 'facets'> &
  Pick<VersionListView, 'versions'> &
  Readonly<{ links: PageLinks; locale: Locale; isStatic: boolean }>;

/** Leads to the version on this page, or else to its own. */
export function writeVersionMenu(page: MenuPage): Html {
  const { menu, versionCount, links, locale, isStatic } = page;
  if (menu.length < MENU_VERSIONS_MIN) return NOTHING;
  const { words } = locale;
  const shown = new Set(page.versions.map(({ id }) => id));
  const groups = groupByMajor(menu);
  // A menu without all versions leads to the others by their major version; a static site has no pages from a version on.
  const isWhole = isStatic || menu.length >= versionCount;
  const headingOf = (major: string | null, versions: readonly MenuVersion[]) => {
    const [to] = byVersion(versions);
    if (isWhole || major === null || to === undefined)
      return html`<span>${major ?? words.version.otherLabels}</span>`;
    return html`<a href="${links.filtered(`?${new URLSearchParams({ to })}`)}" rel="nofollow">${major} …</a>`;
  };
  const items = groups.map(
    ({
      major,
      versions,
    }) => html`<li>${groups.length > 1 && html`${headingOf(major, versions)}\n`}<ul class="chips">
${versions.map((version) => html`<li><a href="${shown.has(version.id) ? `#${version.id}` : links.version(version)}">${version.label}</a></li>`)}
</ul></li>`,
  );
  return html`<details>
<summary>${locale.count(words.version.versionCount, versionCount)}</summary>
<nav class="fields majors" aria-label="${words.version.menu}">
<ul>
${items}
</ul>
</nav>
</details>`;
}

/** Asks for the newest version and the one before it, unless others are chosen. */
export function writeCompare(action: string | null, menu: readonly MenuVersion[], locale: Locale): Html {
  const range = newestTwo(menu);
  if (action === null || range === null) return NOTHING;
  const { filters } = locale.words;
  const writeSelect = (name: 'from' | 'to') =>
    writeVersionSelect({ name, id: `compare-${name}`, chosen: range[name] }, menu, locale);
  return html`<details>
<summary>${filters.compareVersions}</summary>
<form class="fields pair row" action="${action}">
${writeSelect('from')}
${writeSelect('to')}
<button type="submit">${filters.compare}</button>
</form>
</details>`;
}

/**
 * By version, not by date: an old major version may have been patched last. A prerelease is not what readers of another
 * version come from.
 */
function newestTwo(menu: readonly MenuVersion[]): Readonly<{ from: string; to: string }> | null {
  const [to, ...older] = byVersion(menu);
  const from = older.find((label) => isPrerelease(to ?? '') || !isPrerelease(label)) ?? older[0];
  return from === undefined || to === undefined ? null : { from, to };
}

/** The labels that are versions, the highest first. */
function byVersion(menu: readonly MenuVersion[]): string[] {
  const byOrder = new Map(menu.map(({ label }) => [versionOrder(label) ?? '', label]));
  byOrder.delete('');
  return [...byOrder].sort(([one], [other]) => (one < other ? 1 : -1)).map(([, label]) => label);
}
