// When a CDN is purged, how often, and of what (R66).
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { type Delivering, deliverDue } from '../../src/hooks/deliver.ts';
import { DeliveryError } from '../../src/hooks/send.ts';
import {
  claimDelivery,
  type Delivery,
  forgetPurges,
  listHooksWithWork,
  listPublicTouches,
  PURGED_AFTER_MS,
  setUpHooks,
} from '../../src/hooks/store/deliveries.ts';
import { asReader } from '../../src/store/engine/engine.ts';
import { findRevision } from '../../src/store/engine/revisions.ts';
import { EVERYTHING, type Touch } from '../../src/store/engine/touches.ts';
import { sharedScope } from '../../support/processes/scope.ts';
import { type HookDatabase, openHookDatabase, purgeHook } from './database.ts';

const HOOK = purgeHook('edge');
const PRODUCT: Touch = { kind: 'product', teamId: 1, productId: 1, isHidden: false };
/** Later than anything is tried again. */
const MINUTE_MS = 60_000;

describe('purging', () => {
  const scope = sharedScope();
  let database: HookDatabase;
  before(async () => {
    database = await openHookDatabase(scope);
  });
  beforeEach(async () => {
    await database.reset();
    await database.run((db) => setUpHooks(db, [HOOK]));
  });

  /** Lets time pass: what is due in so many milliseconds, or sooner, is due now. */
  async function pass(ms: number): Promise<void> {
    const rows = await database.query<{ about: string; due_at: string }>(
      `select about, due_at from hook_deliveries where kind = 'purge'`,
    );
    for (const { about, due_at } of rows)
      await database.execute(
        `update hook_deliveries set due_at = '${new Date(Date.parse(due_at) - ms).toISOString()}' where about = '${about}'`,
      );
  }
  type Options = Readonly<{ onPurge?: () => unknown; run?: Delivering['run'] }>;
  const deliver = (purged: (delivery: Delivery) => unknown, run = database.run) =>
    deliverDue(HOOK, {
      run,
      send: async (_, delivery) => {
        await purged(delivery);
        return true;
      },
      onOutcome: () => {},
    });
  /** What is purged after each of these pauses. */
  async function purge(pauses: readonly number[], { onPurge = () => {}, run }: Options = {}) {
    const purges: (readonly Touch[])[][] = [];
    for (const ms of [0, ...pauses]) {
      await pass(ms);
      const purged: (readonly Touch[])[] = [];
      purges.push(purged);
      await deliver(async ({ since }) => {
        await onPurge();
        const touches = database.run(async (db) =>
          listPublicTouches(db, since, await findRevision(asReader(db))),
        );
        purged.push(await touches);
      }, run);
    }
    return purges;
  }
  const fail = () => Promise.reject(new DeliveryError('HTTP 503'));
  /** What the hook was set up with is purged. */
  const settle = () =>
    database.execute(
      `update hook_deliveries set revision = (select value from revision) where kind = 'watch'`,
    );
  const rows = () =>
    database.query<{ state: string; attempts: number; failure: string | null }>(
      `select state, attempts, failure from hook_deliveries where kind = 'purge' order by about`,
    );
  const hasWork = async () => (await database.run((db) => listHooksWithWork(db, ['edge']))).length > 0;

  it('a new hook purges everything, and so does another database in place of the last one', async () => {
    assert.deepEqual((await purge([MINUTE_MS])).flat(), [[EVERYTHING], [EVERYTHING], [EVERYTHING]]);
    assert.equal(await hasWork(), false);
    await database.run((db) => forgetPurges(db, [HOOK]));
    assert.ok(await hasWork());
    assert.deepEqual((await purge([MINUTE_MS])).flat(), [[EVERYTHING], [EVERYTHING], [EVERYTHING]]);
  });

  it('a write is purged soon, when every node shows it, and for responses that were on their way', async () => {
    const [first, second, third] = PURGED_AFTER_MS;
    assert.ok(first < 250 && second >= 500 && second < 1_000 && third > 2_000);
    await settle();
    await database.publish('1');
    assert.ok(await hasWork());
    const early = (await purge([])).flat();
    const due = await database.query<{ due_at: string }>(
      `select due_at from hook_deliveries where kind = 'purge' order by about`,
    );
    const times = due.map(({ due_at }) => Date.parse(due_at) - Date.parse(due[0]?.due_at ?? ''));
    assert.deepEqual(times, [0, second - first, third - first]);
    const all = [...early, ...(await purge([third])).flat()];
    assert.deepEqual(all, [[PRODUCT], [PRODUCT], [PRODUCT]]);
    assert.deepEqual(
      (await rows()).map(({ state }) => state),
      ['sent', 'sent', 'sent'],
    );
    assert.equal(await hasWork(), false);
  });

  it('a write just before the first purge is purged as often after that', async () => {
    await settle();
    await database.publish('1');
    await purge([]);
    await database.publish('2');
    const [first, second, third] = PURGED_AFTER_MS;
    const purges = await purge([first, second - first, third - second, MINUTE_MS]);
    assert.equal(purges.flat().length, 6);
    assert.equal(await hasWork(), false);
  });

  it('a write during the first purge, too', async () => {
    await settle();
    await database.publish('1');
    let writes = 0;
    const purges = await purge([150, MINUTE_MS], {
      onPurge: async () => {
        if (writes++ === 0) await database.publish('2');
      },
    });
    assert.equal(purges.flat().length, 6);
  });

  it('hidden writes purge nothing', async () => {
    await database.publish('1');
    await settle();
    await database.execute(`insert into versions (id, changelog_id, label, title, status, yanked, created_order)
      values ('ver_2', 'cl_1', '2', 'Title', 'draft', 0, 2)`);
    assert.deepEqual((await purge([MINUTE_MS])).flat(), []);
  });

  it('one process sends each purge; if it dies, others send the next ones, and this one when its claim has ended', async () => {
    await settle();
    await database.publish('1');
    await purge([]);
    await pass(150);
    assert.ok((await database.run((db) => claimDelivery(db, HOOK))) !== null);
    const purges = await purge([2_000, MINUTE_MS, MINUTE_MS]);
    assert.equal(purges.slice(0, 2).flat().length, 2);
    assert.deepEqual(
      purges.slice(2).map(({ length }) => length),
      [0, 1],
    );
  });

  it('a purge that fails is tried again less and less often, and never given up', async () => {
    await settle();
    await database.publish('1');
    await purge([]);
    // The other two of the same write.
    await database.execute(`delete from hook_deliveries where about like '2/%' or about like '3/%'`);
    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      await pass(MINUTE_MS);
      const startedAt = Date.now();
      assert.equal(await deliver(fail), null);
      const [row] = await database.query<{ due_at: string; state: string; failure: string }>(
        `select due_at, state, failure from hook_deliveries where kind = 'purge'`,
      );
      const pauseMs = Date.parse(row?.due_at ?? '') - startedAt;
      assert.ok(pauseMs >= seconds * 1_000 - 5 && pauseMs <= seconds * 1_000 + 5_000, `${pauseMs} ms`);
      assert.deepEqual([row?.state, row?.failure], ['pending', 'HTTP 503']);
    }
  });

  it('during an outage, writes wait for the purge that fails; after it, everything since is purged', async () => {
    await settle();
    await database.publish('1');
    await purge([]);
    await pass(150);
    await deliver(fail);
    await database.execute(
      `insert into products (id, team_id, slug, name, status) values (2, 1, 'boat', 'Boat', 'published')`,
    );
    await database.execute(
      `insert into changelogs (id, product_id, name, status) values ('cl_2', 2, 'Boat', 'published')`,
    );
    assert.equal(await hasWork(), false);
    await deliver(fail);
    assert.equal((await rows()).length, 3);
    const purges = await purge([MINUTE_MS, MINUTE_MS]);
    assert.deepEqual(
      purges
        .flat()[0]
        ?.map((touch) => (touch.kind === 'product' ? touch.productId : touch.kind))
        .toSorted(),
      [1, 2],
    );
    assert.equal(purges.flat().length, 6);
    assert.ok((await rows()).every(({ failure }) => failure === null));
  });

  it('when one works, those that failed are sent at once', async () => {
    await settle();
    await database.publish('1');
    await purge([]);
    const later = new Date(Date.now() + MINUTE_MS).toISOString();
    await database.execute(`update hook_deliveries set failure = 'HTTP 503',
      due_at = case when about like '1/%' then '${later}' else '2026-01-01T00:00:00.000Z' end
      where kind = 'purge' and about not like '3/%'`);
    const sent: string[] = [];
    await deliver(({ about }) => sent.push(about.slice(0, 1)));
    assert.deepEqual(sent, ['2', '1']);
  });

  it('writes do not wait for a repeated purge that failed', async () => {
    await settle();
    await database.publish('1');
    await purge([PURGED_AFTER_MS[0]]);
    await database.execute(
      `update hook_deliveries set failure = 'HTTP 503' where kind = 'purge' and state = 'pending'`,
    );
    await database.publish('2');
    assert.ok(await hasWork());
  });
});
