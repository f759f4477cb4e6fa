// Error pages. They show nothing from the request except a form's values.
import type { ApiErrorCode } from '../../errors.ts';
import { type Html, html } from '../html/template.ts';
import type { Locale } from '../words/locale.ts';
import { frame, NOTHING } from './document.ts';
import { type FormKind, writeForm, writeSummary } from './filters.ts';
import type { FilterForm, Site } from './views.ts';

type PageError = Readonly<{ code: ApiErrorCode; status: number }>;

export function writeErrorPage(site: Site, locale: Locale, { code, status }: PageError): string {
  const { title, message } = locale.words.errors[code];
  return writePage(
    site,
    locale,
    title,
    html`<div class="hero">
<p class="status">${status}</p>
<h1>${title}</h1>
<p class="lede">${message}</p>
</div>
${writeWayBack(site, locale)}`,
  );
}

/** Absolute, because the page may be shown at any depth. */
function writeWayBack({ links, hasHomePage, hasTeamPages, isStatic }: Site, { words }: Locale): Html {
  if (!links.isAbsolute || !(hasHomePage || isStatic)) return NOTHING;
  const text = hasTeamPages ? words.go.allProducts : words.go.allVersions;
  return html`<nav class="more" aria-label="${words.regions.otherPages}"><a href="${links.listUrl()}"><span aria-hidden="true">←</span> ${text}</a></nav>`;
}

/** The form as filled in, with a message next to each invalid field. */
export function writeFormErrorPage(site: Site, locale: Locale, kind: FormKind, form: FilterForm): string {
  const { go, problems, regions } = locale.words;
  return writePage(
    site,
    locale,
    problems.title,
    html`<div class="hero">
<p class="status">400</p>
<h1>${problems.title}</h1>
</div>
${writeSummary(kind, form, locale)}
${writeForm(kind, form, locale)}
<nav class="more" aria-label="${regions.otherPages}"><a href="?"><span aria-hidden="true">←</span> ${kind === 'changelog' ? go.allVersions : go.allChanges}</a></nav>`,
  );
}

function writePage(site: Site, locale: Locale, title: string, content: Html): string {
  const { start, end } = frame({
    site,
    locale,
    head: null,
    title,
    description: '',
    canonical: null,
    isIndexed: false,
    top: NOTHING,
    footer: NOTHING,
    start: content,
  });
  return start + end;
}
