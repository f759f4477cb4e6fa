// Pieces of the reference page.
import { renderMarkdown } from '../html/markdown.ts';
import { type Html, html } from '../html/template.ts';

export function markdown(text: string): Html {
  return { html: renderMarkdown(text) };
}

/** Without the paragraph around it. */
export function inlineMarkdown(text: string): Html {
  return { html: renderMarkdown(text).replaceAll(/^<p>|<\/p>$/g, '') };
}

export function anchorOf(kind: string, name: string): string {
  return `${kind}-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}

/** Wide content scrolls, and can be focused for scrolling with the keyboard. */
function scrolling(label: string, content: Html): Html {
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
