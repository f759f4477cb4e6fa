// Records are sent as the presenters make them: with exactly the fields of their schemas, in that order.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  presentChangelog,
  presentProducts,
  presentRange,
  presentTimeline,
  presentVersion,
} from '../../src/present/changelog.ts';
import { serverLinks } from '../../src/present/links.ts';
import { jsonFeed, writeItem } from '../../src/present/outputs/json-feed.ts';
import records from '../../src/present/records.json' with { type: 'json' };
import { renderAtOnce } from '../../src/text/parse.ts';

type Node = {
  $ref?: string;
  type?: unknown;
  anyOf?: unknown;
  properties?: Record<string, Node>;
  items?: Node;
};
const SCHEMAS: Readonly<Record<string, Node>> = records;

/** The names of all fields, in order. */
function fieldsOf(schema: Node = {}): unknown {
  if (schema.$ref) return fieldsOf(SCHEMAS[schema.$ref.split('/').at(-1) ?? '']);
  if (schema.items) return [fieldsOf(schema.items)];
  if (!schema.properties) return null;
  return Object.entries(schema.properties).map(([name, inner]) => [name, fieldsOf(inner)]);
}

function fieldsIn(record: unknown): unknown {
  if (Array.isArray(record)) return typeof record[0] === 'object' ? record.map(fieldsIn) : [null];
  if (typeof record !== 'object' || record === null) return null;
  return Object.entries(record).map(([name, value]) => [name, fieldsIn(value)]);
}

const secret = 'not in any schema';
const head = {
  teamId: 1,
  productId: 1,
  teamSlug: 'acme',
  teamName: 'Acme',
  productSlug: 'rocket',
  productName: 'Rocket',
  changelogId: 'cl_1',
  changelogName: 'Rocket changelog',
  changelogStatus: 'published',
  homeUrl: null,
  linkBase: null,
  repositoryUrl: null,
  logo: null,
  image: null,
  accent: null,
  domain: null,
  language: 'en',
  secret,
} as const;
const change = { id: 'chg_1', type: 'added', text: 'New', breaking: 0, position: 1, secret } as const;
const version = {
  id: 'ver_1',
  label: '1.0.0',
  title: 'First',
  status: 'published',
  publishedAt: '2026-05-04T09:00:00.000Z',
  changeCount: 1,
  sortKey: 'a',
  description: null,
  yanked: 0,
  updatedAt: '2026-05-04T09:00:00.000Z',
  compareUrl: 'https://a.example/compare/1...2',
  image: 'https://a.example/2.png',
  changes: [change],
  secret,
} as const;

describe('schemas', () => {
  it('a field of several records of a version or a change is the same in each', () => {
    for (const names of [
      ['VersionSummary', 'LatestVersion', 'TimelineVersion', 'Version', 'RangeVersion'],
      ['Change', 'RangeChange'],
    ]) {
      const fields = names.flatMap((name) => Object.entries(SCHEMAS[name]?.properties ?? {}));
      const schemas = Map.groupBy(fields, ([field]) => field);
      for (const [field, same] of schemas)
        for (const [, schema] of same) assert.deepEqual(schema, same[0]?.[1], field);
      assert.ok(schemas.size < fields.length);
    }
  });
});

describe('presented records', () => {
  it('a changelog has the fields of its schema, in that order', () => {
    const record = presentChangelog({ head, versions: [version] });
    assert.deepEqual(fieldsIn(record), fieldsOf(SCHEMAS.ChangelogEnvelope));
  });

  it('a version has the fields of its schema, in that order', async () => {
    const record = await presentVersion(head, version, renderAtOnce);
    assert.deepEqual(fieldsIn(record), fieldsOf(SCHEMAS.Version));
  });

  it('a version without links or image has no such field', async () => {
    const bare = { ...version, compareUrl: null, image: null };
    const all = fieldsOf(SCHEMAS.Version) as [string, unknown][];
    assert.deepEqual(
      fieldsIn(await presentVersion(head, bare, renderAtOnce)),
      all.filter(([name]) => name !== 'links' && name !== 'image'),
    );
  });

  it('a range and its changes have the fields of their schemas, in that order', async () => {
    const full = await presentVersion(head, version, renderAtOnce);
    const data = presentRange(head, { from: null, to: null }, [full]);
    assert.deepEqual(fieldsIn(data.groups[0]?.changes[0]), fieldsOf(SCHEMAS.RangeChange));
    assert.deepEqual(fieldsIn({ data }), fieldsOf(SCHEMAS.RangeEnvelope));
  });

  it('a timeline and a list of products have the fields of their schemas, in that order', () => {
    const team = { slug: 'acme', name: 'Acme' };
    const timeline = presentTimeline({ team, versions: [{ ...version, head }] });
    assert.deepEqual(fieldsIn(timeline), fieldsOf(SCHEMAS.TimelineEnvelope));
    const products = presentProducts(
      { team, products: [{ ...head, newest: version }] },
      serverLinks('http://a'),
    );
    const [product] = products.data.products;
    assert.deepEqual(
      fieldsIn({ data: { ...products.data, products: [{ ...product, latest: null }] } }),
      fieldsOf(SCHEMAS.ProductsEnvelope),
    );
    assert.deepEqual(fieldsIn(product?.latest), fieldsOf(SCHEMAS.LatestVersion));
  });

  it('a JSON feed has the fields of its schema, in that order', () => {
    const entry = {
      id: 'urn:1',
      url: 'https://example.com/1',
      title: 'First',
      publishedAt: '2026-05-04T09:00:00.000Z',
      updatedAt: '2026-05-04T09:00:00.000Z',
      tags: ['added'],
      html: '<p>New</p>',
      image: 'https://example.com/1.png',
      product: { name: 'Rocket', language: 'en', xmlBase: null, secret },
      secret,
    } as unknown as Parameters<typeof writeItem>[0];
    const info = {
      title: 'Rocket changelog',
      description: 'Versions',
      pageUrl: 'https://example.com',
      language: 'en',
      url: 'https://example.com/feed.json',
      author: 'Acme',
      logo: 'https://example.com/logo.png',
      hubs: ['https://hub.example/'],
      secret,
    } as unknown as Parameters<typeof jsonFeed.frame>[0];
    const { start, end } = jsonFeed.frame(info);
    assert.deepEqual(fieldsIn(JSON.parse(start + writeItem(entry) + end)), fieldsOf(SCHEMAS.JsonFeed));
  });
});
