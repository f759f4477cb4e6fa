// Markdown of every kind, nested, broken and hostile.
import { PAYLOADS } from '../../support/content/xss-payloads.ts';
import type { Dice } from '../imports/writers/dice.ts';

const DEPTH_MAX = 3;

/** Shown as they are, or in place of a character that means something. */
const WORDS = [
  ...[
    'word',
    'a',
    'Fixed',
    'the parser',
    '3',
    '2.0.1',
    '10%',
    'snake_case',
    'it’s',
    "it's",
    '"quoted"',
    '(as before)',
  ],
  ...[
    'é',
    '日本',
    '🚀',
    '\u202e',
    '\u200b',
    '\u00a0',
    '\u2028',
    '\u0085',
    '\ufeff',
    '\ufffd',
    '\0',
    '\u0001',
    '\u001f',
  ],
  ...[
    '\t',
    '\u000b',
    '\u000c',
    '\ud800',
    '\udc00',
    '\ud83d',
    '$&',
    '$1',
    '{{x}}',
    'http://a.b',
    'a@b.c',
    '#',
    '=',
    '+',
  ],
];
const REFERENCES = [
  ...[
    '&amp;',
    '&lt;',
    '&gt;',
    '&quot;',
    '&nbsp;',
    '&copy',
    '&#0;',
    '&#1;',
    '&#9;',
    '&#10;',
    '&#13;',
    '&#32;',
    '&#34;',
  ],
  ...[
    '&#60;',
    '&#x3C;',
    '&#x3c',
    '&#38;lt;',
    '&amp;lt;',
    '&#xD800;',
    '&#x10FFFF;',
    '&#99999999;',
    '&NewLine;',
    '&Tab;',
  ],
  ...[
    '&colon;',
    '&lpar;',
    '&bsol;',
    '&grave;',
    '&unknown;',
    '&',
    '&;',
    '&#;',
    '&#x;',
    '&ngE;',
    '&#128;',
    '&#8203;',
  ],
];
const ODD = [
  ...[
    '*',
    '**',
    '_',
    '`',
    '``',
    '~~',
    '~',
    '[',
    ']',
    '![',
    '](',
    ')',
    '(',
    '<',
    '>',
    '|',
    '\\',
    '!',
    '-',
    ':',
    '"',
    "'",
  ],
  ...[
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?x',
    '</p>',
    '<p>',
    '</a>',
    '<pre',
    '</code></pre>',
    '\n',
    '\n\n',
    '    ',
  ],
];
const SCHEMES = [
  ...[
    'https://',
    'HTTPS://',
    'http://',
    'http:',
    'mailto:',
    'MailTo:',
    'ftp://',
    'tel:',
    'javascript:',
    'JaVaScRiPt:',
  ],
  ...[
    'vbscript:',
    'data:text/html,',
    'data:image/png;base64,',
    'file:///',
    'blob:',
    'x-y+z.1:',
    '1x:',
    '-:',
    ':',
    '.:',
  ],
  ...[
    '//',
    '///',
    '\\\\',
    '/\\',
    '\\/',
    '/',
    './',
    '../',
    '#',
    '?',
    '',
    'x/y:',
    'java&#10;script:',
    '&#1;javascript:',
  ],
  ...[
    'java&Tab;script:',
    'javascript&colon;',
    '&#106;avascript:',
    'java%0ascript:',
    '%6aavascript:',
    '\u00a0javascript:',
  ],
  ...[
    '\u0001javascript:',
    'java\u0000script:',
    'java<!-- x -->script:',
    'https:javascript:',
    'http:/\\',
    'ｊavascript:',
  ],
  ...[
    '&#47;/',
    '&sol;&sol;',
    '/&#9;/',
    '/&#10;/',
    '&bsol;&bsol;',
    'mailto&#58;',
    '&#x68;ttps://',
    'h&#9;ttps://',
  ],
];
const REST = [
  ...[
    'a.example',
    'a.example/b?c=1&d=2#e',
    'user:pass@a.example:80/',
    'bücher.example',
    '日本.example/é',
    'xn--80ak6aa92e.com',
  ],
  ...[
    'alert(1)',
    "alert('1')",
    'a"b',
    "a'b",
    'a<b>',
    'a%zz',
    '%00',
    '%',
    'a|b',
    '[::1]/',
    'a`b',
    'a\\b',
    '\ud800',
    '🚀',
  ],
  ...[
    '',
    ' ',
    'a b',
    '(b)',
    '&amp;',
    '&quot;',
    '&lt;script&gt;',
    '{}',
    '^',
    '\u2028',
    '"onclick="alert(1)',
    "'><img src=x>",
  ],
];
const INFO = ['', 'js', 'js title="x"', '" onclick="x', '&quot;', '<b>', 'a\\*b', '\u00a0', 'é'];
const TAGS = [
  '<b>',
  '</b>',
  '<br>',
  '<img src=x onerror=alert(1)>',
  '<script>',
  '<a href="x">',
  '<svg/onload=x>',
  '<x-y z>',
  ...['<details open>', '<summary>', '</details>', '<table><tr><td>', '</table>', '<ul><li>', '<p>', '</p>'],
  ...[
    '<kbd>',
    '</kbd>',
    '<!-- x -->',
    '<script>x</script>',
    '<dl><dt>',
    '<pre>',
    '<h2 id=x>',
    '<video src=x>',
  ],
];
const LABELS = ['r', 'R', 'a b', '1', 'ß', 'toString', '__proto__', '\\]', '*x*'];

