// The OpenAPI document as a self-contained page (R35).
import { hash } from 'node:crypto';
import { type Html, html } from '../../present/html/template.ts';
import { ICON } from '../../present/pages/style.ts';
import { isRef, type OpenApiDocument, refName } from '../openapi/types.ts';
import { writeGuide } from './guide.ts';
import { anchorOf, code, codeNames, formatJson, inlineMarkdown, markdown, type Section } from './html.ts';
import {
  errorAnchor,
  type OperationWithPath,
  operationAnchor,
  titleOf,
  writeOperation,
} from './operations.ts';
import { schemaAnchor, writeSchema } from './schemas.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export function writeReference(document: OpenApiDocument) {
  const { info } = document;
  const sections = [
    writeGuide(document),
    writeBasics(info.description),
    ...document.tags.map((tag) => writeTag(document, tag)).filter(({ links }) => links.length > 0),
    writeRecords(document),
    writeErrors(document),
  ];
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}</title>
<meta name="description" content="How to read product changelogs over HTTP: a quick start, all routes with examples to try, records and errors.">
<link rel="icon" href="${{ html: ICON }}">
<style>${{ html: STYLE }}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<h1>${info.title}</h1>
<p>${info.summary} Version ${info.version}, <a href="api/openapi.json">as an OpenAPI document</a>.</p>
</header>
<nav aria-label="Contents">
<ul>
${sections.map(writeContents)}
</ul>
</nav>
<main id="content">
${sections.map(({ title, anchor, content }) => html`<section class="part" aria-labelledby="${anchor}">\n<h2 id="${anchor}">${title}</h2>\n${content}\n</section>`)}
</main>
<script>${{ html: SCRIPT }}</script>
</body>
</html>
`;
  return { html: page.html, policy: policyFor(STYLE, SCRIPT) };
}

function writeContents({ title, anchor, links }: Section): Html {
  const inner = links.map((link) => html`<li><a href="#${link.anchor}">${link.title}</a></li>`);
  return html`<li><a href="#${anchor}">${title}</a>\n<ul>\n${inner}\n</ul></li>`;
}

/** The document's description is Markdown with a heading per section. */
function writeBasics(description: string): Section {
  const [lead = '', ...rest] = description.split(/^## /m);
  const parts = rest.map((part) => {
    const [title = '', ...text] = part.split('\n');
    return { title, anchor: anchorOf('basics', title), text: text.join('\n') };
  });
  return {
    title: 'Basics',
    anchor: 'basics',
    links: parts,
    content: html`${markdown(lead)}
${parts.map(({ title, anchor, text }) => html`<h3 id="${anchor}">${title}</h3>\n${markdown(text)}`)}`,
  };
}

function writeTag(
  document: OpenApiDocument,
  { name, description }: { name: string; description: string },
): Section {
  const operations = Object.entries(document.paths)
    .map(([path, { get }]): OperationWithPath => ({ path, ...get }))
    .filter(({ tags }) => tags.includes(name));
  return {
    title: name,
    anchor: anchorOf('operations', name),
    links: operations.map((operation) => ({
      title: titleOf(operation),
      anchor: operationAnchor(operation),
    })),
    content: html`<p>${inlineMarkdown(description)}</p>
${operations.map((operation) => writeOperation(document, operation))}`,
  };
}

function writeRecords({ components }: OpenApiDocument): Section {
  const schemas = Object.entries(components.schemas);
  return {
    title: 'Records',
    anchor: 'records',
    links: schemas.map(([name]) => ({ title: name, anchor: schemaAnchor(name) })),
    content: html`${schemas.map(([name, schema]) => writeSchema(name, schema))}`,
  };
}

function writeErrors({ paths, components }: OpenApiDocument): Section {
  const responses = Object.entries(components.responses).map(([name, response]) => ({
    title: `${statusOf(paths, name)} ${name.replaceAll(/(?<=.)(?=[A-Z])/g, ' ').toLowerCase()}`,
    anchor: errorAnchor(name),
    response,
  }));
  return {
    title: 'Errors',
    anchor: 'errors',
    links: responses,
    content: html`${responses.map(
      ({ title, anchor, response: { description, headers, content } }) => html`
<section class="error" id="${anchor}">
<h3>${title}</h3>
<p>${inlineMarkdown(description)} </p>
<p class="note">Headers: ${codeNames(Object.keys(headers))}.</p>
${Object.values(content?.['application/json']?.examples ?? {}).map(({ value }) => code('Response', formatJson(value)))}
</section>`,
    )}`,
  };
}

function statusOf(paths: OpenApiDocument['paths'], name: string): string {
  const responses = Object.values(paths).flatMap(({ get }) => Object.entries(get.responses));
  return responses.find(([, response]) => isRef(response) && refName(response) === name)?.[0] ?? '';
}

/** The Content-Security-Policy: allows only the style sheet and the script on the page. */
function policyFor(style: string, script: string): string {
  const digest = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;
  return [
    "default-src 'none'",
    `style-src ${digest(style)}`,
    `script-src ${digest(script)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
