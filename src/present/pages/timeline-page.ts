// `/changelog/{team}`: a team's products, then the versions of all of them, newest first (R64).
import type { SearchWords } from '../../domain/feed-query.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import { type Html, html } from '../html/template.ts';
import type { ListLinks } from '../links.ts';
import { writeAlsoIn, writeListedUnder } from '../notes/shared.ts';
import { filterTitle, teamOutputs } from '../outputs/output.ts';
import type { SharedNotes } from '../team.ts';
import { fill, type Locale, localeFor, localeOf } from '../words/locale.ts';
import { type Alternate, authored, frame, markdownFile, NOTHING } from './document.ts';
import { type Chips, filterTexts, writeChips, writeQueryRemoval } from './filters.ts';
import { writeMoreFilters, writeSearch } from './forms.ts';
import { describeList, writeListTop } from './list-page.ts';
import { newestFirst, writeCards } from './product/cards.ts';
import { writeMark } from './product/mark.ts';
import { writeSubscribe } from './product/subscribe.ts';
import { feedQueryOf } from './product-frame.ts';
import { writeResult, writeVersionsEnd } from './version-list.ts';
import { writeContent, writeName, writeWhen } from './version-parts.ts';
import type { PageFrame, RenderedVersion, Site, TimelineView } from './views.ts';

export function frameTimeline(site: Site, view: TimelineView): PageFrame {
  const { team, products, form, isFiltered, isContinued } = view;
  const locale = localeFor(view.language);
  const { about, go } = locale.words;
  const links = site.links.fromList(false);
  const title = fill(about.changelogsOf, { team: team.name });
  const canonical = site.links.isAbsolute ? site.links.listUrl(team.slug) : null;
  const query = feedQueryOf(site, form);
  const json = site.links.teamFile(team.slug, '');
  const isWhole = !isFiltered && !isContinued;
  const footer = [
    json !== null &&
      html`<li><a href="${json}${query}"${query !== '' && html` rel="nofollow"`}>JSON</a></li>`,
    links.docs !== null && html`<li><a href="${links.docs}">${go.apiReference}</a></li>`,
  ].filter((item) => item !== false);
  return frame({
    site,
    locale,
    head: null,
    format: 'h-feed',
    title,
    description: fill(about.ofTeam, { team: team.name }),
    canonical,
    isIndexed: isWhole,
    alternates: [...feedsOf(site, view, title, locale), ...(isWhole ? markdownFile(site, '', title) : [])],
    data: describeList(site, products, { name: title, ...(canonical !== null && { url: canonical }) }),
    top: writeListTop(site, links.home, locale, writeFeeds(site, team.slug, query, locale)),
    footer: footer.length === 0 ? NOTHING : html`<footer>\n<ul>\n${footer}\n</ul>\n</footer>`,
    start: writeStart(site, view, links, locale),
    end: writeVersionsEnd(view, ownLinks(links, team.slug), locale),
  });
}

function feedsOf(site: Site, { team, form }: TimelineView, title: string, locale: Locale): Alternate[] {
  const query = feedQueryOf(site, form);
  const name = filterTitle(title, filterTexts(query, locale));
  return teamOutputs(site.outputs).flatMap(({ file, mediaType, label }) => {
    const url = site.links.teamFile(team.slug, file);
    return url === null ? [] : [{ url: url + query, type: mediaType, title: `${name} (${label})` }];
  });
}

function writeFeeds({ outputs, isStatic, links }: Site, team: string, query: string, locale: Locale): Html {
  if (links.teamFile(team, '') === null) return NOTHING;
  const file = (name: string) => links.teamFile(team, name) ?? '';
  return writeSubscribe({ outputs, links: { file }, query, isStatic, locale });
}

/** This page, and the same with filters. */
function ownLinks(links: ListLinks, team: string): Chips['links'] {
  const changelog = links.team(team);
  return { changelog, filtered: (query) => query || changelog };
}

function writeStart(site: Site, view: TimelineView, links: ListLinks, page: Locale): Html {
  const { team, products, productsUrl } = view;
  const { about, go, regions } = page.words;
  const shown = productsUrl === null ? newestFirst(products) : products;
  return html`<div class="hero">
<h1 class="p-name" dir="auto">${team.name}</h1>
<p class="lede">${fill(about.ofTeam, { team: team.name })}</p>
</div>
${shown.length > 0 && writeCards(shown, { level: 2, hasTeams: false, links, page })}
${productsUrl !== null && html`<nav class="ways" aria-label="${regions.moreProducts}"><a class="button" href="${productsUrl}" rel="nofollow">${go.moreProducts}</a></nav>`}
${!site.isStatic && (view.versionIds.length > 0 || view.isFiltered) && writeTools(view, ownLinks(links, team.slug), page)}
`;
}

/** Nothing is counted, because a team may have very many products. */
function writeTools(view: TimelineView, links: Chips['links'], locale: Locale): Html {
  const { form, versionIds } = view;
  const isEmpty = versionIds.length === 0;
  const chips: Chips = { form, facets: null, isEmpty, links, locale, isStatic: false };
  const name = locale.words.filters.searchAll;
  return html`${writeSearch(form, locale, { removal: writeQueryRemoval(chips), name })}
${writeChips(chips)}
<div class="tools">
${writeMoreFilters(form, locale, null)}
</div>
${view.isFiltered && writeResult(view, chips)}`;
}

type ArticleOptions = Readonly<{
  links: ListLinks;
  /** The language of the page. */
  page: string;
  shared: SharedNotes;
  searched: SearchWords | null;
}>;

/** A version with its product, in pieces. It speaks the language of its changelog. */
export function* writeTimelineArticle(
  head: HeadRow,
  version: RenderedVersion,
  { links, page, shared, searched }: ArticleOptions,
): Generator<string> {
  const locale = localeOf(head);
  const url = links.version(head, version);
  const product = html`<a class="name of" href="${links.changelog(head)}">${writeMark(head)} <span${authored(locale)}>${head.productName}</span></a>\n`;
  yield html`<article class="version h-entry${version.yanked && ' yanked'}" id="${version.id}"${inOther(localeFor(page), locale)}>
${writeWhen(version, head, { url: null, before: null, lead: product })}
<div>
<h2><a class="u-url p-name" href="${url}"><span class="sr"${authored(locale)}>${head.productName}</span> ${writeName(version, head, searched)}</a></h2>
<div class="e-content">
`.html;
  const besides = new Map(
    shared.changes.flatMap(({ id, alsoIn }) =>
      alsoIn.length === 0 ? [] : [[id, writeAlso(writeAlsoIn(locale, alsoIn))]],
    ),
  );
  yield* writeContent(version, { head, url, level: 3, besides });
  if (shared.shownBy.length > 0) yield `${writeAlso(writeListedUnder(locale, shared.shownBy)).html}\n`;
  yield '</div>\n</div>\n</article>\n';
}

const writeAlso = (text: string): Html => html`<div class="also">${{ html: text }}</div>`;

/** The language and the direction of a part, if the page has others. */
function inOther(page: Locale, part: Locale): Html {
  const languageOf = ({ isOwn, language, tag }: Locale) => (isOwn ? language : tag);
  const language = languageOf(part);
  return html`${language !== languageOf(page) && html` lang="${language}"`}${part.direction !== page.direction && html` dir="${part.direction}"`}`;
}
