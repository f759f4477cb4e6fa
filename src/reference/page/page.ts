// The OpenAPI document as a page (R35), in the frame and with the style sheet of all pages.
import { hash } from 'node:crypto';
import { frame, type Site, writeBrand } from '../../present/pages/document.ts';
import { policyFor, readStyles, sheetFor } from '../../present/pages/style.ts';
import { type Html, html } from '../../present/template.ts';
import { ENGLISH } from '../../present/words/locale.ts';
import type { OpenApiDocument, Response } from '../openapi/types.ts';
import guide from './guide.json' with { type: 'json' };
import { type Group, groupOperations, needsPassword, urlOf, writeCurl, writeGroup } from './operations.ts';
import { writeErrors, writeParameters, writeRecord } from './records.ts';
import { anchorOf, formatJson, inlineText, writeText } from './texts.ts';

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
    {
      title: 'Guide',
      anchor: 'guide',
      content: writeParts('guide', guideText(document, groups[0] as Group)),
    },
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

/** The first operations read a changelog, without and with a key. The commands work in the demo. */
function guideText(document: OpenApiDocument, { operations: [shown, keyed = shown] }: Group): string {
  const { content = {} } = shown.responses[200] as Response;
  const [example] = Object.values(content['application/json']?.examples ?? {});
  const values: Readonly<Record<string, string>> = {
    server: document.servers[0]?.url ?? '',
    changelog: urlOf(document, shown.path),
    curl: writeCurl(shown, ''),
    withKey: writeCurl(keyed, urlOf(document, keyed.path)),
    response: formatJson(example?.value),
    link: String(document.components.headers.Link?.example),
  };
  return Object.entries(guide)
    .filter(([title]) => title !== 'Cross-origin requests' || !needsPassword(shown))
    .flatMap(([title, texts]) => [`## ${title}`, ...texts])
    .join('\n\n')
    .replaceAll(/<(\w+)>/g, (text, name: string) => values[name] ?? text);
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
