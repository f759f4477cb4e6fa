// `/changelog/{team}`: a team's products, then the versions of all of them, newest first (R64).
import type { SearchWords } from '../../domain/feed-query.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import { type Html, html } from '../html/template.ts';
import type { ListLinks } from '../links.ts';
import { writeAlsoIn, writeListedUnder } from '../notes/shared.ts';
import { teamOutputs } from '../outputs/output.ts';
import type { SharedNotes } from '../team.ts';
import { fill, type Locale, localeFor, localeOf } from '../words/locale.ts';
import { authored, frame, NOTHING, writeFooter, writeHero } from './document.ts';
import { type Chips, writeChips, writeQueryRemoval } from './filters.ts';
import { writeMoreFilters, writeSearch } from './forms.ts';
import { docsLink, listParts, newestFirst, writeCards, writeListTop, writeMark } from './list-page.ts';
import { feedAlternates, feedQueryOf, writeSubscribe } from './product-frame.ts';
import { writeResult, writeVersionsEnd } from './version-list.ts';
import { writeArticle } from './version-parts.ts';
import type { PageFrame, RenderedVersion, Site, TimelineView } from './views.ts';

export function frameTimeline(site: Site, view: TimelineView): PageFrame {
  const { team, form, isFiltered, isContinued } = view;
  const locale = localeFor(view.language);
  const links = site.links.fromList(false);
  const query = feedQueryOf(site, form);
  const urlOf = (file: string) => site.links.teamFile(team.slug, file) ?? '';
  const hasFiles = urlOf('') !== '';
  const isWhole = !isFiltered && !isContinued;
  const parts = listParts(site, view, locale);
  const feeds = hasFiles ? feedAlternates(teamOutputs(site.outputs), urlOf, parts.title, query, locale) : [];
  const changelog = links.team(team.slug);
  /** This page, and the same with filters. */
  const own = { changelog, filtered: (query: string) => query || changelog };
  return frame({
    ...parts,
    format: 'h-feed',
    description: fill(locale.words.about.ofTeam, { team: team.name }),
    isIndexed: isWhole,
    alternates: [...feeds, ...(isWhole ? parts.alternates : [])],
    top: writeListTop(site, locale, hasFiles ? writeSubscribe(site, urlOf, query, locale) : NOTHING),
    footer: writeFooter([
      hasFiles && html`<a href="${urlOf('')}${query}"${query !== '' && html` rel="nofollow"`}>JSON</a>`,
      docsLink(links.docs, locale),
    ]),
    start: writeStart(site, view, own, locale),
    end: writeVersionsEnd(view, own, locale),
  });
}

function writeStart(site: Site, view: TimelineView, own: Chips['links'], page: Locale): Html {
  const { team, products, productsUrl, versionIds } = view;
  const { about, go, regions } = page.words;
  const links = site.links.fromList(false);
  const shown = productsUrl === null ? newestFirst(products) : products;
  return html`${writeHero(team.name, fill(about.ofTeam, { team: team.name }), html` class="p-name"`)}
${shown.length > 0 && writeCards(shown, { level: 2, hasTeams: false, links, page })}
${productsUrl !== null && html`<nav class="ways" aria-label="${regions.moreProducts}"><a class="button" href="${productsUrl}" rel="nofollow">${go.moreProducts}</a></nav>`}
${!site.isStatic && (versionIds.length > 0 || view.isFiltered) && writeTools(view, own, page)}
`;
}

function writeTools(view: TimelineView, links: Chips['links'], locale: Locale): Html {
  const { form, versionIds } = view;
  const chips: Chips = {
    form,
    facets: null,
    isEmpty: versionIds.length === 0,
    links,
    locale,
    isStatic: false,
  };
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
export function writeTimelineArticle(
  head: HeadRow,
  version: RenderedVersion,
  { links, page, shared, searched }: ArticleOptions,
): Generator<string> {
  const locale = localeOf(head);
  const name = html`<span${authored(locale)}>${head.productName}</span>`;
  const besides = shared.changes.map(
    ({ id, alsoIn }) => [id, writeAlso(writeAlsoIn(locale, alsoIn))] as const,
  );
  return writeArticle(version, {
    head,
    url: links.version(head, version),
    attributes: inOther(localeFor(page), locale),
    lead: html`<a class="name of" href="${links.changelog(head)}">${writeMark(head)} ${name}</a>\n`,
    product: html`<span class="sr"${authored(locale)}>${head.productName}</span> `,
    searched,
    besides: new Map(besides),
    after: writeAlso(writeListedUnder(locale, shared.shownBy), '\n'),
  });
}

const writeAlso = (text: string, end = ''): Html =>
  text === '' ? NOTHING : html`<div class="also">${{ html: text }}</div>${end}`;

/** The language and the direction of a part, if the page has others. */
function inOther(page: Locale, part: Locale): Html {
  const languageOf = ({ isOwn, language, tag }: Locale) => (isOwn ? language : tag);
  const language = languageOf(part);
  return html`${language !== languageOf(page) && html` lang="${language}"`}${part.direction !== page.direction && html` dir="${part.direction}"`}`;
}
