// What the proof of the CDN reads and writes: a few teams whose products have pages, feeds and some domains.

/** A URL as a client sees it: through which host, and what. */
export type Target = Readonly<{ host: string; path: string }>;

export const HOST = 'changelog.example';
const TEAMS = ['acme', 'moon', 'mars', 'gone'] as const;
const PRODUCTS = ['rocket', 'engine', 'lander', 'suit', 'radio'] as const;
const VERSIONS = ['1.0.0', '1.1.0', '2.0.0', '2.1.0'];

export const domainOf = (team: string) => `changes.${team}.example`;
export const versionId = (team: string, product: string, label: string) =>
  `ver_${team}_${product}_${label.replaceAll('.', '_')}`;

export const documentOf = (team: string) => ({
  team: { slug: team, name: team, visibility: 'public' },
  products: PRODUCTS.map((product) => ({
    slug: product,
    name: product,
    status: 'published',
    ...(product === 'rocket' ? { domain: domainOf(team) } : {}),
    changelog: {
      id: `cl_${team}_${product}`,
      status: 'published',
      versions: VERSIONS.map((version, index) => ({
        id: versionId(team, product, version),
        version,
        title: `${product} ${version}`,
        status: 'published',
        publishedAt: `2026-0${index + 1}-04T09:00:00.000Z`,
        changes: [{ type: 'added', text: `${product} ${version} flies.` }],
      })),
    },
  })),
});
export const DOCUMENTS = TEAMS.map(documentOf);

const PUBLIC = '/api/v1/public/teams';
const own = (path: string): Target => ({ host: HOST, path });
export const feedOf = (team: string, product: string) =>
  own(`${PUBLIC}/${team}/products/${product}/changelog`);
export const versionOf = (team: string, product: string) =>
  own(`${PUBLIC}/${team}/products/${product}/changelog/versions/2.0.0`);
export const teamOf = (team: string) => own(`/changelog/${team}`);
export const homeOf = (team: string): Target => ({ host: domainOf(team), path: '/' });

const LISTS = ['/', '/index.md', '/sitemap.xml', '/llms.txt'].map(own);
const listsOf = (team: string) => [
  teamOf(team),
  own(`/changelog/${team}.md`),
  own(`${PUBLIC}/${team}/versions`),
  own(`${PUBLIC}/${team}/products`),
  own(`${PUBLIC}/${team}/feed.atom`),
];
const readsOf = (team: string, product: string) => [
  own(`/changelog/${team}/${product}`),
  feedOf(team, product),
  own(`${PUBLIC}/${team}/products/${product}/changelog/feed.atom`),
  own(`${PUBLIC}/${team}/products/${product}/changelog/latest.txt`),
  own(`/changelog/${team}/${product}/versions/2.0.0`),
  versionOf(team, product),
];

export const WRITTEN = { teams: ['acme', 'moon'], products: ['rocket', 'engine'] } as const;
export const RENAMED = '-renamed';

/** What is read all the time: everything that a write may change, also under the names that it gives. */
export const WATCHED: readonly Target[] = [
  ...LISTS,
  ...WRITTEN.teams.flatMap((team) => [
    ...listsOf(team),
    teamOf(team + RENAMED),
    feedOf(team + RENAMED, 'rocket'),
    homeOf(team),
    { host: domainOf(team), path: '/feed.atom' },
    ...WRITTEN.products.flatMap((product) => [...readsOf(team, product), feedOf(team, product + RENAMED)]),
  ]),
  teamOf('gone'),
  feedOf('gone', 'rocket'),
];

/** What people and programs read on a day, the most popular first. */
export const POPULAR: readonly Target[] = [
  ...PRODUCTS.flatMap((product) => TEAMS.map((team) => feedOf(team, product))),
  ...LISTS,
  ...TEAMS.flatMap(listsOf),
  ...TEAMS.map(homeOf),
  ...PRODUCTS.flatMap((product) =>
    TEAMS.flatMap((team) => [
      ...readsOf(team, product),
      ...['badge.svg', 'feed.rss', 'feed.json', 'CHANGELOG.md'].map((name) =>
        own(`${feedOf(team, product).path}/${name}`),
      ),
      ...VERSIONS.map((version) => own(`/changelog/${team}/${product}/versions/${version}`)),
    ]),
  ),
];
