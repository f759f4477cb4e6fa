// `/changelog/{team}/{product}`: a product's versions, newest first.
import type { SearchWords } from '../../domain/feed-query.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import { type Html, html } from '../html/template.ts';
import { fill, fillHtml, localeOf } from '../words/locale.ts';
import { authored, markdownFile } from './document.ts';
import { type Chips, writeChips, writeQueryRemoval } from './filters.ts';
import { writeMoreFilters, writeSearch } from './forms.ts';
import { canonicalOf, frameProduct, hasTeam, titleWithin } from './product-frame.ts';
import { writeResult, writeVersionsEnd } from './version-list.ts';
import { writeCompare, writeVersionMenu } from './version-menu.ts';
import { writeArticle, writeCover } from './version-parts.ts';
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
    article: { headline: head.changelogName, ...(canonical !== null && { url: canonical }) },
    application: canonical === null ? {} : { releaseNotes: canonical },
    start: writeStart(site, view),
    end: writeVersionsEnd(view, site.links.fromProduct(view.depth, head), locale),
  });
}

type ArticleOptions = Readonly<{
  depth?: ChangelogView['depth'] | 'changes';
  before: Before | null;
  searched?: SearchWords | null;
}>;

/** A version in the list, in pieces. */
export function writeVersionArticle(
  { links }: Site,
  head: HeadRow,
  version: RenderedVersion,
  { depth = 'changelog', ...options }: ArticleOptions,
): Generator<string> {
  return writeArticle(version, { head, url: links.fromProduct(depth, head).version(version), ...options });
}

function writeStart(site: Site, view: ChangelogView): Html {
  const { head, description } = view;
  const locale = localeOf(head);
  const text = authored(locale);
  const product = html`<span${text}>${head.productName}</span>`;
  return html`<div class="hero">
<h1 class="p-name"${text}>${head.changelogName}</h1>
<p class="lede">${fillHtml(locale.words.about.newestFirst, { product })}</p>${description !== null && html`\n<div class="lede text"${text}>${{ html: description.html }}</div>`}
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
  return html`${!site.isStatic && writeSearch(form, locale, { removal: writeQueryRemoval(chips), action: depth === 'home' ? links.changelog : null })}
${writeChips(chips)}
<div class="tools">
${!site.isStatic && writeMoreFilters(form, locale, menu)}
${writeCompare(links.changes(''), menu, locale)}
${writeVersionMenu({ ...view, links, locale, isStatic: site.isStatic })}
</div>
${view.isFiltered && writeResult(view, chips)}`;
}