export function writeText(dice: Dice): string {
  const text = dice.oneOf(KINDS)(dice);
  return dice.chance(15) ? mutated(dice, text) : text;
}

const KINDS: readonly ((dice: Dice) => string)[] = [
  (dice) => dice.some(1, 8, () => dice.oneOf(WORDS)).join(' '),
  (dice) => dice.some(1, 6, () => inline(dice, 0)).join(' '),
  (dice) =>
    dice
      .some(1, 25, () => dice.oneOf([WORDS, REFERENCES, ODD, ODD]))
      .map((from) => dice.oneOf(from))
      .join(''),
  (dice) => blocks(dice, 0),
  (dice) => blocks(dice, 0),
  (dice) => mutated(dice, dice.oneOf(PAYLOADS)),
  (dice) => `${dice.oneOf(PAYLOADS)}${dice.oneOf(['', ' ', '\n', '\n\n'])}${dice.oneOf(PAYLOADS)}`,
];

function inline(dice: Dice, depth: number): string {
  const inner = () =>
    depth >= DEPTH_MAX
      ? dice.oneOf(WORDS)
      : dice.some(1, 3, () => inline(dice, depth + 1)).join(dice.oneOf(['', ' ']));
  return dice.oneOf<() => string>([
    () => dice.oneOf(WORDS),
    () => dice.oneOf(WORDS),
    () => dice.oneOf(REFERENCES),
    () => dice.oneOf(ODD),
    () => dice.oneOf(TAGS),
    () => `\\${dice.oneOf([...ODD, ...WORDS])}`,
    () => around(dice.oneOf(['*', '**', '***', '_', '__', '~~', '~', '*_', '~~~~']), inner()),
    () => around(dice.oneOf(['`', '``', '` ']), inner()),
    () => `[${inner()}](${target(dice)})`,
    () => `![${inner()}](${target(dice)})`,
    () => `${dice.oneOf(['', '!'])}[${inner()}][${dice.oneOf(['', ...LABELS])}]`,
    () => `[${dice.oneOf(LABELS)}]`,
    () => `<${url(dice)}>`,
    () => '<a.b+c@d.example>',
    () => `${dice.oneOf(['http://', 'https://', 'HTTPS://'])}${dice.oneOf(REST)}${dice.oneOf(ODD)}${inner()}`,
    () => `${inner()}${dice.oneOf(['  \n', '\\\n', '\n', '\r\n', '\r', ' \n '])}${inner()}`,
  ])();
}

