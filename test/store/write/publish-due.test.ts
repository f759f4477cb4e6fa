// Scheduled drafts in the database (R50), on a connection of the server and with plain SQL.
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { asReader, type Writer } from '../../../src/store/engine/engine.ts';
import { engineOf } from '../../../src/store/engine/open.ts';
import { findNextDue } from '../../../src/store/read/due.ts';
import { publishDue } from '../../../src/store/write/publish-due.ts';
import { databaseUrl, ENGINE, execute, provideMigrated, query } from '../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import type { Sandbox } from '../../../support/program/command.ts';

const PAST = '2026-01-02T03:04:05.678Z';
const LATER = '2026-02-01T00:00:00.000Z';
const FUTURE = '2999-01-01T00:00:00.000Z';
const LONG_AGO = '2020-01-01T00:00:00.000Z';

/** A product for each lock, with a draft that is due. Rocket also has one that is not, and one that is published. */
const SEED = [
  'delete from teams',
  `insert into teams (id, slug, name, visibility, plan) values (1, 'acme', 'Acme', 'public', 'paid')`,
  `insert into products (id, team_id, slug, name, status) values (1, 1, 'rocket', 'Rocket', 'published'),
    (2, 1, 'frozen', 'Frozen', 'locked'), (3, 1, 'sealed', 'Sealed', 'draft')`,
  `insert into changelogs (id, product_id, name, status) values ('cl_1', 1, 'Rocket', 'published'),
    ('cl_2', 2, 'Frozen', 'published'), ('cl_3', 3, 'Sealed', 'locked')`,
  `insert into versions (id, changelog_id, label, title, status, published_at, publish_at, updated_at, yanked, created_order)
    values ('ver_due', 'cl_1', '2.0.0', 'Due', 'draft', null, '${PAST}', '${LONG_AGO}', 0, 2),
      ('ver_future', 'cl_1', '3.0.0', 'Future', 'draft', null, '${FUTURE}', '${LONG_AGO}', 0, 3),
      ('ver_out', 'cl_1', '1.0.0', 'Out', 'published', '${LONG_AGO}', null, '${LONG_AGO}', 0, 1),
      ('ver_frozen', 'cl_2', '1.0.0', 'Frozen', 'draft', null, '${PAST}', '${LONG_AGO}', 0, 1),
      ('ver_sealed', 'cl_3', '1.0.0', 'Sealed', 'draft', null, '${LATER}', '${LONG_AGO}', 0, 1)`,
  `insert into changes (id, version_id, position, type, text, breaking) values ('chg_1', 'ver_due', 0, 'added', 'Fins', 0)`,
  `update versions set updated_at = '${LONG_AGO}'`,
];

describe('scheduled versions in the database', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  const nodes: Writer[] = [];
  before(async () => {
    await provideMigrated(sandbox);
    const { openRecorder } = await engineOf(databaseUrl(sandbox));
    for (let node = 0; node < 3; node++) nodes.push(openRecorder(databaseUrl(sandbox)));
    scope.after(() => Promise.all(nodes.map((node) => node.destroy())).then(() => {}));
  });
  beforeEach(async () => {
    for (const statement of SEED) await execute(sandbox, statement);
  });
  const node = () => nodes[0] as Writer;
  const set = (columns: string, id: string, table = 'versions') =>
    execute(sandbox, `update ${table} set ${columns} where id = ${table === 'products' ? id : `'${id}'`}`);
  const versionOf = async (id: string) =>
    (
      await query(
        sandbox,
        `select status, published_at, publish_at, updated_at from versions where id = '${id}'`,
      )
    )[0];
  const revisions = async () =>
    (
      await query(sandbox, 'select value, (select max(public_revision) from touches) as public from revision')
    )[0];

  it('a draft that is due is published with the time of its schedule, and all that is derived follows', async () => {
    const earlier = await revisions();
    assert.deepEqual(await publishDue(node()), [
      { id: 'ver_due', team: 'acme', product: 'rocket', version: '2.0.0', publishedAt: PAST },
    ]);
    assert.deepEqual(await versionOf('ver_due'), {
      status: 'published',
      published_at: PAST,
      publish_at: null,
      updated_at: PAST,
    });
    const now = await revisions();
    assert.ok(Number(now?.public) > Number(earlier?.public));
    assert.equal(now?.public, now?.value);
    const found =
      ENGINE === 'sqlite'
        ? `select count(*) as n from change_search where change_search match 'fins'`
        : `select count(*) as n from search where words::text like '%fins%'`;
    assert.equal(Number((await query(sandbox, found))[0]?.n), 1);
  });

  it('a second run, others at the same time and a run with nothing due write nothing', async () => {
    const published = await Promise.all(nodes.map((each) => publishDue(each)));
    assert.deepEqual(
      published.flat().map(({ id }) => id),
      ['ver_due'],
    );
    const after = await revisions();
    assert.deepEqual(await publishDue(node()), []);
    assert.deepEqual(await revisions(), after);
    assert.equal((await versionOf('ver_future'))?.status, 'draft');
  });

  it('a draft below a locked product or changelog waits until it is unlocked', async () => {
    await set('publish_at = null', 'ver_due');
    assert.deepEqual(await publishDue(node()), []);
    assert.equal(await findNextDue(asReader(node())), FUTURE);
    await set(`status = 'published'`, '2', 'products');
    await set(`status = 'draft'`, 'cl_3', 'changelogs');
    assert.equal(await findNextDue(asReader(node())), PAST);
    assert.deepEqual((await publishDue(node())).map(({ id, publishedAt }) => [id, publishedAt]).sort(), [
      ['ver_frozen', PAST],
      ['ver_sealed', LATER],
    ]);
  });

  it('a version that was published before gets the new date, and an update time never goes back', async () => {
    const edited = '2026-03-01T00:00:00.000Z';
    await set(`published_at = '${LONG_AGO}', updated_at = null`, 'ver_due');
    await set(`changelog_id = 'cl_1', label = '1.1', updated_at = '${edited}'`, 'ver_sealed');
    await publishDue(node());
    assert.deepEqual(
      [(await versionOf('ver_due'))?.published_at, (await versionOf('ver_due'))?.updated_at],
      [PAST, PAST],
    );
    const late = await versionOf('ver_sealed');
    assert.equal(late?.published_at, LATER);
    assert.ok(String(late?.updated_at) > edited);
  });

  it('the next due time is that of the first draft that can be published', async () => {
    assert.equal(await findNextDue(asReader(node())), PAST);
    await publishDue(node());
    assert.equal(await findNextDue(asReader(node())), FUTURE);
    await set('publish_at = null', 'ver_future');
    assert.equal(await findNextDue(asReader(node())), null);
  });

  it('a new schedule touches the product, but nothing public and no update time', async () => {
    const earlier = await revisions();
    await set(`publish_at = '${LATER}'`, 'ver_due');
    const now = await revisions();
    assert.ok(Number(now?.value) > Number(earlier?.value));
    assert.equal(now?.public, earlier?.public);
    assert.equal((await versionOf('ver_due'))?.updated_at, LONG_AGO);
  });

  it('only a draft has a schedule, and it has the form of a timestamp', async () => {
    await assert.rejects(set(`publish_at = '${FUTURE}'`, 'ver_out'));
    await assert.rejects(set(`status = 'published', published_at = '${PAST}'`, 'ver_due'));
    for (const wrong of ['', '2026-01-01', '2026-01-01T00:00:00Z', '2026-13-01T00:00:00.000Z'])
      await assert.rejects(set(`publish_at = '${wrong}'`, 'ver_due'), wrong);
  });
});
