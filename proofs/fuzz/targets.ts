// Request targets: real paths of the world, and nearly real ones.
import fc from 'fast-check';
import { alteredCursor, validQuery, wildQuery } from './queries.ts';

/** Every page of a product or of a team is below it. */
export const PAGES = 'changelog';

const ADDRESSES = [
  { team: 'open', product: 'site', versions: ['ver_site1', 'ver_site2', 'ver_hm-open-site'] },
  { team: 'open', product: 'quiet', versions: ['ver_hm-open-quiet'] },
  { team: 'open', product: 'hm-open-draft', versions: ['ver_hm-open-draft'] },
  { team: 'open', product: 'hm-open-locked', versions: ['ver_hm-open-locked'] },
  { team: 'open', product: 'hm-open-early', versions: ['ver_hm-open-early'] },
  { team: 'open', product: 'hm-open-frozen', versions: ['ver_hm-open-frozen'] },
  { team: 'open', product: 'hm-open-bare', versions: [] },
  { team: 'hm-closed-team', product: 'hm-closed-site', versions: ['ver_hm-closed-site'] },
  { team: 'nobody', product: 'nothing', versions: ['ver_nothing'] },
];
/** Other names of versions, and other resources of a changelog. */
const NAMES = [
  'latest',
  '1.0.0',
  'v2.0.0',
  '9.9.9',
  'hm-open-site',
  'vhm-open-site',
  'Gr%C3%B6%C3%9Fe',
  'spring%20release',
];
const DOCUMENTS = [
  ...['changes', 'update', 'feed.atom', 'feed.rss', 'feed.json', 'CHANGELOG.md'],
  ...['releases.xml', 'latest.txt', 'badge.json', 'badge.svg'],
];
const FORMS = ['md', 'txt', 'html'];

/** What follows the path of a page of a product. */
const PAGE_DOCUMENTS = ['changes', 'changes.md'];

type Segments = readonly string[];

const surface = fc.constantFrom(['public', 'teams'], ['teams']);

const below: fc.Arbitrary<Segments> = fc.oneof(
  fc.constantFrom(...NAMES).map((name) => ['versions', name]),
  fc.constantFrom(...DOCUMENTS).map((name) => [name]),
  fc.constantFrom(...FORMS).map((form) => [`changes.${form}`]),
  fc
    .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...FORMS))
    .map(([name, form]) => ['versions', name, `notes.${form}`]),
);

function segmentsOf(on: Segments, team: string, product: string, below: Segments): Segments {
  return ['api', 'v1', ...on, team, 'products', product, 'changelog', ...below];
}

const pageBelow: fc.Arbitrary<Segments> = fc.oneof(
  fc.constantFrom(...NAMES).map((name) => ['versions', name]),
  fc.constantFrom(...PAGE_DOCUMENTS).map((name) => [name]),
);

const versionBelow = (id: string | null | undefined): Segments => (id ? ['versions', id] : []);

/** Existing paths. */
const realRoute: fc.Arbitrary<Segments> = fc
  .tuple(surface, fc.constantFrom(...ADDRESSES), fc.nat(3), fc.option(below))
  .map(([on, { team, product, versions }, nth, other]) =>
    segmentsOf(on, team, product, other ?? versionBelow(versions[nth])),
  );

const TEAM_DOCUMENTS = ['versions', 'products', 'feed.atom', 'feed.rss', 'feed.json'];

/** What a team has as a whole. */
const teamRoute: fc.Arbitrary<Segments> = fc
  .tuple(surface, fc.constantFrom(...ADDRESSES), fc.constantFrom(...TEAM_DOCUMENTS))
  .map(([on, { team }, document]) => ['api', 'v1', ...on, team, document]);

/** Existing pages, of products and of teams. */
const realPage: fc.Arbitrary<Segments> = fc
  .tuple(fc.constantFrom(...ADDRESSES), fc.nat(4), fc.option(pageBelow), fc.constantFrom('', '.md'))
  .map(([{ team, product, versions }, nth, other, as]) => {
    const page = nth === 4 ? [team] : [team, product, ...(other ?? versionBelow(versions[nth]))];
    return [PAGES, ...page.slice(0, -1), page.at(-1) + as];
  });

/** What clients of Gitea ask for, by the path of a product: below `repos`, and the links they make. */
const repoBelow: fc.Arbitrary<Segments> = fc.oneof(
  fc.constantFrom(
    [],
    ['releases'],
    ['tags'],
    ['releases', 'latest'],
    ['releases', '4503599627370496'],
    ['contents'],
  ),
  fc
    .tuple(fc.constantFrom(['tags'], ['releases', 'tags']), fc.constantFrom(...NAMES, 'a/b', 'a%2Fb'))
    .map(([kind, name]) => [...kind, name]),
);
const linkBelow: fc.Arbitrary<Segments> = fc.oneof(
  fc.constantFrom([], ['releases'], ['releases', 'latest']),
  fc.constantFrom(...NAMES, 'a/b').map((name) => ['releases', 'tag', name]),
  fc
    .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES))
    .map(([from, to]) => ['compare', `${from}...${to}`]),
);
const repo: fc.Arbitrary<Segments> = fc
  .tuple(fc.constantFrom(...ADDRESSES), repoBelow, fc.option(linkBelow))
  .map(([{ team, product }, below, link]) =>
    link === null ? ['api', 'v1', 'repos', team, product, ...below] : [team, product, ...link],
  );

