// Error pages. They show nothing from the request except a form's values.
import { type Html, html } from '../html/template.ts';
import { frame, NOTHING } from './document.ts';
import { type FormKind, writeForm, writeSummary } from './filters.ts';
import type { FilterForm, Site } from './views.ts';

type PageError = Readonly<{ status: number; title: string; message: string }>;

export function writeErrorPage(site: Site, { status, title, message }: PageError): string {
  return writePage(
    site,
    title,
    html`<div class="hero">
<p class="status">${status}</p>
<h1>${title}</h1>
<p class="lede">${message}</p>
</div>
${writeWayBack(site)}`,
  );
}

/** Absolute, because the page may be shown at any depth. */
function writeWayBack({ links, hasHomePage, hasTeamPages, isStatic }: Site): Html {
  if (!links.isAbsolute || !(hasHomePage || isStatic)) return NOTHING;
  return html`<nav class="more" aria-label="Elsewhere"><a href="${links.listUrl()}"><span aria-hidden="true">←</span> ${hasTeamPages ? 'All products' : 'All versions'}</a></nav>`;
}

/** The form as filled in, with a message next to each invalid field. */
export function writeFormErrorPage(site: Site, kind: FormKind, form: FilterForm): string {
  return writePage(
    site,
    'Check the filters',
    html`<div class="hero">
<p class="status">400</p>
<h1>Check the filters</h1>
</div>
${writeSummary(kind, form)}
${writeForm(kind, form)}
<nav class="more" aria-label="Elsewhere"><a href="?"><span aria-hidden="true">←</span> ${kind === 'changelog' ? 'All versions' : 'All changes'}</a></nav>`,
  );
}

function writePage(site: Site, title: string, content: Html): string {
  const { start, end } = frame({
    site,
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
