// Our own texts on the reference page, which depend on no product.
import { type Html, html } from '../../present/template.ts';
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

export const formatJson = (value: unknown): string => JSON.stringify(value, null, 2);
