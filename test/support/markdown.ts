// Parses enough Markdown to compare documents with the code.
import assert from 'node:assert/strict';

/** The rows of the first table whose first column has this name, as lists of cells. */
export function tableUnder(markdown: string, firstColumn: string): string[][] {
  const lines = markdown.split('\n');
  const head = lines.findIndex((line) => line.startsWith(`| ${firstColumn} |`));
  assert.notEqual(head, -1, `no table with the column ${firstColumn}`);
  const rows = lines.slice(head + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end === -1 ? rows.length : end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The headings outside code blocks, with their line numbers. */
function headings(markdown: string): { line: number; heading: string }[] {
  let inCode = false;
  return markdown.split('\n').flatMap((heading, line) => {
    if (heading.startsWith('```')) inCode = !inCode;
    return !inCode && /^#+ /.test(heading) ? [{ line, heading }] : [];
  });
}

/** From a heading to the next one of its level or above. */
export function section(markdown: string, wanted: string): string {
  const all = headings(markdown);
  const index = all.findIndex(({ heading }) => heading === wanted);
  assert.notEqual(index, -1, `no heading ${wanted}`);
  const level = wanted.indexOf(' ');
  const next = all.slice(index + 1).find(({ heading }) => heading.indexOf(' ') <= level);
  return markdown
    .split('\n')
    .slice((all[index]?.line ?? 0) + 1, next?.line)
    .join('\n');
}

export function codeBlock(markdown: string, language: string): string {
  const block = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(markdown)?.[1];
  assert.ok(block !== undefined, `no ${language} block`);
  return block;
}

export type Block = Readonly<{ language: string; text: string }>;

/** The fenced code blocks, in order. */
export function codeBlocks(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

export function bare(cell: string): string {
  return cell.replaceAll('`', '');
}

export function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '');
}

export function anchors(markdown: string): string[] {
  return headings(markdown).map(({ heading }) =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
