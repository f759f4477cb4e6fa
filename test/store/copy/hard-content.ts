// Labels, dates and texts that a database may easily lose or alter.

/** Published a day apart, unless the date is the difficult part. */
export const HARD_LABELS = [
  ['1.0'],
  ['v1'],
  ['1.0.0+build.5'],
  ['1.0.0-alpha.beta-7'],
  ['1.0.0-01'],
  ['99999999999999999999.1.0'],
  ['2026.05'],
  ['2026-05-04'],
  ['latest'],
  ['ver_label1'],
  ['release/2.0'],
  ['50% off #1? &amp; "more"'],
  ['Ünïcode 漢字 🚀'],
  ['x'.repeat(128)],
  ['_%'],
  ["it's"],
  ['the first day', '0001-01-01T00:00:00.000Z'],
  ['the last day', '9999-12-31T23:59:59.999Z'],
  ['a leap day', '2024-02-29T23:59:59.999Z'],
  ['before 1970', '1969-12-31T23:59:59.999Z'],
].map(([label, publishedAt], index) => ({
  id: `ver_label${index + 1}`,
  version: label,
  title: `Label ${index + 1}`,
  status: 'published',
  publishedAt: publishedAt ?? `2026-01-${String(index + 1).padStart(2, '0')}`,
  changes: [{ id: `chg_label${index + 1}`, type: 'changed', text: `Number ${index + 1}.` }],
}));

const TEXTS: readonly (readonly [title: string, ...texts: string[]])[] = [
  ['', 'The title is empty.'],
  ['t'.repeat(1_000), 'The title is as long as it may be.'],
  ['Chinese', '火箭发射更快了。', '支持中文搜索：上传、下载。'],
  ['Japanese and Korean', '打ち上げを一時停止できます。', '발사를 일시 중지할 수 있습니다.'],
  ['Accents', 'Un café crème à la façade, naïve.', 'Decomposed: cafe\u0301.', 'Straße, ŒUVRE, smørrebrød.'],
  [
    'Other scripts',
    'Запуск стал быстрее.',
    'Ο ΣΊΣΥΦΟΣ.',
    'إطلاق أسرع',
    'שיגור מהיר',
    'ปล่อยจรวด',
    'İstanbul ılık',
  ],
  ['Beyond the first plane', '🚀 👩‍🚀 🏳️‍🌈', '𝒳 𠜎', 'z\u0351\u036b\u0343'],
  [
    'HTML',
    '<script>alert(1)</script> <img src=x onerror=alert(1)>',
    '<b>bold</b> &amp; &lt; " \' ]]> <!-- -- -->',
  ],
  [
    'Links',
    '[a](javascript:alert(1)) [b](https://x.example/?a=1&b=2 "t") <https://y.example>',
    '![i](/i.png) [r][1]\n\n[1]: ../up',
  ],
  [
    'Markdown',
    '# Heading\n\n1. one\n   - two\n\n> quote\n\n| a | b |\n|---|--:|\n| 1 | 2 |',
    '```js\nconst a = `b`;\n```\n\n~~old~~ **new** _it_\n\n---',
  ],
  [
    'White space',
    '  leading and trailing  ',
    'tab\tand\r\nCRLF\rand CR',
    'no-break\u00a0space, zero\u200bwidth, \u2028line',
  ],
  ['Direction', 'a\u202eb\u202cc \u2067d\u2069'],
  ['SQL', `'; drop table teams; --`, "$1 :a ? %s \\ \\\\ \\x41 E'\\n' $$"],
  [
    'Words',
    'Set rocket.toml aside, use node.js 2.1.0.',
    'AND OR NOT NEAR(a b) "quoted" star*',
    'snake_case kebab-case camelCase',
  ],
  ['Nested', `${'> '.repeat(45)}deep`, 'long '.repeat(300)],
];
const TYPES = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security', 'other'];

export const HARD_TEXTS = [
  ...TEXTS.map(([title, ...texts], index) => ({
    id: `ver_text${index + 1}`,
    version: `${index + 1}.0.0`,
    title,
    status: 'published',
    publishedAt: `2026-02-${String(index + 1).padStart(2, '0')}T00:00:00.000Z`,
    description: texts.join('\n\n'),
    changes: texts.map((text, place) => ({
      id: `chg_text${index + 1}_${place + 1}`,
      type: TYPES[(index + place) % TYPES.length],
      text,
    })),
  })),
  {
    id: 'ver_control',
    version: '0.1.0',
    title: 'Control characters',
    status: 'published',
    publishedAt: '2025-12-01T00:00:00.000Z',
    changes: [
      { id: 'chg_control', type: 'fixed', text: 'A bell\u0007, an escape\u001b[31m and a delete\u007f.' },
    ],
  },
];
