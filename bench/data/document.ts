// A content document of many versions, and the same content as objects.
import { writeFileSync } from 'node:fs';
import { CHANGES_A_VERSION, TEAM } from './datasets.ts';

export type DocumentFormat = 'json' | 'yaml';

const VERSIONS_A_PRODUCT = 20;

export function writeDocument(file: string, versions: number, format: DocumentFormat): void {
  const parts = format === 'json' ? asJson(versions) : asYaml(versions);
  writeFileSync(file, [...parts].join(''));
}

const TEAM_FIELDS = { slug: TEAM, name: 'Bench', visibility: 'public', plan: 'paid' };

function* asJson(versions: number): Generator<string> {
  yield `{"team":${JSON.stringify(TEAM_FIELDS)},"products":[`;
  for (const product of products(versions))
    yield `${product.number === 1 ? '' : ','}\n${JSON.stringify(product.fields)}`;
  yield '\n]}\n';
}

/** In block style, as people and `export` write it. */
function* asYaml(versions: number): Generator<string> {
  yield `team:\n${Object.entries(TEAM_FIELDS)
    .map(([name, value]) => `  ${name}: ${value}\n`)
    .join('')}products:\n`;
  for (const { fields } of products(versions)) {
    const { slug, name, status, changelog } = fields;
    yield `  - slug: ${slug}\n    name: ${name}\n    status: ${status}\n    changelog:\n      status: ${changelog.status}\n      versions:\n`;
    for (const { version, title, publishedAt, description, changes } of changelog.versions) {
      yield `        - version: ${version}\n          title: ${title}\n          status: published\n          publishedAt: ${publishedAt}\n          description: ${description}\n          changes:\n`;
      for (const { type, text } of changes)
        yield `            - type: ${type}\n              text: ${text}\n`;
    }
  }
}

type Product = ReturnType<typeof productOf>;

export function* products(versions: number): Generator<Product> {
  for (let number = 1; number <= Math.ceil(versions / VERSIONS_A_PRODUCT); number++) {
    const left = versions - (number - 1) * VERSIONS_A_PRODUCT;
    yield productOf(number, Math.min(VERSIONS_A_PRODUCT, left));
  }
}

function productOf(number: number, versions: number) {
  return {
    number,
    fields: {
      slug: `product-${number}`,
      name: `Product ${number}`,
      status: 'published',
      changelog: {
        status: 'published',
        versions: Array.from({ length: versions }, (_, index) => versionOf(index)),
      },
    },
  };
}

function versionOf(index: number) {
  return {
    version: `1.${index}.0`,
    title: `What is new in 1.${index}`,
    status: 'published',
    publishedAt: new Date(Date.UTC(2026, 0, 1 + index, 9)).toISOString(),
    description: `Everything that has changed in 1.${index}, with *thanks* to all who took part.`,
    changes: Array.from({ length: CHANGES_A_VERSION }, (_, change) => ({
      type: 'added',
      text: `A change that is told of in one line, number ${change} of 1.${index}, in **Markdown**.`,
    })),
  };
}
