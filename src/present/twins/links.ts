// Links in Markdown.
import type { ProductUrls } from '../links.ts';
import { escapeInline } from '../outputs/markdown.ts';
import type { NamedOutput } from '../outputs/output.ts';

/** A text, where it leads, and what follows the link. */
export type MarkdownLink = readonly [text: string, url: string, about?: string];

export function writeLinks(links: readonly MarkdownLink[]): string {
  return links.map(([text, url, about]) => `- ${linkTo(text, url)}${about ? `: ${about}` : ''}\n`).join('');
}

/** Where a page leads, if anywhere. */
export function writeEnd(links: readonly (MarkdownLink | false)[]): string {
  const shown = links.filter((link) => link !== false);
  return shown.length === 0 ? '' : `\n---\n\n${writeLinks(shown)}`;
}

/** A parenthesis would end the URL. */
export function linkTo(text: string, url: string): string {
  return `[${escapeInline(text)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

/** The formats of a changelog with these filters, those with all versions first. */
export function linksToOutputs(
  outputs: readonly NamedOutput[],
  urls: ProductUrls,
  filters = '',
): MarkdownLink[] {
  return outputs
    .toSorted((one, other) => Number(other.isWhole) - Number(one.isWhole))
    .map(({ file, about }) => [file, urls.file(file) + filters, about]);
}