/** The same segments in random combinations. */
const mixedRoute: fc.Arbitrary<Segments> = fc
  .tuple(
    surface,
    fc.constantFrom(...ADDRESSES.map(({ team }) => team)),
    fc.constantFrom(...ADDRESSES.map(({ product }) => product)),
    fc.oneof(
      fc.option(fc.constantFrom(...ADDRESSES.flatMap(({ versions }) => versions))).map(versionBelow),
      below,
    ),
  )
  .map((parts) => segmentsOf(...parts));

const mixedPage: fc.Arbitrary<Segments> = fc
  .tuple(
    fc.constantFrom(...ADDRESSES.map(({ team }) => team)),
    fc.constantFrom(...ADDRESSES.map(({ product }) => product)),
    fc.oneof(pageBelow, below),
  )
  .map(([team, product, other]) => [PAGES, team, product, ...other]);

const route = fc.oneof(
  { weight: 4, arbitrary: realRoute },
  { weight: 2, arbitrary: mixedRoute },
  { weight: 2, arbitrary: teamRoute },
  { weight: 3, arbitrary: realPage },
  { weight: 1, arbitrary: mixedPage },
  { weight: 2, arbitrary: repo },
);

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
  '?limit=1&limit=1',
  '?LIMIT=x&limit[]=x&limit%00=x',
  '?type[]=added&type%5B0%5D=fixed',
  '?type=added&type=nothing',
  '?authorization=Bearer%20{openFull}&api_key={openFull}',
  '?label=%3Cb%3E&label%00=x',
  '?label=',
  '?__proto__[x]=1',
  '?/../../x',
  '#fragment',
];

const query = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  { weight: 4, arbitrary: wildQuery },
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
  '/api/v1/version',
  '/api/v1/repos',
  '/API/v1',
  '/docs',
  '/livez',
  '/metrics',
  '/favicon.ico',
  '/robots.txt',
  '/widget.js',
  '/widget.js?lang=de',
  '/widget.js?lang=%22',
  '/sitemap.xml',
  '/sitemap.xml?cursor=x',
  '/llms.txt',
  '/changelog',
  '/changelog/',
  '/?cursor=x',
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

const SITE_PAGE = [PAGES, 'open', 'site'];
const SITE = ['api', 'v1', 'public', 'teams', 'open', 'products', 'site', 'changelog'];
const siteOn = fc.constantFrom(SITE, SITE.toSpliced(2, 1), SITE_PAGE).map(pathOf);
const listOf = fc.constantFrom(
  ...['/', '/index.md', '/changelog/open', '/changelog/open.md', '/changelog/open/llms.txt'],
  ...['/sitemap.xml', '/llms.txt'],
);

export const realTarget = fc.oneof(
  { weight: 4, arbitrary: realRoute.map(pathOf) },
  { weight: 3, arbitrary: realPage.map(pathOf) },
  { weight: 2, arbitrary: repo.map(pathOf) },
  {
    weight: 1,
    arbitrary: fc.tuple(listOf, fc.oneof(fc.constant(''), wildQuery)).map((parts) => parts.join('')),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.oneof(realRoute, teamRoute).map(pathOf), validQuery)
      .map((parts) => parts.join('')),
  },
  { weight: 2, arbitrary: fc.tuple(siteOn, fc.oneof(validQuery, wildQuery)).map((parts) => parts.join('')) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(siteOn, fc.constantFrom('changes', 'update'), fc.oneof(validQuery, wildQuery))
      .map(([site, document, query]) => `${site}/${document}${query}`),
  },
  { weight: 1, arbitrary: fc.tuple(siteOn, alteredCursor).map((parts) => parts.join('')) },
);

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

type Place = Readonly<{
  /** The decoded leading segments. */
  leading: readonly (string | null)[];
  /** Does the gate cover it? Pages also have their own errors. */
  part: 'api' | 'pages' | 'lists' | 'open';
}>;

/** Where a target leads, parsed independently of the server's code. */
export function placeOf(target: string): Place {
  const [path = ''] = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/);
  const segments = path.split('/').slice(1).map(decoded);
  const leading = segments.slice(0, 3);
  if (path === '' || path === '/') return { leading, part: 'pages' };
  const [first] = path.startsWith('/') ? segments : [];
  if (first === 'api') return { leading, part: 'api' };
  const isHome = segments.length === 1 && first === 'index.md';
  if (first === PAGES || isHome || isLink(segments)) return { leading, part: 'pages' };
  const isList = segments.length === 1 && ['sitemap.xml', 'llms.txt'].includes(first ?? '');
  return { leading, part: isList ? 'lists' : 'open' };
}

/** A link to a product, a version or a comparison, as clients of Gitea write it. */
function isLink(segments: readonly (string | null)[]): boolean {
  const [, , kind, tag, ...rest] = segments;
  if (kind === 'releases' && tag === 'tag' && rest.length > 0) return true;
  if (kind === 'compare' && tag !== undefined) return true;
  const isProduct = segments.length === 2 || (kind === 'releases' && (tag ?? 'latest') === 'latest');
  return isProduct && segments.length > 1 && rest.length === 0 && segments.every(isName);
}

/** Only the name of a version may have a slash. */
function isName(segment: string | null, index: number, segments: readonly (string | null)[]): boolean {
  if (segment === null || segment === '' || segment.includes('\0') || [...segment].length > 128) return false;
  return !segment.includes('/') || segments[index - 1] === 'versions';
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
