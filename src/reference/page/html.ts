// Building blocks of the reference page.

import { type Html, html, joined } from '../../present/html/template.ts';
import { htmlFor } from '../../present/texts.ts';
import { parseText } from '../../text/parse.ts';

export type Section = Readonly<{ title: string; anchor: string; links: readonly Link[]; content: Html }>;
type Link = Readonly<{ title: string; anchor: string }>;

/** Our own texts, which depend on no product. */
const OWN_TEXT = htmlFor({ linkBase: null, repositoryUrl: null, language: 'en' });

export function markdown(text: string): Html {
  return { html: OWN_TEXT.write(parseText(text)) };
}

/** Without the paragraph around it. */
export function inlineMarkdown(text: string): Html {
  return { html: markdown(text).html.replaceAll(/^<p>|<\/p>$/g, '') };
}

export function anchorOf(kind: string, name: string): string {
  return `${kind}-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}

export function codeNames(names: readonly string[], separator = ', '): Html {
  return joined(
    names.map((name) => html`<code>${name}</code>`),
    separator,
  );
}

/** Focusable because long lines scroll; the script adds a copy button to the caption, where it covers no code. */
export function code(caption: string, text: string): Html {
  return html`<figure><figcaption>${caption}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`;
}

export function example(text: string | undefined): Html {
  return text === undefined ? html`` : html` <span class="example"><code>${text}</code></span>`;
}

export function table(label: string, heads: readonly string[], rows: readonly (readonly Html[])[]): Html {
  const head = heads.map((text) => html`<th scope="col">${text}</th>`);
  const body = rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`);
  return html`<div class="scroll" role="group" aria-label="${label}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

const LINE_CHARACTERS_MAX = 76;

/** Indented JSON; short, flat values stay on one line. */
export function formatJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(
    ([name, each]) => (isList ? '' : `${JSON.stringify(name)}: `) + formatJson(each, inner),
  );
  const [opening, closing] = isList ? ['[', ']'] : ['{', '}'];
  const line = `${opening} ${entries.join(', ')} ${closing}`;
  const isSimple = Object.values(value).every((each) => typeof each !== 'object' || each === null);
  if (isSimple && line.length + indent.length <= LINE_CHARACTERS_MAX) return line;
  return `${opening}\n${entries.map((entry) => inner + entry).join(',\n')}\n${indent}${closing}`;
}
