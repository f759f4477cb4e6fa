// An `html` template tag: text is escaped, and HTML has its own type.
import { escapeHtml } from '../text/html.ts';

export type Html = Readonly<{ html: string }>;
type HtmlPart = Html | string | number | false | readonly Html[];

export function html(parts: TemplateStringsArray, ...values: readonly HtmlPart[]): Html {
  let text = parts[0] as string;
  for (const [index, value] of values.entries()) text += write(value) + (parts[index + 1] as string);
  return { html: text };
}

function write(value: HtmlPart): string {
  if (value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return 'html' in value ? value.html : value.map((each) => each.html).join('\n');
}

export function joined(values: readonly Html[], separator = ''): Html {
  return { html: values.map((value) => value.html).join(separator) };
}

/** A data block, such as JSON-LD. Its content can neither end the element nor start a comment. */
export function jsonScript(type: string, value: unknown): Html {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c');
  return { html: `<script type="${escapeHtml(type)}">${json}</script>` };
}
