// Error pages. They show nothing from the request except a form's values.
import type { ApiErrorCode } from '../../errors.ts';
import { type Html, html } from '../template.ts';
import type { Locale } from '../words/locale.ts';
import { frame, NOTHING, type Site, writeBrand } from './document.ts';
import type { FilterForm } from './filters.ts';
import { type FormKind, writeForm, writeSummary } from './forms.ts';

type PageError = Readonly<{ code: ApiErrorCode; status: number }>;

/** What may be gone when the page is loaded again. */
const TRANSIENT: readonly ApiErrorCode[] = [
  'unauthorized',
  'request_timeout',
  'precondition_failed',
  'rate_limited',
  'internal_error',
  'unavailable',
];

export function writeErrorPage(site: Site, locale: Locale, { code, status }: PageError): string {
  const { errors, go } = locale.words;
  const { title, message } = errors[code];
  const home = homeOf(site);
  const ways = [
    TRANSIENT.includes(code) && html`<a class="button" href="">${go.reload}</a>`,
    home !== null &&
      html`<a class="button" href="${home}">${site.hasTeamPages ? go.allProducts : go.allVersions}</a>`,
  ];
  return writePage(site, locale, {
    title,
    status,
    content: html`<p class="lede">${message}</p>\n</div>`,
    ways,
  });
}

/** Absolute, because the page may be shown at any depth. */
function homeOf({ links, hasHomePage, isStatic }: Site): string | null {
  return links.isAbsolute && (hasHomePage || isStatic) ? links.listUrl() : null;
}

/** The form as filled in, with a message next to each invalid field. */
export function writeFormErrorPage(site: Site, locale: Locale, kind: FormKind, form: FilterForm): string {
  const { go, problems } = locale.words;
  const content = html`</div>
${writeSummary(kind, form, locale)}
${writeForm(kind, form, locale)}`;
  const all = html`<a class="button" href="?">${kind === 'changes' ? go.allChanges : go.allVersions}</a>`;
  return writePage(site, locale, { title: problems.title, status: 400, content, ways: [all] });
}

type Content = Readonly<{ title: string; status: number; content: Html; ways: readonly (Html | false)[] }>;

function writePage(site: Site, locale: Locale, { title, status, content, ways }: Content): string {
  const shown = ways.filter((way) => way !== false);
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
${shown.length > 0 && html`<nav class="ways" aria-label="${locale.words.regions.otherPages}">\n${shown}\n</nav>`}`,
  });
  return start + end;
}
