// Generated exchanges: well-formed requests, requests with mutated bytes, and noise.
import fc from 'fast-check';
import { ENDINGS, type Ending } from './client.ts';
import { type Mutation, mutation } from './mutations.ts';
import { realTarget, target } from './targets.ts';
import { SERVERS, type ServerName, WORDS, type Word } from './world.ts';

export type Header = readonly [name: string, value: string];

export type Request = Readonly<{
  method: string;
  target: string;
  headers: readonly Header[];
  body: Body;
}>;

type Body = Readonly<{ text: string; framing: 'none' | 'length' | 'chunked' | 'both' }>;

export type Exchange = Readonly<{ server: ServerName }> &
  (
    | Readonly<{ kind: 'well-formed'; requests: readonly Request[] }>
    | Readonly<{
        kind: 'mutated';
        requests: readonly Request[];
        mutations: readonly Mutation[];
        ending: Ending;
      }>
    | Readonly<{ kind: 'noise'; bytes: string; ending: Ending }>
  );

const method = fc.oneof(
  { weight: 12, arbitrary: fc.constant('GET') },
  { weight: 2, arbitrary: fc.constant('HEAD') },
  { weight: 2, arbitrary: fc.constant('OPTIONS') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT', 'PROPFIND', 'QUERY', 'M-SEARCH', 'SOURCE'],
      ...['get', 'NONSENSE', 'BREW', 'GETX', 'X-A_B'],
    ),
  },
);

const authorization = fc.oneof(
  { weight: 4, arbitrary: fc.constant('Bearer {openFull}') },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...['Bearer {openSelect}', 'Bearer {closedFull}', 'bEARER \t {openFull}', 'token {openFull}'],
      ...['Bearer {disabled}', 'Bearer {deleted}', 'Basic {gate}', 'Basic {wrongGate}'],
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        '',
        'Bearer',
        'Bearer {openFull}x',
        'Bearer {openFull} {openFull}',
        'Bearer {openFull}, Basic {gate}',
      ],
      ...['Token {openFull}', '{openFull}', 'Basic', 'Basic ====', 'Basic Og==', 'Basic {openFull}'],
      'Bearer {a*300}',
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }).map((text) => `Bearer ${text}`) },
);

const credentials: fc.Arbitrary<Header> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('Authorization'), authorization) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('Proxy-Authorization'), fc.constant('Basic {gate}')) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('Proxy-Authorization'), authorization) },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constant('X-API-Key'),
      fc.constantFrom('{openFull}', '{openSelect}', '{closedFull}', '{disabled}', '', 'Bearer {openFull}'),
    ),
  },
);

const KEYS = ['openFull', 'openSelect', 'closedFull', 'disabled'] as const satisfies Word[];

const condition: fc.Arbitrary<Header> = fc.tuple(
  fc.constantFrom('If-None-Match', 'If-None-Match', 'If-None-Match', 'If-Match'),
  fc.constantFrom(
    '*',
    '{feedEtag}',
    'W/{versionEtag}',
    '{pageEtag}',
    '"x", {feedEtag} ,W/{versionEtag}',
    '"',
    ',,,',
    'W/',
  ),
);

const client: fc.Arbitrary<Header> = fc.tuple(
  fc.constant('X-Forwarded-For'),
  fc.oneof(
    { weight: 6, arbitrary: fc.ipV4() },
    { weight: 2, arbitrary: fc.ipV6() },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        'unknown',
        '1.2.3.4, 127.0.0.1',
        ', ,',
        '::ffff:1.2.3.4',
        '1.2.3.4:80',
        '[::1]:1',
      ),
    },
  ),
);

const otherHeader: fc.Arbitrary<Header> = fc.oneof(
  fc.constantFrom<Header[]>(
    ['Connection', 'close'],
    ['Connection', 'keep-alive, Upgrade'],
    ['Upgrade', 'websocket'],
    ['Upgrade', 'h2c'],
    ['Expect', '100-continue'],
    ['Expect', 'something else'],
    ['Accept', 'text/html'],
    ['Accept-Encoding', 'gzip, br'],
    ['Accept-Version', '9.9.9'],
    ['Content-Type', 'application/json'],
    ['Content-Type', 'no/such; charset=thing'],
    ['Content-Encoding', 'gzip'],
    ['Cookie', 'a=b'],
    ['Host', 'other'],
    ['Origin', 'null'],
    ['Access-Control-Request-Method', 'GET'],
    ['Range', 'bytes=0-1'],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['X-Original-URL', '/api/v1/teams/hm-closed-team/products/hm-closed-site/changelog'],
    ['Forwarded', 'for=1.2.3.4'],
    ['__proto__', 'x'],
    ['constructor', 'x'],
    ['X-Long', '{a*15900}'],
    ['X-Long', '{a*17000}'],
  ),
  fc.tuple(
    fc.string({ unit: fc.constantFrom(..."abcXYZ019-_!#$%&'*+.^`|~"), minLength: 1, maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...'abc 019\t,;="\\é\xff'), maxLength: 20 }),
  ),
);

const host: fc.Arbitrary<readonly Header[]> = fc.oneof(
  { weight: 30, arbitrary: fc.constant<Header[]>([['Host', 'test']]) },
  { weight: 1, arbitrary: fc.constant<Header[]>([]) },
  { weight: 1, arbitrary: fc.nat(130).map((lines) => Array<Header>(lines).fill(['X-Again', 'again'])) },
);

