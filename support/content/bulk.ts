// A content document with many versions, in both formats.
import { writeFileSync } from 'node:fs';
import type { DocumentFormat } from '../../src/content/write.ts';

type BulkVersion = ReturnType<typeof bulkVersion>;

const TYPES = ['added', 'changed', 'fixed'];

/** A version with ids, as in an export; each is slightly different, and the first is the newest. */
export function bulkVersion(index: number, count: number) {
  const number = count - index;
  const id = (prefix: string, part: number) =>
    `${prefix}_${(number * 10 + part).toString(16).padStart(32, '0')}`;
  return {
    id: id('ver', 0),
    version: `${Math.floor(number / 1000)}.${Math.floor(number / 10) % 100}.${number % 10}`,
    title: `Release number ${number}`,
    status: 'published',
    publishedAt: new Date(Date.UTC(2000, 0, 1) + number * 60_000).toISOString(),
    description: `What is new in release ${number}: it starts sooner.`,
    yanked: false,
    changes: [1, 2].map((part) => ({
      id: id('chg', part),
      type: TYPES[(number + part) % TYPES.length] as string,
      text: `The *${part}. change* of release ${number}, which says in a sentence what is other than before.`,
      breaking: false,
    })),
  };
}

const TEAM = { slug: 'bulk', name: 'Bulk', visibility: 'public', plan: 'paid' };
const PRODUCT = { slug: 'rocket', name: 'Rocket', status: 'published' };
const CHANGELOG = { id: 'cl_bulk', name: 'Rocket changelog', status: 'published' };

/** Returns its size in bytes. */
export function writeBulkDocument(file: string, count: number, format: DocumentFormat): number {
  const versions = Array.from({ length: count }, (_, index) => bulkVersion(index, count));
  const [head, tail] = format === 'json' ? jsonFrame() : [yamlHead(), ''];
  const items =
    format === 'json'
      ? versions.map((version) => JSON.stringify(version)).join(',\n')
      : versions.map(yamlItem).join('');
  const bytes = Buffer.from(`${head}${items}${tail}`);
  writeFileSync(file, bytes);
  return bytes.length;
}

function jsonFrame(): [string, string] {
  const document = { team: TEAM, products: [{ ...PRODUCT, changelog: { ...CHANGELOG, versions: [] } }] };
  const text = JSON.stringify(document);
  const split = text.indexOf('"versions":[') + '"versions":['.length;
  return [`${text.slice(0, split)}\n`, `\n${text.slice(split)}\n`];
}

const fields = (indent: string, record: object) =>
  Object.entries(record)
    .map(([key, value]) => `${indent}${key}: ${value}\n`)
    .join('');

function yamlHead(): string {
  return [
    `team:\n${fields('  ', TEAM)}products:\n`,
    fields('    ', PRODUCT).replace(/^ {4}/, '  - '),
    `    changelog:\n${fields('      ', CHANGELOG)}      versions:\n`,
  ].join('');
}

function yamlItem({ changes, ...version }: BulkVersion): string {
  const quoted = { ...version, description: JSON.stringify(version.description) };
  const items = changes.map((change) =>
    fields(' '.repeat(14), change).replace(/^ {14}/, ' '.repeat(12).concat('- ')),
  );
  return `${fields(' '.repeat(10), quoted).replace(/^ {10}/, '        - ')}          changes:\n${items.join('')}`;
}
