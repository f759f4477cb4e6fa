// The text of a release on GitHub: a changelog's version in any of the styles, mostly without its heading.
import { type Body, readBody } from './body.ts';
import { readVersionHeading } from './headings.ts';
import { References } from './references.ts';
import { scan } from './scan.ts';

/** `tag` is what the release is called besides. */
export function readReleaseBody(markdown: string, tag: string, file: string): Body {
  const references = new References(file);
  const lines: string[] = [];
  const said: string[] = [];
  for (const { text, number, heading, definition } of scan(markdown.split('\n'))) {
    if (definition) references.add(definition, number);
    const isFirst = heading !== null && lines.every((line) => line.trim() === '');
    const link = isFirst ? headingLink(heading.text, tag) : undefined;
    if (link) said.push(link);
    if (definition === null && link === undefined) lines.push(text);
    else if (lines.at(-1) !== '') lines.push('');
  }
  const { description, changes } = readBody(lines, 'github-releases');
  const resolved = changes.map((change) => ({ ...change, text: references.resolve(change.text) }));
  if (description !== null) said.unshift(references.resolve(description));
  const unused = [...references.unused()].join('\n');
  if (unused !== '') said.push(unused);
  return { description: said.length === 0 ? null : said.join('\n\n'), changes: resolved };
}

/** Some tools repeat the heading of the version: what it says is known, except where it leads to. */
function headingLink(text: string, tag: string): string | null | undefined {
  const heading = readVersionHeading(text);
  if (heading === null || withoutV(heading.label) !== withoutV(tag)) return undefined;
  return heading.link !== null && 'url' in heading.link ? `[Full changelog](${heading.link.url})` : null;
}

function withoutV(label: string): string {
  return label.replace(/^v/i, '');
}
