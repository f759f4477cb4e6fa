// The output of the tool changesets: a commit before each text, and the same dependency bump once for each change that
// caused it. Readers want one change.
import type { ChangeContent } from '../../domain/content/content.ts';
import { singularName } from './names.ts';
import { CHANGESETS } from './sections.ts';

const COMMIT = String.raw`(?:\[#\d+\]\([^()\s]*\) )?(?:\[\x60?[0-9a-f]{7,40}\x60?\]\([^()\s]*\)|[0-9a-f]{7,40}:) `;
const BEGINS_WITH_COMMIT = new RegExp(`^${COMMIT}`);
const LINE = new RegExp(`^(?:### Patch Changes\\s*$|- ${COMMIT})`);

/** Whether only changesets would write this line. */
export function isLineOfChangesets(line: string): boolean {
  return LINE.test(line);
}

/** Other authors write `Major Changes`, too, but not `Patch Changes`. */
export function isSectionOfChangesets(name: string, texts: readonly string[]): boolean {
  const key = singularName(name);
  return (
    key === 'patch change' || (CHANGESETS.has(key) && texts.some((text) => BEGINS_WITH_COMMIT.test(text)))
  );
}

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
