// Records are sent as the presenters make them: with exactly the fields of their schemas, in that order.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Schema } from '../../src/domain/schema.ts';
import { presentChangelog } from '../../src/present/changelog.ts';
import { serverLinks } from '../../src/present/links.ts';
import { JsonFeed, jsonFeed, writeItem } from '../../src/present/outputs/json-feed.ts';
import {
  ChangelogEnvelope,
  LatestVersion,
  ProductsEnvelope,
  RangeChange,
  RangeEnvelope,
  TimelineEnvelope,
  Version,
} from '../../src/present/schemas.ts';
import { presentProducts, presentTimeline } from '../../src/present/team.ts';
import {
  presentRange,
  presentRangeChange,
  presentRangeVersion,
  presentVersion,
} from '../../src/present/version.ts';

type Node = Schema<unknown> & { properties?: Record<string, Node>; items?: Node };

/** The names of all fields, in order. */
function fieldsOf(schema: Node): unknown {
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

const html = { description: null, changes: ['<p>New</p>'] };

describe('presented records', () => {
  it('a changelog has the fields of its schema, in that order', () => {
    const record = presentChangelog({ head, versions: [version] });
    assert.deepEqual(fieldsIn(record), fieldsOf(ChangelogEnvelope as Node));
  });

  it('a version has the fields of its schema, in that order', () => {
    const record = presentVersion({ head, version, changes: [change] }, html);
    assert.deepEqual(fieldsIn(record), fieldsOf(Version as Node));
  });

  it('a version without links or image has no such field', () => {
    const fields = { head, version: { ...version, compareUrl: null, image: null }, changes: [change] };
    const all = fieldsOf(Version as Node) as [string, unknown][];
    assert.deepEqual(
      fieldsIn(presentVersion(fields, html)),
      all.filter(([name]) => name !== 'links' && name !== 'image'),
    );
  });

  it('a range and its changes have the fields of their schemas, in that order', () => {
    const changes = [presentRangeChange(version, change, '<p>New</p>')];
    const { data } = presentRange(head, { from: null, to: null, changeCount: 1 });
    const record = {
      data: { ...data, groups: [{ type: 'added', changes }], versions: [presentRangeVersion(version, null)] },
    };
    assert.deepEqual(fieldsIn(changes[0]), fieldsOf(RangeChange as Node));
    assert.deepEqual(fieldsIn(record), fieldsOf(RangeEnvelope as Node));
  });

  it('a timeline and a list of products have the fields of their schemas, in that order', () => {
    const team = { slug: 'acme', name: 'Acme' };
    const timeline = presentTimeline({ team, versions: [{ ...version, head }] });
    assert.deepEqual(fieldsIn(timeline), fieldsOf(TimelineEnvelope as Node));
    const products = presentProducts(
      { team, products: [{ ...head, newest: version }] },
      serverLinks('http://a'),
    );
    const [product] = products.data.products;
    assert.deepEqual(
      fieldsIn({ data: { ...products.data, products: [{ ...product, latest: null }] } }),
      fieldsOf(ProductsEnvelope as Node),
    );
    assert.deepEqual(fieldsIn(product?.latest), fieldsOf(LatestVersion as Node));
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
    assert.deepEqual(fieldsIn(JSON.parse(start + writeItem(entry) + end)), fieldsOf(JsonFeed as Node));
  });
});
