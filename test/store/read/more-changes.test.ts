// The changes of a version are read in parts, which are limited in number and in bytes.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { visibleRows } from '../../../src/domain/access/visibility.ts';
import type { Reader } from '../../../src/store/engine/engine.ts';
import { findMoreChanges, findVersion } from '../../../src/store/read/find-version.ts';
import { databaseUrl, execute } from '../../../support/databases/engine.ts';
import { openReader } from '../../../support/databases/open.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { apply } from '../../../support/program/command.ts';

const scope = sharedScope();
const sandbox = { folder: temporaryFolder(scope) };
const PATH = { team: 'acme', product: 'rocket' };
const texts = [
  ...Array.from({ length: 1_030 }, (_, number) => `change ${number}`),
  ...Array.from({ length: 6 }, (_, number) => `${number}${'é'.repeat(99_999)}`),
];
let db: Reader;

before(async () => {
  const version = { id: 'ver_1', version: '1.0.0', title: '', status: 'published' };
  const changes = texts.map((text) => ({ type: 'added', text }));
  const publishedAt = '2026-01-01T00:00:00.000Z';
  const changelog = { status: 'published', versions: [{ ...version, publishedAt, changes }] };
  await apply(sandbox, {
    team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
    products: [{ slug: 'rocket', name: 'Rocket', status: 'published', changelog }],
  });
  db = await openReader(databaseUrl(sandbox));
  scope.after(() => db.destroy());
});

for (const surface of ['public', 'team'] as const) {
  it(`parts have at most 1,000 changes, and end with the one that reaches 512 KiB of text (${surface})`, async () => {
    const visible = visibleRows(surface);
    const { found: first } = await findVersion(db, PATH, '1.0.0', visible);
    assert.ok(first);
    assert.equal(first.version.changeCount, texts.length);
    const parts = [first.changes];
    for (let after = first.end; after !== null; ) {
      const { found } = await findMoreChanges(db, { ...PATH, versionId: 'ver_1', after }, visible);
      assert.equal(found?.writtenAt, first.writtenAt);
      parts.push(found.changes);
      after = found.end;
    }
    assert.deepEqual(
      parts.map(({ length }) => length),
      [20, 1_000, 13, 3],
    );
    assert.deepEqual(
      parts.flat().map(({ text }) => text),
      texts,
    );
  });
}

it('a version that was hidden in the meantime has no more changes on the public surface', async () => {
  const query = { ...PATH, versionId: 'ver_1', after: 19 };
  await execute(sandbox, `update versions set status = 'draft'`);
  assert.equal((await findMoreChanges(db, query, visibleRows('public'))).found, undefined);
  assert.ok((await findMoreChanges(db, query, visibleRows('team'))).found);
});
