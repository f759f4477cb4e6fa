// `/changelog/{team}/{product}`: a product's versions, newest first.
import type { SearchWords } from '../../domain/feed-query.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import { type Html, html } from '../html/template.ts';
import { fill, fillHtml, localeOf } from '../words/locale.ts';
import { authored, markdownFile, NOTHING } from './document.ts';
import { queryOf, writeMoreFilters, writeSearch } from './filters.ts';
import { type Chips, matchCount, writeChips, writeOtherFilters, writeQueryRemoval } from './product/chips.ts';
import { titleWithin } from './product/names.ts';
import { writeCompare, writeVersionMenu } from './product/version-lists.ts';
import { canonicalOf, describeArticle, frameProduct, hasTeam } from './product-frame.ts';
import { writeContent, writeCover, writeName, writeWhen } from './version-parts.ts';
import type { Before, ChangelogView, PageFrame, RenderedVersion, Site } from './views.ts';

export function frameChangelog(site: Site, view: ChangelogView): PageFrame {
  const { head } = view;
  const canonical = canonicalOf(site, head)?.changelog ?? null;
  const isOfTeam = hasTeam(site, head);
  const locale = localeOf(head);
  const { about } = locale.words;
  const title = isOfTeam ? titleWithin(head.changelogName, head.teamName, locale) : head.changelogName;
  const { changelog } = site.links.fromProduct(view.depth, head);
  return frameProduct({
    site,
    head,
    depth: view.depth,
    form: view.form,
    format: 'h-feed',
    title,
    description: fill(isOfTeam ? about.changelogOfTeam : about.changelog, {
      product: head.productName,
      team: head.teamName,
    }),
    canonical,
    isIndexed: isWhole(view),
    alternates: isWhole(view) ? markdownFile(site, changelog, title) : [],
    data: describeArticle(
      head,
      { headline: head.changelogName, ...(canonical !== null && { url: canonical }) },
      canonical === null ? {} : { releaseNotes: canonical },
    ),
    start: writeStart(site, view),
    end: writeEnd(site, view),
  });
}

type ArticleOptions = Readonly<{
  depth?: ChangelogView['depth'];
  before: Before | null;
  searched?: SearchWords | null;
}>;

/** A version in the list, in pieces. */
export function* writeVersionArticle(
  { links }: Site,
  head: HeadRow,
  version: RenderedVersion,
  { depth = 'changelog', before, searched = null }: ArticleOptions,
): Generator<string> {
  const url = links.fromProduct(depth, head).version(version);
  yield html`<article class="version h-entry${version.yanked && ' yanked'}" id="${version.id}">
${writeWhen(version, head, { url: null, before })}
<div>
<h2><a class="u-url p-name" href="${url}">${writeName(version, head, searched)}</a></h2>
<div class="e-content">
`.html;
  yield* writeContent(version, { head, url, level: 3, searched });
  yield '</div>\n</div>\n</article>\n';
}

function writeStart(site: Site, view: ChangelogView): Html {
  const { head, description } = view;
  const locale = localeOf(head);
  const text = authored(locale);
  const product = html`<span${text}>${head.productName}</span>`;
  return html`<div class="hero">
<h1 class="p-name"${text}>${head.changelogName}</h1>
<p class="lede">${fillHtml(locale.words.about.newestFirst, { product })}</p>${description !== null && html`\n<div class="lede text"${text}>${{ html: description }}</div>`}
${isWhole(view) && writeCover(head.image, true)}</div>
${view.allCount > 0 && writeTools(site, view)}
`;
}

/** Whether the page is about the changelog, and not about some of its versions. */
const isWhole = ({ isFiltered, isContinued }: ChangelogView): boolean => !isFiltered && !isContinued;

/** The search, chips for types and years, then what opens: more filters, the comparison and the menu of versions. */
function writeTools(site: Site, view: ChangelogView): Html {
  const { head, depth, form, menu } = view;
  const links = site.links.fromProduct(depth, head);
  const locale = localeOf(head);
  const isEmpty = view.versionIds.length === 0;
  const chips: Chips = { ...view, links, locale, isEmpty, isStatic: site.isStatic };
  return html`${!site.isStatic && writeSearch(form, locale, writeQueryRemoval(chips), depth === 'home' ? links.changelog : null)}
${writeChips(chips)}
<div class="tools">
${!site.isStatic && writeMoreFilters(form, locale, menu)}
${writeCompare(links.changes(''), menu, locale)}
${writeVersionMenu({ ...view, links, locale, isStatic: site.isStatic })}
</div>
${view.isFiltered && writeResult(view, chips)}`;
}

/** How many versions match, and the filters that are not shown elsewhere. A page without versions has its own note. */
function writeResult(view: ChangelogView, chips: Chips): Html {
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
function matchesOf(view: ChangelogView, chips: Chips): ChangelogView['matches'] {
  const { matches, isContinued, versionIds, olderUrl } = view;
  if (matches !== null) return matches;
  const count = matchCount(chips);
  if (count !== null) return { count, isMore: false };
  return isContinued ? null : { count: versionIds.length, isMore: olderUrl !== null };
}

function writeEnd(site: Site, view: ChangelogView): Html {
  const { head, depth, form, olderUrl, isContinued } = view;
  const links = site.links.fromProduct(depth, head);
  const { regions, go } = localeOf(head).words;
  if (view.versionIds.length === 0) return writeEmpty(view, links.changelog);
  if (olderUrl === null && !isContinued) return NOTHING;
  return html`<nav class="more" aria-label="${regions.moreVersions}">
${olderUrl !== null && html`<a rel="next" href="${olderUrl}">${go.olderVersions} <span aria-hidden="true">→</span></a>`}
${isContinued && html`<a href="${links.filtered(queryOf(form))}">${go.newestVersions}</a>`}
</nav>`;
}

function writeEmpty({ head, isFiltered, isContinued }: ChangelogView, page: string): Html {
  const { empty } = localeOf(head).words;
  const linkTo = (text: string) => html`<a href="${page}">${text}</a>`;
  if (isFiltered)
    return writeNote(empty.noMatch, fillHtml(empty.tryOthers, { link: linkTo(empty.clearFilters) }));
  return isContinued
    ? writeNote(empty.noOlder, linkTo(empty.seeNewest))
    : writeNote(empty.nothingYet, html`${empty.appearHere}`);
}

function writeNote(title: string, text: Html): Html {
  return html`<div class="empty">
<h2>${title}</h2>
<p>${text}</p>
</div>`;
}
