// HTML put together from pieces: what is text is escaped, and what is HTML is known to be.
import { renderMarkdown } from '../html/markdown.ts';

export type Html = Readonly<{ html: string }>;
type HtmlPart = Html | string | number | false | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

export function html(parts: TemplateStringsArray, ...pieces: readonly HtmlPart[]): Html {
  return { html: String.raw({ raw: parts }, ...pieces.map(write)) };
}

function write(piece: HtmlPart): string {
  if (piece === false) return '';
  if (typeof piece === 'string' || typeof piece === 'number') return escapeText(String(piece));
  return 'html' in piece ? piece.html : piece.map((each) => each.html).join('\n');
}

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign] as string);
}

export function joined(pieces: readonly Html[], separator = ''): Html {
  return { html: pieces.map((piece) => piece.html).join(separator) };
}

export function markdown(text: string): Html {
  return { html: renderMarkdown(text) };
}

/** Of a single paragraph, what is in it. */
export function inlineMarkdown(text: string): Html {
  return { html: renderMarkdown(text).replaceAll(/^<p>|<\/p>$/g, '') };
}

/** A text as the name of a place on the page. */
export function anchorOf(kind: string, name: string): string {
  return `${kind}-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}

/** What is wider than the page scrolls by itself, for those without a mouse too. */
export function scrolling(label: string, content: Html): Html {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${content}</div>`;
}

export function code(label: string, text: string): Html {
  return html`<div class="code"><pre role="region" aria-label="${label}" tabindex="0"><code>${text}</code></pre></div>`;
}

export function table(label: string, heads: readonly string[], rows: readonly (readonly Html[])[]): Html {
  const head = heads.map((text) => html`<th scope="col">${text}</th>`);
  const body = rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`);
  return scrolling(label, html`<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`);
}

const LINE_CHARACTERS_MAX = 76;

/** JSON for people: what is short and simple stays on its line. */
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
