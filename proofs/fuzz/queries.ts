// Query strings: valid parameters, nearly valid ones, and injection attempts.
import fc from 'fast-check';

type Pair = readonly [name: string, value: string];

const VALID: Record<string, readonly string[]> = {
  limit: ['1', '2', '100'],
  cursor: ['{feedCursor}', '{teamCursor}', '{pageCursor}'],
  since: ['2026-01-01', '2026-05-04T09:00:00Z', '2026-05-04T11:00:00.000+02:00'],
  until: ['2026-12-31', '2026-05-04T09:00:00Z'],
  from: ['1.0.0', 'v1', '0.9.0-rc.1'],
  to: ['2.0.0', '1.5', '9.9.9+build'],
  type: ['added', 'fixed', 'security', 'added,fixed'],
  breaking: ['true', 'false', '1'],
  prerelease: ['true', 'false', '0', 'True'],
  q: [
    ...['markdown', 'Größe', 'link 🚀', 'MISTAKE', '2.0.0', 'hm-open-site', '機能'],
    ...[
      'תיקון',
      'إصلاح الأخطاء',
      'สวัสดี',
      'हिन्दी',
      '한국어',
      '\u1112\u1161\u11ab',
      'ไทย',
      '👩\u200d👩\u200d👧',
      '𐐷𐐷',
    ],
  ],
  include: ['changes'],
};
const NAMES = Object.keys(VALID);

const HOSTILE = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '101',
    '1e1',
    '01',
    '0x1',
    '1.0',
    'NaN',
    '99999999999999999999',
    'null',
    'TRUE',
    'x',
  ],
  ...[
    'never',
    '2026-02-30',
    '2026-13-01',
    '2026-05-04T25:00:00Z',
    '2026-05-04T09:00:00',
    '-000001-01-01',
    '9999-12-31',
  ],
  ...[
    '1.2.3.4',
    '1..2',
    'latest',
    '1.0.0-',
    `1.0.0-${'a.'.repeat(50)}b`,
    '9'.repeat(128),
    '9'.repeat(129),
    '٣.٠.٠',
  ],
  ...[
    '"',
    '""',
    '"a',
    "'",
    "it's",
    "''",
    'a*',
    '*',
    '^a',
    '(',
    ')',
    'a AND',
    'NOT',
    'OR a',
    'NEAR(a b, 2)',
    'body : a',
  ],
  ...[
    '{a b} : c',
    'scope:c41',
    '-a',
    '+a',
    'a & b',
    'a | !b',
    'a <-> b',
    'a <9999999> b',
    'a:*',
    "'a':ABCD",
    '@c00',
    '#added',
  ],
  ...[
    "'; drop table versions; --",
    "' or 1=1 --",
    '" union select 1 --',
    '$1',
    '?',
    ':x',
    '%',
    '_',
    '\\',
    '\\0',
    '$$',
    '/*',
  ],
  ...[
    '\0',
    'a\0b',
    '\r\nX-Injected: 1',
    '\u202e',
    '\ufffe',
    '\u{10ffff}',
    'İ',
    'ß',
    'ﬀ',
    'a\u0301'.repeat(80),
    '🚀'.repeat(60),
  ],
  ...[
    '{a*500}',
    '{a*501}',
    '{a*2000}',
    'a '.repeat(200),
    '機'.repeat(166),
    '__proto__',
    'constructor',
    '[object Object]',
  ],
];

/** Made-up cursors. */
const FORGED = [
  '2026-05-04T09:00:00.000Z ver_site1',
  '~1 x',
  '~ 1',
  'a\0 b',
  '\xff\xfe x',
  'a b c',
  ' ',
  '~99999999999999999999 x',
].map((position) => Buffer.from(`twelve bytes${position}`, 'latin1').toString('base64url'));

const value = (name: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...(VALID[name] ?? [])) },
    { weight: 3, arbitrary: fc.constantFrom(...HOSTILE, ...(name === 'cursor' ? FORGED : [])) },
    { weight: 1, arbitrary: fc.constantFrom(...Object.values(VALID).flat()) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  );

const pair: fc.Arbitrary<Pair> = fc
  .constantFrom(...NAMES)
  .chain((name) => value(name).map((written): Pair => [name, written]));

/** Placeholders are filled in later; their characters are never encoded. */
const encodeEach = (text: string, encode: (part: string) => string) =>
  text
    .split(/(\{[^}\s]+\})/)
    .map((part) => (/^\{[\w^*]+\}$/.test(part) ? part : encode(part)))
    .join('');
const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => encodeEach(text, (part) => encodeURIComponent(part.toWellFormed())),
  (text) => encodeEach(text, (part) => encodeURIComponent(part.toWellFormed()).replaceAll('%20', '+')),
  (text) => encodeEach(text, (part) => everyByte(part).toUpperCase()),
  (text) => encodeEach(text, everyByte),
  (text) => encodeEach(text, (part) => encodeURIComponent(encodeURIComponent(part.toWellFormed()))),
  (text) => `${encodeEach(text, (part) => encodeURIComponent(part.toWellFormed()))}%ff`,
  (text) => `${encodeEach(text, (part) => encodeURIComponent(part.toWellFormed()))}%`,
  (text) => `%c0%80${encodeEach(text, (part) => encodeURIComponent(part.toWellFormed()))}%ed%a0%80`,
  (text) => encodeEach(text, (part) => part.replaceAll(/[^!-~]|[#?]/g, '')),
];

function everyByte(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

const encoding = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ENCODINGS.slice(0, 1)) },
  { weight: 3, arbitrary: fc.constantFrom(...ENCODINGS) },
);

/** Valid queries. */
export const validQuery: fc.Arbitrary<string> = fc
  .uniqueArray(fc.constantFrom(...NAMES.filter((name) => name !== 'cursor')), { minLength: 1, maxLength: 4 })
  .chain((names) =>
    fc
      .tuple(...names.map((name) => fc.constantFrom(...(VALID[name] ?? []))))
      .map(
        (values) =>
          `?${new URLSearchParams(values.map((text, index): [string, string] => [names[index] ?? '', text]))}`,
      ),
  );

export const wildQuery: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.tuple(pair, encoding), { minLength: 1, maxLength: 5 }),
    fc.constantFrom('&', '&', '&', '&&', ';'),
  )
  .map(([pairs, sign]) => `?${pairs.map(([[name, text], encode]) => `${name}=${encode(text)}`).join(sign)}`);

const BITS_MAX = 600;

/** A cursor with one bit flipped; see `fillIn`. */
export const alteredCursor: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('feedCursor', 'teamCursor', 'pageCursor'),
    fc.nat(BITS_MAX),
    fc.constantFrom('', '&limit=1'),
  )
  .map(([cursor, bit, others]) => `?cursor={${cursor}^${bit}}${others}`);

/** Such a query must never succeed where cursors are accepted. */
export const isOfAlteredCursor = (target: string) =>
  /(?:\/changelog|\/site)\?cursor=\{\w+\^\d+\}(?:&limit=1)?$/.test(target);
