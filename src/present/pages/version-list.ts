// What pages with a list of versions share: what was found, where the list goes on, and a note if it is empty.
import { type Html, html } from '../html/template.ts';
import { fill, fillHtml, type Locale } from '../words/locale.ts';
import { NOTHING, writeEmpty } from './document.ts';
import { type Chips, queryOf, writeOtherFilters } from './filters.ts';
import type { VersionListView } from './views.ts';

/** How many versions match, and the filters that are not shown elsewhere. A page without versions has its own note. */
export function writeResult({ matches }: VersionListView, chips: Chips): Html {
  const { locale, links, isEmpty } = chips;
  const { filters } = locale.words;
  const others = writeOtherFilters(chips);
  if (isEmpty) return others === NOTHING ? NOTHING : html`<div class="found">\n${others}\n</div>`;
  return html`<div class="found">
${matches !== null && html`<p>${matches.isMore ? fill(filters.matchesMore, { n: locale.number(matches.count) }) : locale.count(filters.matches, matches.count)}</p>`}
${others}
<a href="${links.changelog}">${filters.clearAll}</a>
</div>`;
}

export function writeVersionsEnd(view: VersionListView, links: Chips['links'], locale: Locale): Html {
  const { form, olderUrl, isContinued } = view;
  const { regions, go } = locale.words;
  if (view.versionIds.length === 0) return writeNone(view, links.changelog, locale);
  if (olderUrl === null && !isContinued) return NOTHING;
  return html`<nav class="more" aria-label="${regions.moreVersions}">
${olderUrl !== null && html`<a rel="next" href="${olderUrl}">${go.olderVersions} <span aria-hidden="true">→</span></a>`}
${isContinued && html`<a href="${links.filtered(queryOf(form))}">${go.newestVersions}</a>`}
</nav>`;
}

function writeNone({ isFiltered, isContinued }: VersionListView, page: string, { words }: Locale): Html {
  const { empty } = words;
  const linkTo = (text: string) => html`<a href="${page}">${text}</a>`;
  if (isFiltered)
    return writeEmpty(empty.noMatch, fillHtml(empty.tryOthers, { link: linkTo(empty.clearFilters) }));
  return isContinued
    ? writeEmpty(empty.noOlder, linkTo(empty.seeNewest))
    : writeEmpty(empty.nothingYet, html`${empty.appearHere}`);
}
