// A team with many products of the usual size and a large one.

/** Together, the versions of a full run are 40,000. */
export type WorldSize = Readonly<{ products: number; largeVersions: number }>;
export const FULL_SIZE: WorldSize = { products: 1_000, largeVersions: 20_000 };

export const VERSIONS_A_PRODUCT = 20;
export const FIRST_DAY = Date.UTC(2005, 0, 1);
export const DAY_MS = 86_400_000;
const CHANGES_A_VERSION = 4;
/** One in this many versions has a text that is too long to be rendered at once. */
const LONG_EVERY = 50;
const TYPES = ['added', 'changed', 'fixed', 'removed', 'security'];

const TEAM = { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' };

export function contentOf({ products, largeVersions }: WorldSize) {
  const usual = Array.from({ length: products }, (_, number) => productOf(`product-${number}`));
  return { team: TEAM, products: [productOf('large', largeVersions), ...usual] };
}

/** A document that changes one product, each time in another way. */
export function writeOf(number: number, { products }: WorldSize) {
  const product = productOf(`product-${number % products}`);
  return { team: TEAM, products: [{ ...product, name: `Product after ${number} writes` }] };
}

function productOf(slug: string, versions = VERSIONS_A_PRODUCT) {
  return {
    slug,
    name: `Product ${slug}`,
    status: 'published',
    changelog: {
      status: 'published',
      versions: Array.from({ length: versions }, (_, number) => versionOf(slug, number)),
    },
  };
}

function versionOf(slug: string, number: number) {
  return {
    version: `1.${number}.0`,
    title: `Release ${number} – faster launches`,
    status: 'published',
    publishedAt: new Date(FIRST_DAY + number * DAY_MS).toISOString(),
    description: `What is new in ${slug} ${number}: it *starts* sooner.`,
    changes: Array.from({ length: CHANGES_A_VERSION }, (_, index) => ({
      type: TYPES[(number + index) % TYPES.length],
      text: textOf(slug, number, index),
    })),
  };
}

function textOf(slug: string, number: number, index: number): string {
  const text = `Change ${index} of ${slug} ${number}: *launches* with \`many targets\` are faster, see [#${number}](https://example.com/${slug}/${number}).`;
  return index === 0 && number % LONG_EVERY === 0 ? `${text}\n\n`.repeat(20) : text;
}
