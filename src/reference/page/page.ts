// The OpenAPI document as a page (R35), in the frame and with the style sheet of all pages.
import { hash } from 'node:crypto';
import { type Html, html } from '../../present/html/template.ts';
import { frame, writeBrand } from '../../present/pages/document.ts';
import { policyFor, readStyles, sheetFor } from '../../present/pages/style.ts';
import type { Site } from '../../present/pages/views.ts';
import { ENGLISH } from '../../present/words/locale.ts';
import { isRef, type OpenApiDocument, type Ref, type Response, refName } from '../openapi/types.ts';
import { guideText } from './guide.ts';
import { groupOperations, writeGroup } from './operations.ts';
import { writeParameters, writeRecord } from './records.ts';
import { anchorOf, formatJson, inlineText, writeCode, writeText } from './texts.ts';

type Section = Readonly<{ title: string; anchor: string; content: Html }>;

export function writeReference(document: OpenApiDocument, site: Site) {
  const { info } = document;
  const own = { ...site, extraCss: readStyles('reference') + site.extraCss };
  const sections = sectionsOf(document);
  const { start, end } = frame({
    site: own,
    locale: ENGLISH,
    head: null,
    title: info.title,
    description:
      'How to read product changelogs over HTTP: a quick start, all routes with examples, records and errors.',
    canonical: null,
    isIndexed: true,
    top: writeBrand(site, site.hasHomePage ? site.links.listUrl() : null),
    start: html`<div class="hero">
<h1>${info.title}</h1>
<p class="lede text">${info.summary} Version ${info.version}, <a href="api/openapi.json">as an OpenAPI document</a>.</p>
</div>
<nav class="found" aria-label="Contents"><ul class="chips">
${sections.map(({ title, anchor }) => html`<li><a href="#${anchor}">${title}</a></li>`)}
</ul></nav>
${sections.map(writeSection)}`,
    footer: html`<script>${{ html: SCRIPT }}</script>`,
  });
  return { html: start + end, policy: policyOf(sheetFor(own, null)) };
}

function sectionsOf(document: OpenApiDocument): Section[] {
  const { info, tags, components } = document;
  const groups = groupOperations(document);
  const uses = (name: string) => groups.filter(({ parameters }) => parameters.has(name)).length;
  const names = Object.keys(components.parameters);
  const usual = new Set(names.filter((name) => uses(name) > groups.length / 2));
  const shared = new Set(names.filter((name) => uses(name) > 1 && !usual.has(name)));
  const operations = tags.map(({ name, description }) => ({
    title: name,
    anchor: anchorOf('operations', name),
    own: groups.filter(({ tag }) => tag === name),
    description,
  }));
  return [
    { title: 'Guide', anchor: 'guide', content: writeParts('guide', guideText(document)) },
    { title: 'Basics', anchor: 'basics', content: writeParts('basics', info.description) },
    ...operations
      .filter(({ own }) => own.length > 0)
      .map(({ own, description, ...section }) => ({
        ...section,
        content: html`<p>${inlineText(description)}</p>\n${own.map((group) => writeGroup(document, group, { usual, shared }))}`,
      })),
    {
      title: 'Parameters',
      anchor: 'parameters',
      content: html`<p>Most operations have these:</p>\n${writeParameters(document, usual)}\n<p>Some name these:</p>\n${writeParameters(document, shared)}`,
    },
    {
      title: 'Records',
      anchor: 'records',
      content: html`${Object.keys(components.schemas).map((name) => writeRecord(components.schemas, name))}`,
    },
    { title: 'Errors', anchor: 'errors', content: writeErrors(document) },
  ];
}

function writeSection({ title, anchor, content }: Section): Html {
  return html`<section class="version" aria-labelledby="${anchor}">
<h2 class="when" id="${anchor}">${title}</h2>
<div class="text">
${content}
</div>
</section>`;
}

/** A Markdown text with a heading for each part. */
function writeParts(kind: string, text: string): Html {
  const [lead = '', ...parts] = text.split(/^## /m);
  return html`${writeText(lead)}
${parts.map((part) => {
  const [title = ''] = part.split('\n', 1);
  return html`<h3 id="${anchorOf(kind, title)}">${title}</h3>\n${writeText(part.slice(title.length))}`;
})}`;
}

function writeErrors({ paths, components }: OpenApiDocument): Html {
  const responses = Object.values(paths).flatMap(({ get }) => Object.entries(get.responses));
  const errors = Object.entries(components.responses).map(([name, { content, ...rest }]) => {
    const isIt = (response: Response | Ref) => isRef(response) && refName(response) === name;
    const status = responses.find(([, response]) => isIt(response))?.[0] ?? '';
    const [example] = Object.values(content?.['application/json']?.examples ?? {});
    return { ...rest, anchor: anchorOf('error', name), status, body: example?.value as ErrorBody };
  });
  return html`<p>All have a body of this form:</p>
${writeCode(formatJson(errors[0]?.body))}
<dl>
${errors.map(
  ({
    anchor,
    status,
    body,
    description,
    headers,
  }) => html`<dt id="${anchor}">${status} ${body.error.code}</dt>
<dd>${inlineText(description)} Headers: ${Object.keys(headers).join(', ')}.</dd>`,
)}
</dl>`;
}

type ErrorBody = Readonly<{ error: Readonly<{ code: string }> }>;

/** Copies commands. It must not contain `</script`. */
const SCRIPT = `
for (const command of document.querySelectorAll('pre')) {
  if (!navigator.clipboard || !command.textContent.startsWith('curl ')) continue;
  const button = document.createElement('button');
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(command.textContent.trim());
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  command.before(button);
}
`;

/** That of pages, with this script, and without forms. */
function policyOf(css: string): string {
  const script = `script-src 'sha256-${hash('sha256', SCRIPT, 'base64')}'`;
  return policyFor(css).replace("form-action 'self'", `${script}; form-action 'none'`);
}
