// The zod schemas accept what the demo returns and keep every field of it.
import assert from 'node:assert/strict';
import * as schemas from './sdk/zod.gen.js';

type Parses = Readonly<{ parse: (value: unknown) => unknown }>;

/** By operation, and `ErrorBody` for errors. */
export function assertWholeBody(operationId: string, body: unknown): void {
  const name =
    operationId === 'ErrorBody'
      ? 'zErrorBody'
      : `z${operationId[0]?.toUpperCase()}${operationId.slice(1)}Response`;
  const schema = (schemas as unknown as Readonly<Record<string, Parses>>)[name];
  assert.ok(schema, `no schema ${name}`);
  assert.deepEqual(schema.parse(body), body, name);
}

export function assertQueries(): void {
  const { zGetPublicChangelogQuery: query } = schemas;
  for (const since of ['2026-05-04', '2026-05-04T09:00:00Z', '2026-05-04T09:00:00.000+02:00'])
    assert.ok(query.safeParse({ since, until: since, type: ['added', 'fixed'], limit: 2 }).success, since);
  for (const wrong of [{ since: 'yesterday' }, { limit: 0 }, { type: ['new'] }, { include: 'all' }])
    assert.ok(!query.safeParse(wrong).success, JSON.stringify(wrong));
}