const headers: fc.Arbitrary<readonly Header[]> = fc
  .tuple(
    host,
    fc.option(client, { freq: 8 }),
    fc.array(credentials, { maxLength: 3 }),
    fc.option(condition, { freq: 1 }),
    fc.array(otherHeader, { maxLength: 3 }),
  )
  .map(([first, from, keys, condition, others]) =>
    [...first, from, ...keys, condition, ...others].filter((header) => header !== null),
  );

const body: fc.Arbitrary<Body> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ text: '', framing: 'none' } as const) },
  {
    weight: 1,
    arbitrary: fc.record({
      framing: fc.constantFrom('length', 'chunked', 'both'),
      text: fc.oneof(
        fc.string({ maxLength: 50 }),
        fc.constantFrom('{"a":1}', '{', 'GET / HTTP/1.1\r\nHost: test\r\n\r\n', '{a*3000}'),
      ),
    }),
  },
);

const wildRequest: fc.Arbitrary<Request> = fc.record({ method, target, headers, body });

/** The ways to send a key, with or without the gate's password (R24). */
const keyring: fc.Arbitrary<readonly Header[]> = fc
  .tuple(fc.constantFrom(...KEYS), fc.nat(3))
  .map(([key, way]) => {
    const bearer: Header = ['Authorization', `Bearer {${key}}`];
    const proxy: Header = ['Proxy-Authorization', 'Basic {gate}'];
    const beside: Header[] = [
      ['Authorization', 'Basic {gate}'],
      ['X-API-Key', `{${key}}`],
    ];
    return [[bearer], [bearer, proxy], beside, [proxy]][way] ?? [];
  });

/** Two header lines never count as a key (R5). */
const twoLines: fc.Arbitrary<readonly Header[]> = fc
  .tuple(fc.constantFrom(...KEYS), fc.constantFrom('Bearer {openFull}', 'Basic {gate}', ''))
  .map(([key, other]) => [
    ['Authorization', `Bearer {${key}}`],
    ['Authorization', other],
  ]);

/** Valid requests: they get whatever their key may read. */
const calmRequest: fc.Arbitrary<Request> = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'HEAD'),
    target: realTarget,
    from: client,
    keys: fc.oneof({ weight: 8, arbitrary: keyring }, { weight: 1, arbitrary: twoLines }),
    condition: fc.option(condition),
  })
  .map(({ method, target, from, keys, condition }) => ({
    method,
    target,
    headers: [['Host', 'test'], from, ...keys, ...(condition === null ? [] : [condition])],
    body: { text: '', framing: 'none' },
  }));

const request = fc.oneof(wildRequest, calmRequest);

const noise = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      fc.constantFrom('GET ', '/api/v1', ' HTTP/1.1', '\r\n', '\r\n\r\n', 'Host: x', '\x16\x03\x01', '\0'),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const server = fc.oneof(
  { weight: 2, arbitrary: fc.constant(SERVERS[0]) },
  { weight: 1, arbitrary: fc.constant(SERVERS[1]) },
);
const ending = fc.constantFrom(...ENDINGS);

export const exchange: fc.Arbitrary<Exchange> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('well-formed' as const),
      server,
      requests: fc.array(request, { minLength: 1, maxLength: 10 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('mutated' as const),
      server,
      requests: fc.array(request, { minLength: 1, maxLength: 3 }),
      mutations: fc.array(mutation, { maxLength: 4 }),
      ending,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('noise' as const), server, bytes: noise, ending }) },
);

/** The bytes of a request, one character each. */
export function writeRequest(
  { method, target, headers, body: { text, framing } }: Request,
  words: Record<Word, string>,
): string {
  const body = { text: fillIn(text, words), framing };
  const head = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const written = [...head, ...framingHeaders(body), '', writeBody(body)].join('\r\n');
  return Buffer.from(fillIn(written, words)).toString('latin1');
}

/** Replaces placeholders by the world's secrets, and by texts that are too long for a report. */
function fillIn(text: string, words: Record<Word, string>): string {
  return WORDS.reduce(
    (filled, word) =>
      filled
        .replaceAll(`{${word}}`, words[word])
        .replaceAll(new RegExp(`\\{${word}\\^(\\d+)\\}`, 'g'), (_, bit) => flipBit(words[word], Number(bit))),
    text,
  ).replaceAll(/\{a\*(\d+)\}/g, (_, times) => 'a'.repeat(Number(times)));
}

/** The same base64url with one bit of the decoded bytes flipped. */
function flipBit(word: string, bit: number): string {
  const bytes = Buffer.from(word, 'base64url');
  const at = (bit >> 3) % bytes.length;
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
  return bytes.toString('base64url');
}

function framingHeaders({ text, framing }: Body): string[] {
  const length = `Content-Length: ${Buffer.byteLength(text)}`;
  const chunked = 'Transfer-Encoding: chunked';
  return { none: [], length: [length], chunked: [chunked], both: [length, chunked] }[framing];
}

function writeBody({ text, framing }: Body): string {
  if (framing === 'none' || framing === 'length') return text;
  const chunk = text === '' ? '' : `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  return `${chunk}0\r\n\r\n`;
}
