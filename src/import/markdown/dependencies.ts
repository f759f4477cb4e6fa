// Changesets lists the same dependency bump once for each change that caused it. Readers want one change.
import type { ChangeContent } from '../../domain/content/content.ts';

const BUMP = /^Updated dependencies\b/;
const HEAD = /^Updated dependencies(?:\s+(\[.*\]))?:?$/s;

export function foldDependencies(changes: readonly ChangeContent[]): ChangeContent[] {
  const bumps = new Set(changes.filter(({ text }) => BUMP.test(text)));
  const [first] = bumps;
  if (first === undefined) return [...changes];
  const folded: ChangeContent = {
    type: 'changed',
    text: bumps.size === 1 ? first.text : fold([...bumps].map(({ text }) => text)),
    breaking: false,
  };
  return changes.flatMap((change) => (change === first ? [folded] : bumps.has(change) ? [] : [change]));
}

function fold(texts: readonly string[]): string {
  const heads: string[] = [];
  const lists: string[] = [];
  for (const text of texts) {
    const listAt = text.search(/\n[ \t]*[-*+] /);
    const head = listAt === -1 ? text : text.slice(0, listAt);
    const match = HEAD.exec(head.trim());
    // Text in another form stays a separate paragraph.
    if (!match) return texts.join('\n\n');
    if (match[1] !== undefined) heads.push(match[1]);
    if (listAt !== -1) lists.push(...text.slice(listAt + 1).split('\n'));
  }
  const head = ['Updated dependencies', heads.join(', ')].filter((part) => part !== '').join(' ');
  const unique = [...new Set(lists.map((line) => line.trimEnd()))].filter((line) => line !== '');
  return unique.length === 0 ? head : `${head}:\n\n${unique.join('\n')}`;
}
