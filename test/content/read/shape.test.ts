// The check of shapes, compared with a general validator of JSON Schema.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { findShapeProblems } from '../../../src/content/read/shape.ts';
import { ContentDocument, VersionFields } from '../../../src/domain/content/content.ts';

const VERSION = {
  version: '2.1.0',
  title: 'Faster launches',
  status: 'published',
  publishedAt: '2026-05-04',
  description: null,
  links: { compare: 'https://rocket.example/compare' },
  yanked: false,
  changes: [{ type: 'added', text: 'A countdown.', breaking: true }],
};
const DOCUMENT = {
  team: { slug: 'acme', name: 'Acme' },
  products: [
    { slug: 'rocket', name: 'Rocket', accent: '#fff', changelog: { language: 'en', versions: [VERSION] } },
  ],
};

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, true, 0, 1.5, '', ' ', '\n', [], {}, [[]], { toString: 1 }),
  fc.constantFrom(
    'draft',
    'added',
    'x'.repeat(129),
    '🚀'.repeat(128),
    '🚀'.repeat(129),
    '🚀'.repeat(200),
    '🚀'.repeat(201),
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const name = fc.constantFrom(
  'version',
  'title',
  'status',
  'changes',
  'type',
  'text',
  'slug',
  'id',
  'constructor',
  '__proto__',
  'x',
);

/** With one value replaced, added or removed somewhere in it. */
function altered(value: unknown, path: readonly number[], field: string, replacement: unknown): unknown {
  const [at, ...rest] = path;
  if (at === undefined || typeof value !== 'object' || value === null) return replacement;
  const keys = Object.keys(value);
  const key = at < keys.length ? (keys[at] as string) : field;
  const inner = altered((value as Record<string, unknown>)[key], rest, field, replacement);
  if (Array.isArray(value)) return value.toSpliced(Number(key) || 0, inner === undefined ? 1 : 0, inner);
  return Object.fromEntries([
    ...Object.entries(value).filter(([other]) => other !== key),
    ...(inner === undefined && at % 2 === 0 ? [] : [[key, inner]]),
  ]);
}

describe('the check of a shape', () => {
  for (const [what, schema, valid] of [
    ['a document', ContentDocument, DOCUMENT],
    ['a version', VersionFields, VERSION],
  ] as const)
    it(`${what} is valid exactly if it is by JSON Schema, and a database can store it`, () => {
      const help = { document: schema, rules: {}, patterns: {} };
      const check = (value: unknown) => findShapeProblems(schema, value, help).length === 0;
      const expected = new Ajv({ allowUnionTypes: true }).compile(schema);
      assert.ok(check(valid));
      let rejected = 0;
      fc.assert(
        fc.property(fc.array(fc.nat(9), { maxLength: 6 }), name, odd, (path, field, replacement) => {
          const value = altered(valid, path, field, replacement);
          const isStorable = !/\\u(?:0000|d[89a-f])/.test(JSON.stringify(value) ?? '');
          const isValid = expected(value) && isStorable;
          if (!isValid) rejected++;
          assert.equal(check(value), isValid);
        }),
        { numRuns: 3_000 },
      );
      assert.ok(rejected > 1_000 && rejected < 3_000);
    });
});
