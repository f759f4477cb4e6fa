// `<details>` and `</details>` with blank lines between them are several blocks of Markdown, but one text.
import type { Block } from './items.ts';

const TAG = /<(\/?)details\b/gi;

/** Joins the blocks from an opening tag to its closing one. `starts` has the first line of each block. */
export function joinDetails(
  blocks: readonly Block[],
  starts: readonly number[],
  lines: readonly string[],
): Block[] {
  const ends = endsOf(blocks);
  if (ends.size === 0) return [...blocks];
  const joined: Block[] = [];
  for (let at = 0; at < blocks.length; at++) {
    let end = ends.get(at);
    // The closing tag of one and the opening tag of the next may be in one block.
    for (let next = end; next !== undefined; next = ends.get(next)) end = next;
    if (end === undefined) joined.push(blocks[at] as Block);
    else {
      const text = lines.slice(starts[at], starts[end]).join('\n');
      joined.push({ kind: 'text', text: `${text}\n${(blocks[end] as Block).text}` });
      at = end;
    }
  }
  return joined;
}

/** Maps the block with the opening tag to the block with the closing tag. */
function endsOf(blocks: readonly Block[]): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { kind, text }] of blocks.entries()) {
    if (kind !== 'text' && kind !== 'list') continue;
    const opened: number[] = [];
    for (const [, slash] of text.matchAll(TAG)) {
      if (slash === '') opened.push(index);
      else if (opened.pop() === undefined) {
        const start = open.pop();
        if (start !== undefined) ends.set(start, index);
      }
    }
    // A list that opens more than it closes is left as it is.
    if (kind === 'text') open.push(...opened);
  }
  return ends;
}
