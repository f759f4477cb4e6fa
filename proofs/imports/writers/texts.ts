// Markdown as people write it in changelogs, and how it must be read: the same, with URLs instead of references.
import type { Dice } from './dice.ts';

export type Text = Readonly<{ written: string; read: string }>;

const WORDS = [
  'Launches',
  'the',
  'countdown',
  'of',
  'rockets',
  'stages',
  'now',
  'größer',
  '火箭',
  'صاروخ',
  'naïve',
  'e.g.',
  'v2',
  '100%',
  "don't",
  'a/b',
  'x_y_z',
  '3×',
] as const;
const OPENERS = ['Launches', 'A', 'Lands', 'Größere', '火箭', 'Now', 'We'] as const;
const PIECES = [
  '`code`',
  '`` a ` b ``',
  '`[not] a [link]`',
  '**bold**',
  '_em_',
  '*em*',
  '~~gone~~',
  '[link](https://example.com/a?b=c#d)',
  '[`code` link](https://example.com/x "A title")',
  '![image](https://example.com/i.png)',
  '[![badge](https://example.com/b.svg)](https://example.com)',
  '<https://example.com/auto>',
  'https://example.com/bare',
  '(#123)',
  '@someone',
  '\\*escaped\\*',
  '\\[not a link\\]',
  '<kbd>Ctrl</kbd>',
  '<br>',
  '&amp;',
  '&lt;T&gt;',
  '[undefined name]',
  '[x]',
  'Vec<T>',
  '2 * 3',
  'a < b',
  'f(x)[0]',
  '$HOME',
  ':tada:',
  '🎉',
  '--flag',
  '"quoted"',
  '`--flag`',
  'C#',
  '"a": [1, 2]',
  '|',
  '!',
  '`\\`',
] as const;
const CODE = [
  '# no heading',
  '## [9.9.9] - 1999-12-31',
  'npm install rocket',
  '',
  '  indented',
  '- no item',
  '### Added',
  '[no]: https://example.com/definition',
  '> $ rocket',
  '<!-- no comment',
  'a [ref] b',
  '=====',
  '~~',
  '`tick`',
] as const;

/** Link references whose URLs are defined elsewhere in the file. */
export class References {
  readonly #dice: Dice;
  readonly #defined = new Map<string, string>();

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  define(name: string, url: string): void {
    this.#defined.set(name, url);
  }

  link(): Text {
    const dice = this.#dice;
    const number = dice.int(1, 6);
    const name = dice.oneOf([
      `#${number}`,
      `guide ${number}`,
      `Docs-${number}`,
      `@user${number}`,
      `\`code${number}\``,
    ]);
    const url = `https://example.com/r/${encodeURIComponent(name)}`;
    this.define(name, url);
    const called = dice.chance(20) ? name.toUpperCase() : name;
    return dice.oneOf([
      { written: `[${called}]`, read: `[${called}](${url})` },
      { written: `[${called}][]`, read: `[${called}](${url})` },
      { written: `[some *text*][${called}]`, read: `[some *text*](${url})` },
      { written: `![picture][${called}]`, read: `![picture](${url})` },
      { written: `([${called}])`, read: `([${called}](${url}))` },
    ]);
  }

  /** The definitions, in order of first use or shuffled. */
  write(): string[] {
    const dice = this.#dice;
    const lines = Array.from(
      this.#defined,
      ([name, url]) => `[${name}]: ${dice.chance(10) ? `<${url}>` : url}`,
    );
    return dice.chance(30) ? lines.reverse() : lines;
  }
}

export function plain(text: string): Text {
  return { written: text, read: text };
}

export function joined(texts: readonly Text[], by: string): Text {
  return {
    written: texts.map(({ written }) => written).join(by),
    read: texts.map(({ read }) => read).join(by),
  };
}

function piece(dice: Dice, references: References): Text {
  const kind = dice.int(0, 9);
  if (kind === 9) return references.link();
  return plain(dice.oneOf(kind >= 7 ? PIECES : WORDS));
}

export function line(dice: Dice, references: References): Text {
  const rest = dice.some(1, 6, () => piece(dice, references));
  return joined([plain(dice.oneOf(OPENERS)), ...rest], ' ');
}

/** One or more lines, as editors wrap them. */
export function paragraph(dice: Dice, references: References): Text {
  return joined(
    dice.some(1, dice.chance(25) ? 3 : 1, () => line(dice, references)),
    '\n',
  );
}

function fence(dice: Dice): Text {
  const mark = dice.oneOf(['```', '~~~', '````']);
  const language = dice.oneOf(['', 'sh', 'ts', ' js']);
  return plain([`${mark}${language}`, ...dice.some(1, 4, () => dice.oneOf(CODE)), mark].join('\n'));
}

function table(dice: Dice): Text {
  const row = () => `| ${dice.oneOf(WORDS)} | ${dice.oneOf(WORDS)} |`;
  return plain([row(), dice.oneOf(['|---|---|', '| :-- | --: |']), ...dice.some(1, 3, row)].join('\n'));
}

function list(dice: Dice, references: References, depth = 0): Text {
  const marker = dice.oneOf(['-', '*', '1.']);
  const items = dice.some(1, 3, () => {
    const inner = depth < 2 && dice.chance(20) ? [list(dice, references, depth + 1)] : [];
    return joined([line(dice, references), ...inner], '\n');
  });
  return joined(
    items.map((item) => marked(item, `${marker} `)),
    '\n',
  );
}

function quotation(dice: Dice, references: References): Text {
  return indented(paragraph(dice, references), '> ', '> ');
}

const COMMENT = plain('<!-- ## [8.8.8] - 1999-12-31\n### Removed\n- nothing -->');
const DETAILS = plain('<details>\n<summary>More</summary>\n\nInside.\n\n</details>');
const IMAGE = plain('![A picture](https://example.com/picture.png)');

export function block(dice: Dice, references: References): Text {
  const make = dice.oneOf([paragraph, fence, table, list, quotation]);
  return dice.chance(15) ? dice.oneOf([COMMENT, DETAILS, IMAGE]) : make(dice, references);
}

/** The text of an item: usually one line, sometimes much more. */
export function itemText(dice: Dice, references: References): Text {
  const first = paragraph(dice, references);
  if (dice.chance(80)) return first;
  // A nested list often follows without a blank line.
  if (dice.chance(40)) return joined([first, list(dice, references)], '\n');
  return joined([first, ...dice.some(1, 3, () => block(dice, references))], '\n\n');
}

/** Formats a list item, with its other lines indented like the first. */
export function marked(text: Text, marker: string): Text {
  return indented(text, marker, ' '.repeat(marker.length));
}

function indented(text: Text, first: string, others: string): Text {
  const indent = (whole: string) =>
    whole
      .split('\n')
      .map((one, index) =>
        one === '' && index > 0 ? others.trimEnd() : (index === 0 ? first : others) + one,
      )
      .join('\n');
  return { written: indent(text.written), read: indent(text.read) };
}
