// Texts of any size, each of a shape that a careless reader would take long over.
import { Refusal } from '../../src/errors.ts';
import { readChangelog } from '../../src/import/read.ts';

const HEAD = '# Changelog\n\n## [1.0.0] - 2026-05-04\n\n';

const RST = '1.0 (2026-05-04)\n================\n\n.. note:: A.\n\n';
const ASCIIDOC = '== 1.0 (2026-05-04)\n\n:url: a\n\n';

/** About so many bytes of it. */
export type Shape = (bytes: number) => string;

const filled = (piece: (index: number) => string, bytes: number) => {
  const pieces: string[] = [];
  for (let length = 0, index = 0; length < bytes; index++) {
    const next = piece(index);
    pieces.push(next);
    length += next.length;
  }
  return pieces.join('');
};
/** In one version, which may have some MiB. */
const inOne =
  (piece: (index: number) => string): Shape =>
  (bytes) =>
    HEAD + filled(piece, bytes);

export const SHAPES: Readonly<Record<string, Shape>> = {
  'many versions': (bytes) =>
    filled((index) => `## [1.0.${index}] - 2026-05-04\n\n### Added\n\n- A pad.\n\n`, bytes),
  'versions with definitions': (bytes) =>
    filled(
      (index) =>
        `## [1.0.${index}] - 2026-05-04\n\n- See [#${index}].\n\n[#${index}]: https://x.example/${index}\n\n`,
      bytes,
    ),
  'many items': inOne((index) => `- Item ${index} of a list.\n`),
  'one item of many paragraphs': inOne((index) =>
    index === 0 ? '- First.\n\n' : '  Another paragraph.\n\n',
  ),
  'many definitions': inOne((index) => `[name ${index}]: https://x.example/${index}\n`),
  'many references': (bytes) =>
    `${HEAD}- ${filled((index) => `[name ${index % 10}] `, bytes)}\n\n[name 1]: https://x.example/\n`,
  'many sections': inOne((index) => `### Section ${index}\n\n`),
  'headings of no version': inOne(() => '# Chapter\n'),
  'headings above the first version': (bytes) =>
    filled((index) => `## Name ${index}\n\n- Item.\n\n`, bytes) + HEAD,
  'headings above each other': inOne((index) => `${'#'.repeat((index % 4) + 3)} Name\n\n- Item.\n\n`),
  'nested lists': inOne((index) => `${' '.repeat((index % 100) * 2)}- item\n`),
  'nested markers': (bytes) => `${HEAD}${filled((index) => (index % 200 === 0 ? '\n' : '- '), bytes)}x\n`,
  'many quotation marks': (bytes) =>
    `${HEAD}${filled((index) => (index % 500 === 0 ? '\n\n' : '>'), bytes)}\n`,
  'open brackets': inOne(() => '['),
  'closed brackets': inOne(() => '[]'),
  'brackets in brackets': (bytes) =>
    `${HEAD}${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}\n\n[a]: https://x.example/\n`,
  'open links': (bytes) => `${HEAD}${filled(() => '[a](', bytes)}\n\n[a]: https://x.example/\n`,
  'half references': (bytes) => `${HEAD}${filled(() => '[a][', bytes)}\n\n[a]: https://x.example/\n`,
  'many backticks': (bytes) =>
    `${HEAD}${filled((index) => `${'`'.repeat((index % 300) + 1)} `, bytes)}[a]\n\n[a]: https://x.example/\n`,
  'many backslashes': (bytes) => `${HEAD}${'\\'.repeat(bytes)}[a]\n\n[a]: https://x.example/\n`,
  'an unclosed fence': inOne((index) => (index === 0 ? '```\n' : '## [2.0.0] - 2026-05-05\n')),
  'many fences': inOne((index) => `${'`'.repeat((index % 50) + 3)}\n`),
  'an unclosed comment': inOne((index) => (index === 0 ? '<!--\n' : '## [2.0.0] - 2026-05-05\n')),
  'many comments': inOne(() => '<!-- '),
  'many tags': inOne(() => '<a name="x"'),
  'many tables': inOne((index) => (index % 3 === 0 ? '| a | b |\n|---|---|\n' : '| 1 | 2 |\n')),
  'rows of changes': inOne((index) =>
    index === 0 ? '| Commit | Type | Description |\n|---|---|---|\n' : '| 1 | fix | 2 |\n',
  ),
  'unclosed details': inOne(() => '<details>\n\n'),
  'nested details': (bytes) =>
    `${HEAD}${'<details>\n\n'.repeat(bytes / 24)}${'</details>\n\n'.repeat(bytes / 24)}`,
  'comments in a row': (bytes) => `${HEAD}${'<!-- -->'.repeat(bytes / 8)} x\n`,
  'items with many prefixes': inOne(
    (index) => `- ${['[a] ', '**b:** ', '#1 ', 'c: ', '[d](e) '][index % 5]?.repeat(99)}\n`,
  ),
  'one long name': (bytes) => `${HEAD}### ${'(1 '.repeat(bytes / 3)}\n\n- Item.\n`,
  stars: inOne(() => '**a '),
  'one long heading': (bytes) => `## [1.0.0] - 2026-05-04 ${'x '.repeat(bytes / 2)}\n`,
  'heading of blanks': (bytes) => `${HEAD}## ${' '.repeat(bytes)}x\n`,
  'heading of hashes': (bytes) => `${HEAD}## x ${'# '.repeat(bytes / 2)}x\n`,
  'heading of numbers': (bytes) => `${HEAD}## ${'1.'.repeat(bytes / 2)}x\n`,
  'heading of dashes': (bytes) => `${HEAD}## 1.0${'-a'.repeat(bytes / 2)}!\n`,
  'heading of open brackets': (bytes) => `${HEAD}## ${'[('.repeat(bytes / 2)}\n`,
  'heading of tags': (bytes) => `${HEAD}## ${'<a '.repeat(bytes / 3)}\n`,
  'blank lines': inOne(() => '\n'),
  'lines of blanks': inOne(() => `${' '.repeat(200)}\n`),
  returns: inOne(() => '\r'),
  'a definition that never ends': (bytes) => `${HEAD}[${'a'.repeat(bytes)}\n`,
  'definitions of blanks': (bytes) => `${HEAD}[a]:${' '.repeat(bytes)}\n`,
  'bumps of dependencies': (bytes) =>
    `## 1.0.0\n\n### Patch Changes\n\n${filled((index) => `- Updated dependencies [${index}]\n  - a@1.0.${index}\n`, bytes)}`,
  'handles of contributors': (bytes) =>
    `${HEAD}${filled((index) => (index % 4_000 === 0 ? '\n- @a' : ', @b-c'), bytes)} x\n`,
  'backticks in reStructuredText': (bytes) =>
    `${RST}${filled((index) => '`'.repeat((index % 30) + 1), bytes)}\n`,
  'roles in reStructuredText': (bytes) => `${RST}${filled(() => ':a:`b <c ', bytes)}\n`,
  'code in reStructuredText': (bytes) => RST + filled(() => '- a::\n\n      b\n\n', bytes),
  'open links in AsciiDoc': (bytes) => `${ASCIIDOC}${filled(() => 'https://x[<<a,{b}', bytes)}\n`,
  'braces in RDoc': (bytes) => `=== 1.0 / 2026-05-04\n\n${filled(() => '{a}[+b', bytes)}\n`,
  'marks in Org': (bytes) =>
    `#+title: a\n* 1.0 <2026-05-04>${' '.repeat(bytes / 4)}b\n${filled((index) => `[[a =b ~c *d /e${index % 500 === 0 ? '\n' : ' '}`, bytes)}\n`,
  'entries of packages': (bytes) =>
    filled((index) => `rocket (1.${index}) sid; urgency=low\n\n  * A pad.\n\n`, bytes),
  'plain versions': (bytes) => filled((index) => `1.${index}  2026-05-04\n  - A pad.\n\n`, bytes),
  releases: (bytes) =>
    `[${filled((index) => `{"tag_name":"1.0.${index}","published_at":"2026-05-04T00:00:00Z","body":"- A pad."},`, bytes).slice(0, -1)}]`,
  'a release of escapes': (bytes) => `[{"tag_name":"1.0.0","body":"${'\\n'.repeat(bytes / 2)}"}]`,
  'nested arrays': (bytes) => '['.repeat(bytes),
};

/** Of many short lines: each takes long, and so fewer of them tell as much. */
export const COSTLY: ReadonlySet<string> = new Set([
  ...['many versions', 'versions with definitions', 'many items', 'one item of many paragraphs'],
  ...['many sections', 'headings of no version', 'headings above each other', 'many quotation marks'],
  ...['many fences', 'many tables', 'rows of changes', 'unclosed details', 'nested details', 'blank lines'],
  ...['returns', 'bumps of dependencies', 'releases', 'code in reStructuredText', 'plain versions'],
  'entries of packages',
]);

/** Reads all of it; says whether it was taken. */
export function readShape(text: string): boolean {
  const source = { bytes: Buffer.from(text), name: 'CHANGELOG' };
  try {
    readChangelog(source, { format: 'auto' });
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
