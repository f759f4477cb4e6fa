// The content of the benchmark databases, and the SQL that inserts it on both engines.

/** Products `slug-1`, `slug-2` and so on, with `versions` versions each. */
export type Block = Readonly<{ slug: string; products: number; versions: number }>;
export type Dataset = readonly Block[];

export const TEAM = 'bench';
export const CHANGES_A_VERSION = 3;
const VERSIONS_A_PRODUCT = 20;

/** The content of hot reads. */
export const HOT: Dataset = [
  { slug: 'hot', products: 10, versions: VERSIONS_A_PRODUCT },
  { slug: 'large', products: 1, versions: 1_000 },
];

/** The same content among many other products. */
export function hotAmong(products: number): Dataset {
  const own = HOT.reduce((sum, block) => sum + block.products, 0);
  return [...HOT, { slug: 'other', products: products - own, versions: 1 }];
}

/** `versions` versions in total. Ten are fewer than a product normally has. */
export function coldOf(versions: number): Dataset {
  const each = Math.min(VERSIONS_A_PRODUCT, versions);
  return [{ slug: 'cold', products: versions / each, versions: each }];
}

export const feedPath = (slug: string, product: number, surface = '/public') =>
  `/api/v1${surface}/teams/${TEAM}/products/${slug}-${product}/changelog`;

export const versionPath = (block: Block, product: number, version: number, before: Dataset = []) =>
  `${feedPath(block.slug, product)}/versions/${versionId(versionsIn(before) + numberIn(block, product, version))}`;

/** Versions are numbered as in a growing database: one of each product after the other. */
const numberIn = ({ products }: Block, product: number, version: number) =>
  (version - 1) * products + product;

const versionsIn = (dataset: Dataset) =>
  dataset.reduce((sum, { products, versions }) => sum + products * versions, 0);

/** As long as the program's ids. They ascend, as ids did in older databases. */
const ID_START = '018f00000000700080000';
const NUMBERS_START = 100_000_000_000;
const versionId = (number: number) => `ver_${ID_START}${String(NUMBERS_START + number).slice(1)}`;
const idOf = (prefix: string, number: string) =>
  `'${prefix}_${ID_START}' || substr(cast(${NUMBERS_START} + ${number} as text), 2)`;
const twoDigits = (number: string) => `substr(cast(100 + ${number} as text), 2)`;

/** Published when all is there, so that a trigger indexes everything at once. */
export const PUBLISH = `update changelogs set status = 'published'`;

/** Statements for an empty database, for one transaction: changes come before their version, which then counts them once. */
export function fillStatements(dataset: Dataset): string[] {
  const statements = [
    `insert into teams (id, slug, name, visibility, plan) values (1, '${TEAM}', 'Bench', 'public', 'paid')`,
  ];
  let products = 0;
  let versions = 0;
  for (const block of dataset) {
    statements.push(...fillBlock(block, products, versions));
    products += block.products;
    versions += block.products * block.versions;
  }
  return [...statements, PUBLISH];
}

function fillBlock(
  { slug, products, versions }: Block,
  productsBefore: number,
  versionsBefore: number,
): string[] {
  const numbers = (count: number) =>
    `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`;
  const product = `${productsBefore} + (n - 1) % ${products} + 1`;
  const version = `((n - 1) / ${products} + 1)`;
  const day = `(2020 + ${version} / 336) || '-' || ${twoDigits(`${version} / 28 % 12 + 1`)} || '-' || ${twoDigits(`${version} % 28 + 1`)}`;
  const all = products * versions;
  return [
    `insert into products (id, team_id, slug, name, status) ${numbers(products)}
       select ${productsBefore} + n, 1, '${slug}-' || n, 'Product ' || n, 'published' from numbers`,
    `insert into changelogs (id, product_id, name, status) ${numbers(products)}
       select ${idOf('cl', `${productsBefore} + n`)}, ${productsBefore} + n, 'Changelog ' || n, 'draft' from numbers`,
    `insert into changes (id, version_id, position, type, text, breaking) ${numbers(all * CHANGES_A_VERSION)}
       select ${idOf('chg', `${versionsBefore * CHANGES_A_VERSION} + n`)},
         ${idOf('ver', `${versionsBefore} + (n - 1) / ${CHANGES_A_VERSION} + 1`)}, n % ${CHANGES_A_VERSION}, 'added',
         'A change that is told of in one line, number ' || n || ', in **Markdown**.', 0 from numbers`,
    `insert into versions (id, changelog_id, label, title, status, published_at, description, yanked, created_order)
       ${numbers(all)}
       select ${idOf('ver', `${versionsBefore} + n`)}, ${idOf('cl', product)}, '1.' || ${version} || '.0',
         'What is new in 1.' || ${version}, 'published', ${day} || 'T09:00:00.000Z',
         'Everything that has changed in 1.' || ${version} || ', with *thanks* to all who took part.', 0, ${version}
       from numbers`,
  ];
}
