// Documents of many versions: more than a batch, more than is read as a whole, and more than triggers are kept for.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Outcome } from '../../../src/store/write/outcome.ts';
import { bulkVersion } from '../../../support/content/bulk.ts';
import { dump, query } from '../../../support/databases/engine.ts';
import { apply, runOk, type Workplace } from '../../../support/program/command.ts';
import { documentOf, exported, refusal, runJson, type VersionDocument, workplaceOf } from '../helpers.ts';

const COUNT = 1_200;
const MANY: VersionDocument[] = Array.from({ length: COUNT }, (_, index) => bulkVersion(index, COUNT));
const DRAFTS: VersionDocument[] = MANY.map(({ version, title, changes }) => ({
  version,
  title,
  changes: changes?.slice(0, 1).map(({ type, text }) => ({ type, text })) ?? [],
}));

async function labels(workplace: Workplace): Promise<string[]> {
  return (await exported(workplace)).products[0]?.changelog?.versions?.map(({ version }) => version) ?? [];
}

describe('a document of many versions', () => {
  it('is applied and exported as it is, and applying it again changes nothing', async (t) => {
    const [source, target] = [workplaceOf(t), workplaceOf(t)];
    await apply(source, documentOf(MANY));
    assert.deepEqual((await exported(source)).products[0]?.changelog?.versions, MANY);
    const before = await dump(source);
    assert.match(await apply(source, documentOf(MANY)), /^Nothing to do: .* 1203 unchanged\.\n$/);
    assert.deepEqual(await dump(source), before, 'the revision included');
    const text = await runOk(source, ['export', 'acme']);
    await runOk(target, ['apply', '-'], text);
    assert.equal(await runOk(target, ['export', 'acme']), text);
  });

  it('leaves the number of changes with each version, and one revision more', async (t) => {
    const workplace = workplaceOf(t);
    await apply(workplace, documentOf([]));
    const revision = async () =>
      (await query<{ value: number }>(workplace, 'select value from revision'))[0]?.value;
    const before = Number(await revision());
    await apply(workplace, documentOf(MANY));
    assert.equal(Number(await revision()), before + 1);
    const wrong = `select id from versions
      where change_count <> (select count(*) from changes where version_id = versions.id)`;
    assert.deepEqual(await query(workplace, wrong), []);
    const touched = await query(
      workplace,
      `select * from touches where revision = ${before + 1} and product_id > 0`,
    );
    assert.equal(touched.length, 1);
  });

  it('counts drafts that are listed first as created last, also those that come later', async (t) => {
    const workplace = workplaceOf(t);
    await apply(workplace, documentOf(DRAFTS.slice(600)));
    await apply(workplace, documentOf(DRAFTS));
    assert.deepEqual(
      await labels(workplace),
      DRAFTS.map(({ version }) => version),
    );
  });

  it('changes, renames and moves what is far apart in it', async (t) => {
    const workplace = workplaceOf(t);
    await apply(workplace, documentOf(MANY));
    const [first, last] = [MANY[0], MANY[COUNT - 1]] as [VersionDocument, VersionDocument];
    const swapped = [
      { ...first, version: last.version, changes: last.changes ?? [] },
      ...MANY.slice(1, -1),
      { ...last, version: first.version, changes: [] },
    ];
    assert.match(
      await apply(workplace, documentOf(swapped)),
      /Done: 0 created, 2 changed, 0 deleted, 1201 unch/,
    );
    assert.deepEqual((await exported(workplace)).products[0]?.changelog?.versions, swapped);
    assert.match(await apply(workplace, documentOf(swapped)), /^Nothing to do/);
  });

  it('takes a label for a new version that is named by its id only far below', async (t) => {
    const workplace = workplaceOf(t);
    await apply(workplace, documentOf(MANY));
    const { id: _, ...first } = MANY[0] as VersionDocument;
    const renamed = [...MANY.slice(1), { ...(MANY[0] as VersionDocument), version: 'renamed' }];
    const fresh = { ...first, changes: [] };
    await apply(workplace, documentOf([fresh, ...renamed]));
    const versions = new Map(
      (await exported(workplace)).products[0]?.changelog?.versions?.map((one) => [one.version, one.id]),
    );
    assert.equal(versions.get('renamed'), MANY[0]?.id);
    assert.notEqual(versions.get(first.version), MANY[0]?.id);
    assert.equal(versions.size, COUNT + 1);
  });

  it('is pruned to what another names', async (t) => {
    const workplace = workplaceOf(t);
    await apply(workplace, documentOf(MANY));
    const kept = MANY.slice(0, 50);
    assert.match(
      await apply(workplace, documentOf(kept), '--prune'),
      /… and 150 more; --json lists all\.\nDone: 0 created, 0 changed, 1150 deleted, 53 unchanged\.\n$/,
    );
    assert.deepEqual((await exported(workplace)).products[0]?.changelog?.versions, kept);
  });

  it('is told of in a thousand lines to people, and as a whole to programs', async (t) => {
    const workplace = workplaceOf(t);
    const lines = (await apply(workplace, documentOf(MANY), '--dry-run')).trimEnd().split('\n');
    assert.equal(lines.length, 1_002);
    assert.equal(lines[1_000], '… and 203 more; --json lists all.');
    assert.match(lines[1_001] ?? '', /^Would be done: 1203 created/);
    writeFileSync(path.join(workplace.folder, 'a.json'), JSON.stringify(documentOf(MANY)));
    const outcomes = await runJson<Outcome[]>(workplace, ['apply', 'a.json']);
    assert.equal(outcomes.length, COUNT + 3);
    assert.deepEqual(outcomes.at(-1), { action: 'created', kind: 'version', name: 'acme/rocket 0.0.1' });
  });

  it('is refused with the line where only the database knows what is wrong', async (t) => {
    const workplace = workplaceOf(t);
    const taken = { version: '1.0.0', title: 'One', id: MANY[1_100]?.id ?? '' };
    await apply(workplace, { ...documentOf([taken]), team: { slug: 'other', name: 'Other' } });
    const text = JSON.stringify(documentOf(MANY), null, 1);
    const line = text.slice(0, text.indexOf(`"${taken.id}"`)).split('\n').length;
    const message = await refusal(workplace, ['apply', '-'], text);
    const field = 'products[0].changelog.versions[1100].id';
    assert.ok(
      message.startsWith(`changelog: standard input:${line}: ${field}: the id ${taken.id} `),
      message,
    );
  });

  it('makes no database where it is wrong near its end', async (t) => {
    const wrong = documentOf([...MANY, { ...(MANY[3] as VersionDocument), id: 'ver_another' }]);
    const message = await refusal(workplaceOf(t), ['apply', '-'], JSON.stringify(wrong));
    assert.match(message, /versions\[1200\]\.version: duplicate version "1\.19\.7" \(also on line \d+\)/);
  });
});
