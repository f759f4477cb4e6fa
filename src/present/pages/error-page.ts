// Error pages. They show nothing from the request except a form's values.
import { API_ERRORS, type ApiErrorCode } from '../../errors.ts';
import { type Html, html } from '../template.ts';
import { ENGLISH, type Locale } from '../words/locale.ts';
import { frame, NOTHING, type Site, writeBrand } from './document.ts';
import { type FilterForm, type FormKind, writeForm, writeSummary } from './filters.ts';

/** Of errors that may be gone when the page is loaded again. */
const TRANSIENT: readonly number[] = [401, 408, 412, 429, 500, 503];

export function writeErrorPage(site: Site, code: ApiErrorCode, locale = ENGLISH): string {
  const { errors, go } = locale.words;
  const { title, message } = errors[code];
  const { status } = API_ERRORS[code];
  const home = homeOf(site);
  const reload = TRANSIENT.includes(status) ? [writeWay('', go.reload)] : [];
  const ways = home === null ? [] : [writeWay(home, site.hasTeamPages ? go.allProducts : go.allVersions)];
  const content = html`<p class="lede">${message}</p>\n</div>`;
  return writePage(site, locale, { title, status, content, ways: [...reload, ...ways] });
}

const writeWay = (url: string, text: string): Html => html`<a class="button" href="${url}">${text}</a>`;

/** Absolute, because the page may be shown at any depth. */
function homeOf({ links, hasHomePage, isStatic }: Site): string | null {
  return links.isAbsolute && (hasHomePage || isStatic) ? links.listUrl() : null;
}

/** The form as filled in, with a message next to each invalid field. */
export function writeFormErrorPage(site: Site, locale: Locale, kind: FormKind, form: FilterForm): string {
  const { go, problems } = locale.words;
  const content = html`</div>
${writeSummary(form, locale)}
${writeForm(kind, form, locale)}`;
  const all = writeWay('?', kind === 'changes' ? go.allChanges : go.allVersions);
  return writePage(site, locale, { title: problems.title, status: 400, content, ways: [all] });
}

type Content = Readonly<{ title: string; status: number; content: Html; ways: readonly Html[] }>;

function writePage(site: Site, locale: Locale, { title, status, content, ways }: Content): string {
  const { start, end } = frame({
    site,
    locale,
    head: null,
    title,
    description: '',
    canonical: null,
    isIndexed: false,
    top: writeBrand(site, homeOf(site)),
    footer: NOTHING,
    start: html`<div class="hero">
<p class="status">${status}</p>
<h1>${title}</h1>
${content}
${ways.length > 0 && html`<nav class="ways" aria-label="${locale.words.regions.otherPages}">\n${ways}\n</nav>`}`,
  });
  return start + end;
}
