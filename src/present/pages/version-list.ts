// What pages with a list of versions share: what was found, where the list goes on, and a note if it is empty.
import { type Html, html } from '../html/template.ts';
import { fill, fillHtml, type Locale } from '../words/locale.ts';
import { NOTHING } from './document.ts';
import { queryOf } from './filters.ts';
import { type Chips, matchCount, writeOtherFilters } from './product/chips.ts';
import type { VersionListView } from './views.ts';

/** How many versions match, and the filters that are not shown elsewhere. A page without versions has its own note. */
export function writeResult(view: VersionListView, chips: Chips): Html {
  const { locale, links, isEmpty } = chips;
  const { filters } = locale.words;
  const others = writeOtherFilters(chips);
  if (isEmpty) return others === NOTHING ? NOTHING : html`<div class="found">\n${others}\n</div>`;
  const matches = matchesOf(view, chips);
  return html`<div class="found">
${matches !== null && html`<p>${matches.isMore ? fill(filters.matchesMore, { n: locale.number(matches.count) }) : locale.count(filters.matches, matches.count)}</p>`}
${others}
<a href="${links.changelog}">${filters.clearAll}</a>
</div>`;
}

/** As counted by the search or for the chips; else the first page has all of them, or more follow it. */
function matchesOf(view: VersionListView, chips: Chips): VersionListView['matches'] {
  const { matches, isContinued, versionIds, olderUrl } = view;
  if (matches !== null) return matches;
  const count = matchCount(chips);
  if (count !== null) return { count, isMore: false };
  return isContinued ? null : { count: versionIds.length, isMore: olderUrl !== null };
}

export function writeVersionsEnd(view: VersionListView, links: Chips['links'], locale: Locale): Html {
  const { form, olderUrl, isContinued } = view;
  const { regions, go } = locale.words;
  if (view.versionIds.length === 0) return writeEmpty(view, links.changelog, locale);
  if (olderUrl === null && !isContinued) return NOTHING;
  return html`<nav class="more" aria-label="${regions.moreVersions}">
${olderUrl !== null && html`<a rel="next" href="${olderUrl}">${go.olderVersions} <span aria-hidden="true">→</span></a>`}
${isContinued && html`<a href="${links.filtered(queryOf(form))}">${go.newestVersions}</a>`}
</nav>`;
}

function writeEmpty({ isFiltered, isContinued }: VersionListView, page: string, { words }: Locale): Html {
  const { empty } = words;
  const linkTo = (text: string) => html`<a href="${page}">${text}</a>`;
  if (isFiltered)
    return writeNote(empty.noMatch, fillHtml(empty.tryOthers, { link: linkTo(empty.clearFilters) }));
  return isContinued
    ? writeNote(empty.noOlder, linkTo(empty.seeNewest))
    : writeNote(empty.nothingYet, html`${empty.appearHere}`);
}

export function writeNote(title: string, text: Html): Html {
  return html`<div class="empty">
<h2>${title}</h2>
<p>${text}</p>
</div>`;
}
