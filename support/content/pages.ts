// The pages of the world of `world.ts`, and what must look nonexistent among them.
export const PRODUCT_PAGE = '/changelog/acme/rocket';
export const VERSION_PAGE = `${PRODUCT_PAGE}/versions/2.1.0`;
export const CHANGES_PAGE = `${PRODUCT_PAGE}/changes`;

/** Every kind of page, and of document beside them, with `LISTING=all`. */
export const PAGES = [
  '/',
  '/changelog/acme',
  PRODUCT_PAGE,
  VERSION_PAGE,
  CHANGES_PAGE,
  '/index.md',
  '/changelog/acme.md',
  `${PRODUCT_PAGE}.md`,
  `${VERSION_PAGE}.md`,
  `${CHANGES_PAGE}.md`,
] as const;

/** Lists for programs, with `LISTING=all`. */
export const LISTS = ['/sitemap.xml', '/llms.txt'] as const;

export const MALFORMED_PAGES = [
  '/changelog/',
  '/changelog/%ff',
  '/changelog/acme%2Frocket',
  '/changelog/acme//rocket',
  '/changelog/acme/rocket/',
  '/changelog/acme/%00',
  '/changelog/acme/rocket/versions/',
  '/changelog/acme/rocket/versions%2Fa',
  `/changelog/acme/${'a'.repeat(129)}`,
  '/%63hangelog/%zz',
  '/acme/rocket/releases/tag/%ff',
  '/acme/rocket/releases/tag/',
  '/acme/rocket/compare/1.0.0...%00',
];

export const UNKNOWN_PAGES = [
  '/changelog',
  '/changelog/ACME',
  '/changelog/-',
  '/changelog/nobody',
  '/changelog/nobody.md',
  '/changelog/nobody/llms.txt',
  '/changelog/.md',
  '/changelog/acme.md.md',
  '/changelog/nobody/nothing',
  '/changelog/acme/nothing',
  '/changelog/acme/nothing.md',
  '/changelog/acme/.md',
  '/changelog/acme/rocket.md/changes',
  '/changelog/acme/rocket/nothing',
  '/changelog/acme/rocket/versions',
  '/changelog/acme/rocket/versions/9.9.9',
  '/changelog/acme/rocket/versions/a%2Fb',
  '/changelog/acme/rocket/versions/9.9.9.md',
  '/changelog/acme/rocket/versions/.md',
  '/changelog/acme/rocket/versions/2.1.0.md.md',
  '/changelog/acme/rocket/versions/ver_none',
  '/changelog/acme/rocket/changes/x',
  '/acme/rocket/releases/tag/9.9.9',
  '/acme/rocket/compare/1.0.0...9.9.9',
];

/** Private teams, drafts, locked ones: none of them may differ from what does not exist. */
export const HIDDEN_PAGES = [
  '/changelog/vault',
  '/changelog/vault.md',
  '/changelog/vault/llms.txt',
  ...['vault/rocket', 'acme/secret', 'acme/frozen', 'acme/quiet', 'acme/still', 'acme/bare'].flatMap((path) =>
    [
      ...['', '?q=hush', '?limit=1', '/changes', '/versions/latest', '/versions/1.0.0'],
      ...['.md', '.md?q=hush', '/changes.md', '/versions/latest.md', '/versions/1.0.0.md'],
    ].map((below) => `/changelog/${path}${below}`),
  ),
  ...['3.0.0', 'v3.0.0', 'ver_300', 'ver_vault', '3.0.0.md', 'ver_300.md'].map(
    (name) => `${PRODUCT_PAGE}/versions/${name}`,
  ),
  ...['vault/rocket', 'acme/secret', 'acme/still'].flatMap((path) =>
    ['', '/releases', '/releases/latest', '/releases/tag/1.0.0'].map((below) => `/${path}${below}`),
  ),
  ...['acme/rocket/releases/tag/3.0.0', 'acme/rocket/compare/1.0.0...3.0.0'].map((path) => `/${path}`),
];
