// Which versions a hook announces (R65), on a connection of the server and with plain SQL.
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import type { AnnouncementHook, MessageHook, OnlyFilter } from '../../../src/domain/hook.ts';
import {
  addDeliveries,
  claimAgain,
  claimDelivery,
  endClaims,
  listHooksWithWork,
  noteOutcome,
  setUpHooks,
} from '../../../src/hooks/store/deliveries.ts';
import type { Writer } from '../../../src/store/engine/engine.ts';
import { engineOf } from '../../../src/store/engine/open.ts';
import { databaseUrl, execute, provideMigrated, query } from '../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import type { Sandbox } from '../../../support/program/command.ts';

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
const NOW = hoursAgo(0);

const hookOf = (only: OnlyFilter = {}, name = 'chat'): MessageHook => ({
  name,
  kind: 'slack',
  url: 'http://127.0.0.1:1',
  secret: null,
  only,
  maxAgeHours: 72,
});

const version = (
  id: string,
  { changelog = 'cl_1', status = 'published', date = NOW as string | null } = {},
) =>
  `insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order)
    values ('${id}', '${changelog}', '${id.slice(4)}', 'Title', '${status}', ${date === null ? 'null' : `'${date}'`}, 0, 1)`;
const change = (id: string, type: string, breaking = 0) =>
  `insert into changes (id, version_id, position, type, text, breaking)
    values ('chg_${id}_${type}_${breaking}', '${id}', ${type === 'added' ? 0 : 1}, '${type}', 'Text', ${breaking})`;

const SEED = [
  'delete from hook_deliveries',
  'delete from teams',
  `insert into teams (id, slug, name, visibility, plan) values (1, 'acme', 'Acme', 'public', 'paid'),
    (2, 'quiet', 'Quiet', 'private', 'paid'), (3, 'other', 'Other', 'public', 'paid')`,
  `insert into products (id, team_id, slug, name, status) values (1, 1, 'rocket', 'Rocket', 'published'),
    (2, 2, 'secret', 'Secret', 'published'), (3, 3, 'boat', 'Boat', 'published')`,
  `insert into changelogs (id, product_id, name, status) values ('cl_1', 1, 'Rocket', 'published'),
    ('cl_2', 2, 'Secret', 'published'), ('cl_3', 3, 'Boat', 'published')`,
];