const around = (mark: string, text: string) => `${mark}${text}${[...mark].reverse().join('')}`;
const url = (dice: Dice) => `${dice.oneOf(SCHEMES)}${dice.oneOf(REST)}`;

function target(dice: Dice): string {
  const written = dice.chance(30) ? `<${url(dice)}>` : url(dice);
  return dice.chance(40) ? `${written} ${title(dice)}` : written;
}

function title(dice: Dice): string {
  const text = dice.some(0, 3, () => dice.oneOf([...WORDS, ...REFERENCES, ...ODD])).join('');
  return dice.oneOf([`"${text}"`, `'${text}'`, `(${text})`]);
}

function blocks(dice: Dice, depth: number): string {
  const separator = () => dice.oneOf(['\n\n', '\n\n', '\n', '\r\n\r\n', '\n\n\n', '\n \n']);
  return dice.some(1, 4, () => `${block(dice, depth)}${separator()}`).join('');
}

function block(dice: Dice, depth: number): string {
  const line = () => inline(dice, 1);
  const inside = () => (depth >= DEPTH_MAX ? line() : blocks(dice, depth + 1));
  return dice.oneOf<() => string>([
    line,
    () => dice.some(1, 3, line).join('\n'),
    () =>
      `${'#'.repeat(dice.int(1, 7))}${dice.oneOf([' ', '', '\t'])}${line()}${dice.oneOf(['', ' #', ' ##'])}`,
    () => `${line()}\n${dice.oneOf(['===', '---', '-', '='])}`,
    () => dice.oneOf(['---', '***', '_ _ _', '- - -']),
    () => prefixed(inside(), dice.oneOf(['> ', '>', ' > '])),
    () =>
      dice
        .some(1, 3, () => item(dice.oneOf(['- ', '* ', '+ ', '-   ']), inside()))
        .join(dice.oneOf(['', '\n'])),
    () =>
      dice
        .some(1, 3, (index) =>
          item(`${dice.oneOf([0, 1, 3, 999999999]) + index}${dice.oneOf(['. ', ') '])}`, inside()),
        )
        .join(''),
    () =>
      `${dice.oneOf(['```', '~~~', '````'])}${dice.oneOf(INFO)}\n${line()}\n${dice.oneOf(['```', '~~~', '````', ''])}`,
    () => prefixed(line(), dice.oneOf(['    ', '\t'])),
    () => table(dice, line),
    () => `[${dice.oneOf(LABELS)}]: ${target(dice)}`,
    () => dice.oneOf(TAGS),
  ])();
}

const prefixed = (text: string, prefix: string) => text.replaceAll(/^/gm, () => prefix);
const item = (marker: string, text: string) =>
  `${marker}${text.replaceAll(/\n(?=.)/g, `\n${' '.repeat(marker.length)}`)}\n`;

function table(dice: Dice, cell: () => string): string {
  const columns = dice.int(1, 4);
  const row = (write: () => string, cells: number) => `|${dice.some(cells, cells, write).join('|')}|\n`;
  const alignment = () => dice.oneOf(['-', ':-', '-:', ':-:', '---', ' --- ', ':--x']);
  const rows = dice.some(0, 3, () => row(cell, dice.int(0, columns + 1)));
  return `${row(cell, columns)}${row(alignment, columns)}${rows.join('')}`;
}

function mutated(dice: Dice, text: string): string {
  const at = dice.int(0, text.length);
  const piece = dice.oneOf([WORDS, REFERENCES, ODD, SCHEMES]);
  const removed = dice.oneOf([0, 0, 1, 3]);
  const twice = `${text.slice(0, at)}${dice.oneOf(piece)}${text.slice(at + removed)}`;
  return dice.chance(30) ? mutated(dice, twice) : twice;
}
