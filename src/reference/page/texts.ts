// Our own texts on the reference page, which depend on no product.
import { type Html, html } from '../../present/html/template.ts';
import { documentTextFor } from '../../present/texts.ts';
import { parseText } from '../../text/parse.ts';

const WRITER = documentTextFor({ linkBase: null, repositoryUrl: null, language: 'en' }, 4);

export function writeText(markdown: string): Html {
  return { html: WRITER.write(parseText(markdown)) };
}

/** Without the paragraph around it. */
export function inlineText(markdown: string): Html {
  return { html: writeText(markdown).html.replaceAll(/^<p>|<\/p>$/g, '') };
}

export function anchorOf(kind: string, name: string): string {
  return `${kind}-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}

/** Focusable, because long lines scroll. */
export function writeCode(text: string): Html {
  return html`<pre tabindex="0">${text}</pre>`;
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