describe('versions that a hook announces', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  const nodes: Writer[] = [];
  before(async () => {
    await provideMigrated(sandbox);
    const { openRecorder } = await engineOf(databaseUrl(sandbox));
    for (let node = 0; node < 2; node++) nodes.push(openRecorder(databaseUrl(sandbox)));
    scope.after(() => Promise.all(nodes.map((node) => node.destroy())).then(() => {}));
  });
  beforeEach(async () => {
    for (const statement of SEED) await execute(sandbox, statement);
  });
  const [node, other] = [() => nodes[0] as Writer, () => nodes[1] as Writer];
  const run = async (...statements: string[]) => {
    for (const statement of statements) await execute(sandbox, statement);
  };

  /** Announces whatever there is, and returns the ids in order. */
  async function announce(hook: AnnouncementHook, db = node()): Promise<string[]> {
    await addDeliveries(db, hook, 0);
    const ids: string[] = [];
    for (;;) {
      const delivery = await claimDelivery(db, hook);
      if (delivery === null) return ids;
      ids.push(delivery.about);
      await noteOutcome(db, delivery, { state: 'sent' });
    }
  }

  it('a new hook announces nothing that is public already, and then each new version once', async () => {
    await run(version('ver_1'), version('ver_2', { date: hoursAgo(100) }));
    await setUpHooks(node(), [hookOf()]);
    assert.deepEqual(await announce(hookOf()), []);
    await run(version('ver_4', { date: hoursAgo(1) }), version('ver_3', { date: hoursAgo(2) }));
    assert.deepEqual(await announce(hookOf()), ['ver_3', 'ver_4']);
    await run(`update versions set title = 'New'`);
    assert.deepEqual(await announce(hookOf()), []);
  });

  it('setting a hook up again, or its name with another kind, begins nothing anew', async () => {
    await setUpHooks(node(), [hookOf()]);
    await run(version('ver_1'));
    await setUpHooks(other(), [{ ...hookOf(), kind: 'discord' }]);
    assert.deepEqual(await announce(hookOf()), ['ver_1']);
  });

  it('each hook counts for itself', async () => {
    await setUpHooks(node(), [hookOf()]);
    await run(version('ver_1'));
    await setUpHooks(node(), [hookOf(), hookOf({}, 'late')]);
    assert.deepEqual([await announce(hookOf()), await announce(hookOf({}, 'late'))], [['ver_1'], []]);
  });

  it('imported history stays silent: only dates within maxAgeHours count', async () => {
    const day = { ...hookOf(), maxAgeHours: 24 };
    await setUpHooks(node(), [day]);
    await run(version('ver_old', { date: hoursAgo(25) }), version('ver_new', { date: hoursAgo(23) }));
    assert.deepEqual(await announce(day), ['ver_new']);
  });

  it('a larger maxAgeHours brings back nothing from before the hook was set up', async () => {
    await run(version('ver_old', { date: hoursAgo(100) }));
    await setUpHooks(node(), [hookOf()]);
    const patient = { ...hookOf(), maxAgeHours: 1000 };
    await run(`update teams set name = 'Acme Inc' where id = 1`);
    assert.deepEqual(await announce(patient), []);
  });

  it('withdrawn and published again: not again', async () => {
    await setUpHooks(node(), [hookOf()]);
    await run(version('ver_1'));
    assert.deepEqual(await announce(hookOf()), ['ver_1']);
    await run(`update versions set status = 'draft'`);
    assert.deepEqual(await announce(hookOf()), []);
    await run(`update versions set status = 'published', published_at = '${hoursAgo(0)}'`);
    assert.deepEqual(await announce(hookOf()), []);
  });

  it('a version that is deleted and created again with its id is not announced again', async () => {
    await setUpHooks(node(), [hookOf()]);
    await run(version('ver_1'));
    assert.deepEqual(await announce(hookOf()), ['ver_1']);
    await run(`delete from versions`, version('ver_1'));
    assert.deepEqual(await announce(hookOf()), []);
  });

  it('a version that is hidden before it is sent waits until it is public', async () => {
    await setUpHooks(node(), [hookOf()]);
    await run(version('ver_1'));
    await addDeliveries(node(), hookOf(), 0);
    await run(`update teams set visibility = 'private'`);
    await addDeliveries(node(), hookOf(), 0);
    assert.deepEqual(await listHooksWithWork(node(), ['chat']), []);
    assert.equal(await claimDelivery(node(), hookOf()), null);
    await run(`update teams set visibility = 'public'`);
    assert.deepEqual(await listHooksWithWork(node(), ['chat']), ['chat']);
    assert.deepEqual(await announce(hookOf()), ['ver_1']);
  });

  it('one process at a time has a delivery, which keeps its id when it is sent again', async () => {
    await setUpHooks(node(), [hookOf()]);
    await run(version('ver_1'));
    await addDeliveries(node(), hookOf(), 0);
    await addDeliveries(other(), hookOf(), 0);
    const first = await claimDelivery(node(), hookOf());
    assert.equal(await claimDelivery(other(), hookOf()), null);
    // The first process is killed, and its claim ends.
    await run(`update hook_deliveries set due_at = '${hoursAgo(1)}' where kind = 'announcement'`);
    assert.equal(await claimDelivery(other(), hookOf()), null);
    await endClaims(other(), hookOf());
    assert.equal(await claimDelivery(other(), hookOf()), null, 'it may only have waited for a lock');
    await run(`update hook_deliveries set due_at = '${hoursAgo(1)}' where kind = 'announcement'`);
    await endClaims(other(), hookOf());
    const second = await claimDelivery(other(), hookOf());
    assert.ok(first !== null && second !== null);
    assert.equal(second.messageId, first.messageId);
    assert.deepEqual([first.attempts, second.attempts], [1, 2]);
    // It was only suspended: its failure does not end the claim of the other one.
    await noteOutcome(node(), first, { state: 'pending', failure: 'HTTP 500', againMs: 0 });
    assert.equal(await claimDelivery(node(), hookOf()), null);
    await noteOutcome(other(), second, { state: 'sent' });
    await noteOutcome(node(), first, { state: 'given_up', failure: 'HTTP 500' });
    assert.deepEqual(
      await query(sandbox, `select state, failure from hook_deliveries where kind <> 'watch'`),
      [{ state: 'sent', failure: null }],
    );
  });

  it('a process that could not write for longer than its claim lasts notes what it sent before another sends it', async () => {
    await setUpHooks(node(), [hookOf()]);
    await run(version('ver_1'));
    await addDeliveries(node(), hookOf(), 0);
    const delivery = await claimDelivery(node(), hookOf());
    assert.ok(delivery !== null);
    await run(`update hook_deliveries set due_at = '${hoursAgo(1)}' where kind = 'announcement'`);
    await endClaims(other(), hookOf());
    await noteOutcome(node(), delivery, { state: 'sent' });
    await run(`update hook_deliveries set due_at = '${hoursAgo(1)}' where kind = 'announcement'`);
    assert.equal(await claimDelivery(other(), hookOf()), null);
  });

  it('what `hook announce` sends, no server sends at the same time, but again with its id if that process dies', async () => {
    await setUpHooks(node(), [hookOf()]);
    await run(version('ver_1'));
    await addDeliveries(node(), hookOf(), 0);
    const of = { about: 'ver_1', team: 'acme', product: 'rocket', version: '1' };
    const taken = await claimAgain(other(), hookOf(), of);
    assert.deepEqual(
      [await claimDelivery(node(), hookOf()), await claimAgain(node(), hookOf(), of)],
      [null, null],
    );
    await run(`update hook_deliveries set due_at = '${hoursAgo(1)}' where kind = 'announcement'`);
    await endClaims(node(), hookOf());
    await run(`update hook_deliveries set due_at = '${hoursAgo(1)}' where kind = 'announcement'`);
    const again = await claimDelivery(node(), hookOf());
    assert.ok(taken !== null && again !== null);
    assert.deepEqual([again.messageId, again.attempts], [taken.messageId, 2]);
    // It was only suspended, and then it failed.
    await noteOutcome(other(), taken, { state: 'pending', failure: 'HTTP 500', againMs: 0 });
    assert.equal(await claimDelivery(node(), hookOf()), null);
  });

  it('after a failure it waits; given up, it is not sent again', async () => {
    await setUpHooks(node(), [hookOf()]);
    await run(version('ver_1'));
    await addDeliveries(node(), hookOf(), 0);
    const delivery = await claimDelivery(node(), hookOf());
    assert.ok(delivery !== null);
    await noteOutcome(node(), delivery, { state: 'pending', failure: 'HTTP 500', againMs: HOUR_MS });
    assert.equal(await claimDelivery(node(), hookOf()), null);
    await noteOutcome(node(), delivery, { state: 'given_up', failure: 'HTTP 500' });
    await run(`update hook_deliveries set due_at = '${hoursAgo(1)}' where kind = 'announcement'`);
    assert.deepEqual(
      [await claimDelivery(node(), hookOf()), await listHooksWithWork(node(), ['chat'])],
      [null, []],
    );
  });

  it('revisions that went back, after a failover, lose nothing', async () => {
    await setUpHooks(node(), [hookOf()]);
    await run(`update hook_deliveries set revision = 1000000 where kind = 'watch'`, version('ver_1'));
    assert.deepEqual(await listHooksWithWork(node(), ['chat']), ['chat']);
    assert.deepEqual(await announce(hookOf()), ['ver_1']);
  });

  it('filters: every part must match, for every combination', async () => {
    const worlds = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => ({
      id: `ver_${bits}${bits & 1 ? '.0.0-rc.1' : '.0.0'}`,
      isPrerelease: (bits & 1) === 1,
      isBreaking: (bits & 2) === 2,
      isSecurity: (bits & 4) === 4,
    }));
    const only: OnlyFilter[] = [undefined, true, false].flatMap((prerelease) =>
      [undefined, true, false].flatMap((breaking) =>
        [undefined, ['security', 'removed'] as const].flatMap((type) =>
          [undefined, ['acme'], ['other']].map((teams) => ({
            ...(prerelease !== undefined && { prerelease }),
            ...(breaking !== undefined && { breaking }),
            ...(type && { type }),
            ...(teams && { teams }),
          })),
        ),
      ),
    );
    const hooks = only.map((each, index) => hookOf(each, `hook-${index}`));
    await setUpHooks(node(), hooks);
    await run(
      ...worlds.flatMap(({ id, isBreaking, isSecurity }) => [
        version(id),
        change(id, 'added', isBreaking ? 1 : 0),
        ...(isSecurity ? [change(id, 'security')] : []),
      ]),
    );
    for (const hook of hooks) {
      const { prerelease, breaking, type, teams } = hook.only;
      const expected = worlds.filter(
        ({ isPrerelease, isBreaking, isSecurity }) =>
          (prerelease ?? isPrerelease) === isPrerelease &&
          (breaking ?? isBreaking) === isBreaking &&
          (type === undefined || isSecurity) &&
          (teams === undefined || teams.includes('acme')),
      );
      assert.deepEqual(
        (await announce(hook)).sort(),
        expected.map(({ id }) => id).sort(),
        JSON.stringify(hook.only),
      );
    }
  });

  it('filters by product', async () => {
    const hook = hookOf({ products: ['other/boat', 'acme/none'] });
    await setUpHooks(node(), [hook]);
    await run(version('ver_1'), version('ver_3', { changelog: 'cl_3' }));
    assert.deepEqual(await announce(hook), ['ver_3']);
  });
});
