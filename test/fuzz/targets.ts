// Request targets: the real addresses of the world, and what is nearly one.
import fc from 'fast-check';

const ADDRESSES = [
  { team: 'open', product: 'site', versions: ['ver_site1', 'ver_site2', 'ver_hm-open-site'] },
  { team: 'open', product: 'quiet', versions: ['ver_hm-open-quiet'] },
  { team: 'open', product: 'hm-open-draft', versions: ['ver_hm-open-draft'] },
  { team: 'open', product: 'hm-open-locked', versions: ['ver_hm-open-locked'] },
  { team: 'open', product: 'hm-open-early', versions: ['ver_hm-open-early'] },
  { team: 'open', product: 'hm-open-frozen', versions: ['ver_hm-open-frozen'] },
  { team: 'open', product: 'hm-open-bare', versions: [] },
  { team: 'hm-closed-team', product: 'hm-closed-site', versions: ['ver_hm-closed-site'] },
  { team: 'nobody', product: 'nothing', versions: ['ver_nothing', 'latest', '1.0.0'] },
];

type Segments = readonly string[];

const surface = fc.constantFrom(['public', 'teams'], ['teams']);

function segmentsOf(on: Segments, team: string, product: string, version: string | null): Segments {
  const below = version === null ? [] : ['versions', version];
  return ['api', 'v1', ...on, team, 'products', product, 'changelog', ...below];
}

/** Addresses of what there is. */
const realRoute: fc.Arbitrary<Segments> = fc
  .tuple(surface, fc.constantFrom(...ADDRESSES), fc.nat(3))
  .map(([on, { team, product, versions }, nth]) => segmentsOf(on, team, product, versions[nth] ?? null));

/** The same parts, thrown together. */
const mixedRoute: fc.Arbitrary<Segments> = fc
  .tuple(
    surface,
    fc.constantFrom(...ADDRESSES.map(({ team }) => team)),
    fc.constantFrom(...ADDRESSES.map(({ product }) => product)),
    fc.option(fc.constantFrom(...ADDRESSES.flatMap(({ versions }) => versions))),
  )
  .map((parts) => segmentsOf(...parts));

const route = fc.oneof({ weight: 2, arbitrary: realRoute }, { weight: 1, arbitrary: mixedRoute });

const SPOILS = {
  upperCase: (segment: string) => segment.toUpperCase(),
  encoded: (segment: string) =>
    [...Buffer.from(segment)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  encodedTwice: (segment: string) => `%25${segment.charCodeAt(0).toString(16)}${segment.slice(1)}`,
  invalidUtf8: (segment: string) => `${segment}%ff%c3`,
  overlongUtf8: (segment: string) => `%c0%ae${segment}`,
  halfSurrogate: (segment: string) => `${segment}%ed%a0%80`,
  brokenEscape: (segment: string) => `${segment}%zz`,
  cutEscape: (segment: string) => `${segment}%2`,
  encodedSlash: (segment: string) => `${segment}%2Fsite`,
  backslash: (segment: string) => `${segment}\\..`,
  nul: (segment: string) => `${segment}%00`,
  lineBreak: (segment: string) => `${segment}%0d%0aX-Injected:%201`,
  doubledSlash: (segment: string) => `/${segment}`,
  trailingSlash: (segment: string) => `${segment}/`,
  dot: (segment: string) => `./${segment}`,
  dotDot: (segment: string) => `x/../${segment}`,
  encodedDotDot: (segment: string) => `%2e%2e/${segment}`,
  parameters: (segment: string) => `${segment};v=1`,
  quote: (segment: string) => `${segment}'--`,
  unicode: (segment: string) => `${segment}é🚀`,
  colon: (segment: string) => `:${segment}`,
  wildcard: () => '*',
  prototype: () => '__proto__',
  long: (segment: string) => segment.padEnd(129, 'a'),
  nothing: () => '',
} satisfies Record<string, (segment: string) => string>;

type Spoil = { how: keyof typeof SPOILS; at: number };

const spoil: fc.Arbitrary<Spoil> = fc.record({
  how: fc.constantFrom(...(Object.keys(SPOILS) as (keyof typeof SPOILS)[])),
  at: fc.nat(9),
});

const spoiltRoute: fc.Arbitrary<Segments> = fc
  .tuple(route, fc.array(spoil, { minLength: 1, maxLength: 3 }))
  .map(([segments, spoils]) => spoils.reduce(spoilOne, segments));

function spoilOne(segments: Segments, { how, at }: Spoil): Segments {
  const index = at % segments.length;
  return segments.with(index, SPOILS[how](segments[index] ?? ''));
}

const QUERIES = [
  '?',
  '?limit=1',
  '?limit=-1&limit=x',
  '?cursor=%00',
  '?since=never',
  '?q=%ff',
  '?type=added&type=nothing',
  '?include=changes',
  '?authorization=Bearer%20{openFull}&api_key={openFull}',
  '?__proto__[x]=1',
  '?/../../x',
  '#fragment',
];

const query = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  { weight: 2, arbitrary: fc.constantFrom(...QUERIES) },
  { weight: 1, arbitrary: fc.webQueryParameters().map((text) => `?${text}`) },
);

const origin = fc.oneof(
  { weight: 12, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'http://test',
      'HTTPS://user:secret@test:1',
      'http://',
      'ftp://test',
      '//test',
    ),
  },
);

const ODD_TARGETS = [
  '*',
  '/',
  '//',
  '/%',
  '/api',
  '/api/',
  '/api/v1/public',
  '/api/openapi.json',
  '/API/v1',
  '/docs',
  '/livez',
  '/metrics',
  '/favicon.ico',
  'test:443',
  'http://test',
  '?',
];

const oddTarget = fc.oneof(
  fc.constantFrom(...ODD_TARGETS),
  fc.webPath().map((path) => `/${path}`),
  fc.string({ unit: fc.constantFrom(...'abz09/%.-_~:;@&=+$,!()[]{}|^`"<>\\é'), minLength: 1, maxLength: 30 }),
);

/** Around the limits: a segment of 128, a target of 8,000, headers of 16,384. */
const longTarget = fc
  .tuple(route, fc.constantFrom(100, 128, 4_000, 7_900, 8_000, 12_000, 16_300, 20_000), fc.boolean())
  .map(([segments, length, inQuery]) => `${pathOf(segments)}${inQuery ? '?' : '/'}{a*${length}}`);

const path = fc.oneof({ weight: 5, arbitrary: route }, { weight: 4, arbitrary: spoiltRoute }).map(pathOf);

export const realTarget = realRoute.map(pathOf);

export const target: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.tuple(origin, path, query).map((parts) => parts.join('')),
  },
  { weight: 2, arbitrary: oddTarget },
  { weight: 1, arbitrary: longTarget },
);

function pathOf(segments: Segments): string {
  return `/${segments.join('/')}`;
}

/** The decoded beginnings of a target, read apart from the way in which the server reads them. */
export function leadingSegments(target: string): (string | null)[] {
  const [path = ''] = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/);
  return path.split('/').slice(1, 4).map(decoded);
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
