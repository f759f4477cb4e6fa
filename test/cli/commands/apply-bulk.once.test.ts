// Documents large enough to be streamed, and written in batches.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Outcome } from '../../../src/store/write/versions.ts';
import { bulkVersion } from '../../../support/content/bulk.ts';
import { dump, provideFilled, query } from '../../../support/databases/engine.ts';
import type { Scope } from '../../../support/processes/scope.ts';
import { apply, runOk, type Sandbox } from '../../../support/program/command.ts';
import { documentOf, expectFailure, exported, runJson, sandboxOf, type VersionDocument } from '../helpers.ts';

const COUNT = 1_200;
const MANY: VersionDocument[] = Array.from({ length: COUNT }, (_, index) => bulkVersion(index, COUNT));
const DRAFTS: VersionDocument[] = MANY.map(({ version, title, changes }) => ({
  version,
  title,
  changes: changes?.slice(0, 1).map(({ type, text }) => ({ type, text })) ?? [],
}));

async function labels(sandbox: Sandbox): Promise<string[]> {
  return (await exported(sandbox)).products[0]?.changelog?.versions?.map(({ version }) => version) ?? [];
}

const fillWithMany = (sandbox: Sandbox) => apply(sandbox, documentOf(MANY));

async function sandboxWithMany(scope: Scope): Promise<Sandbox> {
  const sandbox = sandboxOf(scope);
  await provideFilled(sandbox, fillWithMany);
  return sandbox;
}

describe('a document of many versions', () => {
  it('a document of many versions is applied and exported unchanged, and applying it again changes nothing', async (t) => {
    const [source, target] = [await sandboxWithMany(t), sandboxOf(t)];
    assert.deepEqual((await exported(source)).products[0]?.changelog?.versions, MANY);
    const before = await dump(source);
    assert.match(await apply(source, documentOf(MANY)), /^Nothing to do: .* 1203 unchanged\.\n$/);
    assert.deepEqual(await dump(source), before, 'the revision included');
    const text = await runOk(source, ['export', 'acme']);
    await runOk(target, ['apply', '-'], text);
    assert.equal(await runOk(target, ['export', 'acme']), text);
  });

  it('a bulk apply stores the number of changes of each version', async (t) => {
    const sandbox = await sandboxWithMany(t);
    const wrong = `select id from versions
      where change_count <> (select count(*) from changes where version_id = versions.id)`;
    assert.deepEqual(await query(sandbox, wrong), []);
  });

  it('a bulk apply counts drafts that are listed first as created last, also in later documents', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf(DRAFTS.slice(600)));
    await apply(sandbox, documentOf(DRAFTS));
    assert.deepEqual(
      await labels(sandbox),
      DRAFTS.map(({ version }) => version),
    );
  });

  it('a bulk apply changes, renames and moves versions far apart in the document', async (t) => {
    const sandbox = await sandboxWithMany(t);
    const [first, last] = [MANY[0], MANY[COUNT - 1]] as [VersionDocument, VersionDocument];
    const swapped = [
      { ...first, version: last.version, changes: last.changes ?? [] },
      ...MANY.slice(1, -1),
      { ...last, version: first.version, changes: [] },
    ];
    assert.match(
      await apply(sandbox, documentOf(swapped)),
      /Done: 0 created, 2 changed, 0 deleted, 1201 unch/,
    );
    const written = (await exported(sandbox)).products[0]?.changelog?.versions ?? [];
    assert.deepEqual(
      written.map(({ updatedAt: _, ...version }) => version),
      swapped,
    );
    assert.deepEqual(
      written.filter(({ updatedAt }) => updatedAt).map(({ id }) => id),
      [first.id, last.id],
    );
    assert.match(await apply(sandbox, documentOf(swapped)), /^Nothing to do/);
  });

  it('a bulk apply gives a new version a label that an id far below gives up', async (t) => {
    const sandbox = await sandboxWithMany(t);
    const { id: _, ...first } = MANY[0] as VersionDocument;
    const renamed = [...MANY.slice(1), { ...(MANY[0] as VersionDocument), version: 'renamed' }];
    const fresh = { ...first, changes: [] };
    await apply(sandbox, documentOf([fresh, ...renamed]));
    const versions = new Map(
      (await exported(sandbox)).products[0]?.changelog?.versions?.map((one) => [one.version, one.id]),
    );
    assert.equal(versions.get('renamed'), MANY[0]?.id);
    assert.notEqual(versions.get(first.version), MANY[0]?.id);
    assert.equal(versions.size, COUNT + 1);
  });

  it('a bulk apply with --prune deletes the versions missing from the document', async (t) => {
    const sandbox = await sandboxWithMany(t);
    const kept = MANY.slice(0, 50);
    assert.match(
      await apply(sandbox, documentOf(kept), '--prune', '--yes'),
      /… and 150 more; --json lists all\.\nDone: 0 created, 0 changed, 1150 deleted, 53 unchanged\.\n$/,
    );
    assert.deepEqual((await exported(sandbox)).products[0]?.changelog?.versions, kept);
  });

  it('a bulk apply prints at most 1,000 lines, and all outcomes with --json', async (t) => {
    const sandbox = sandboxOf(t);
    const lines = (await apply(sandbox, documentOf(MANY), '--dry-run')).trimEnd().split('\n');
    assert.equal(lines.length, 1_003);
    assert.equal(lines[1_000], '… and 203 more; --json lists all.');
    assert.match(lines[1_001] ?? '', /^product acme\/rocket becomes public: /);
    assert.match(lines[1_002] ?? '', /^Would be done: 1203 created/);
    writeFileSync(path.join(sandbox.folder, 'a.json'), JSON.stringify(documentOf(MANY)));
    const outcomes = await runJson<Outcome[]>(sandbox, ['apply', 'a.json']);
    assert.equal(outcomes.length, COUNT + 3);
    assert.deepEqual(outcomes.at(-1), { action: 'created', kind: 'version', name: 'acme/rocket 0.0.1' });
  });

  it('a conflict found by the database is reported with its line', async (t) => {
    const sandbox = sandboxOf(t);
    const taken = { version: '1.0.0', title: 'One', id: MANY[1_100]?.id ?? '' };
    await apply(sandbox, { ...documentOf([taken]), team: { slug: 'other', name: 'Other' } });
    const text = JSON.stringify(documentOf(MANY), null, 1);
    const line = text.slice(0, text.indexOf(`"${taken.id}"`)).split('\n').length;
    const message = await expectFailure(sandbox, ['apply', '-'], text);
    const field = 'products[0].changelog.versions[1100].id';
    assert.ok(
      message.startsWith(`changelog: standard input:${line}: ${field}: the id ${taken.id} `),
      message,
    );
  });

  it('a document that is invalid near its end creates no database', async (t) => {
    const wrong = documentOf([...MANY, { ...(MANY[3] as VersionDocument), id: 'ver_another' }]);
    const message = await expectFailure(sandboxOf(t), ['apply', '-'], JSON.stringify(wrong));
    assert.match(message, /versions\[1200\]\.version: duplicate version "1\.19\.7" \(also on line \d+\)/);
  });
});
