// When a CDN is purged, how often, and what is noted (R66); on a clock of its own.
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import type { Run } from '../../src/hooks/announce.ts';
import { DeliveryError } from '../../src/hooks/outgoing.ts';
import { purgeChanges } from '../../src/hooks/purge-changes.ts';
import { setUpHooks } from '../../src/hooks/store/hooks.ts';
import { claimPurge, forgetPurges } from '../../src/hooks/store/purges.ts';
import { EVERYTHING, type Touch } from '../../src/store/engine/touches.ts';
import { sharedScope } from '../../support/processes/scope.ts';
import { type HookDatabase, openHookDatabase, purgeHook } from './database.ts';

const HOOK = purgeHook('edge');
const PRODUCT: Touch = { kind: 'product', teamId: 1, productId: 1, isHidden: false };
const LONG_AGO = '2000-01-01T00:00:00.000Z';

type Purge = Readonly<{ at: number; touches: readonly Touch[] }>;

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

  type Options = Readonly<{
    owner?: string;
    failures?: number;
    onPurge?: (nth: number) => Promise<void>;
    /** Leaves what is written from now on to others. */
    isOnce?: boolean;
    /** Called when it waits for a write; true ends the wait at once. */
    onWait?: () => Promise<boolean>;
    run?: Run;
  }>;

  /** Purges until it returns; the clock stands still unless it waits. */
  async function purge(options: Options = {}): Promise<Purge[]> {
    const {
      owner = 'me',
      failures = 0,
      onPurge = async () => {},
      onWait = async () => false,
      isOnce,
      run = database.run,
    } = options;
    let now = 0;
    const purges: Purge[] = [];
    const wait = async (ms: number) => {
      now += ms;
    };
    await purgeChanges(HOOK, {
      run,
      owner,
      failures,
      purge: async (_, touches) => {
        await onPurge(purges.push({ at: now, touches }));
      },
      wait,
      now: () => now,
      waitForWrite: isOnce
        ? null
        : async (ms) => {
            if (!(await onWait())) await wait(ms);
          },
    });
    return purges;
  }
  const revisions = async () => {
    const [row] = await database.query<{ noted: number; latest: number }>(
      'select revision as noted, (select value from revision) as latest from hooks',
    );
    return { noted: Number(row?.noted), latest: Number(row?.latest) };
  };
  /** What the hook was set up with is purged. */
  const settle = async () => {
    const { latest } = await revisions();
    await database.execute(`update hooks set revision = ${latest}`);
  };
  const state = async () =>
    (
      await database.query<{ claimed_by: string; claimed_until: string; failure: string | null }>(
        'select claimed_by, claimed_until, failure from hooks',
      )
    )[0];

  it('a new hook purges everything', async () => {
    for (const { touches } of await purge()) assert.deepEqual(touches, [EVERYTHING]);
    const { noted, latest } = await revisions();
    assert.equal(noted, latest);
  });

  it('another database in place of the last one: everything', async () => {
    await settle();
    await database.run((db) => forgetPurges(db, ['edge']));
    assert.deepEqual((await purge())[0]?.touches, [EVERYTHING]);
  });

  it('other writers delay a purge by milliseconds, and no claim outlasts it', async () => {
    await settle();
    await database.publish('1');
    let tries = 0;
    const [first] = await purge({
      run: async (write) => {
        if (++tries % 3 > 0) throw Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' });
        return await database.run(write);
      },
    });
    assert.deepEqual(first, { at: 230, touches: [PRODUCT] });
    assert.equal((await state())?.claimed_by, '');
  });

  it('publish-due ends, also if others write without end', async () => {
    await settle();
    await database.publish('1');
    const { latest } = await revisions();
    const purges = await purge({ isOnce: true, onPurge: (nth) => database.publish(`1.${nth}`) });
    assert.equal(purges.length, 3);
    assert.equal((await revisions()).noted, latest);
  });

  it('a write is purged at once, and again for what was on its way; noted only after the last time', async () => {
    await settle();
    const before = await revisions();
    await database.publish('1');
    const noted: number[] = [];
    const purges = await purge({
      onPurge: async () => void noted.push((await revisions()).noted),
    });
    assert.deepEqual(
      purges.map(({ at }) => at),
      [150, 600, 2_150],
    );
    for (const { touches } of purges) assert.deepEqual(touches, [PRODUCT]);
    assert.deepEqual(noted, [before.noted, before.noted, before.noted]);
    const { noted: last, latest } = await revisions();
    assert.equal(last, latest);
    assert.deepEqual(await state(), { claimed_by: '', claimed_until: '', failure: null });
  });

  it('a write in between is purged at once too, and as often', async () => {
    await settle();
    await database.publish('1');
    let isWritten = false;
    const purges = await purge({
      onWait: async () => {
        if (isWritten) return false;
        isWritten = true;
        await database.publish('2');
        return true;
      },
    });
    assert.deepEqual(
      purges.map(({ at }) => at),
      [150, 300, 600, 750, 2_150, 2_300],
    );
    const { noted, latest } = await revisions();
    assert.equal(noted, latest);
  });

  it('hidden writes purge nothing', async () => {
    await database.publish('1');
    await settle();
    await database.execute(`insert into versions (id, changelog_id, label, title, status, yanked, created_order)
      values ('ver_2', 'cl_1', '2', 'Title', 'draft', 0, 2)`);
    assert.deepEqual(await purge(), []);
  });

  it('one process purges at a time; another goes on when the claim of a dead one has ended', async () => {
    await settle();
    await database.publish('1');
    await database.run((db) => claimPurge(db, 'edge', 'dead'));
    assert.deepEqual(await purge(), []);
    await database.execute(`update hooks set claimed_until = '${LONG_AGO}'`);
    assert.equal((await purge()).length, 3);
  });

  it('a process whose claim another one has taken meanwhile stops, and notes nothing', async () => {
    await settle();
    const before = await revisions();
    await database.publish('1');
    const purges = await purge({
      onPurge: async () => void (await database.execute(`update hooks set claimed_by = 'other'`)),
    });
    assert.equal(purges.length, 1);
    assert.equal((await revisions()).noted, before.noted);
    assert.equal((await state())?.claimed_by, 'other');
  });

  it('after a failure, the pause grows up to 30 seconds, for all processes', async () => {
    await settle();
    await database.publish('1');
    const fail = async () => {
      throw new DeliveryError('HTTP 503');
    };
    for (const [failures, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      const startedAt = Date.now();
      await assert.rejects(purge({ failures, onPurge: fail }), DeliveryError);
      const { claimed_until: until = '', failure } = (await state()) ?? {};
      const pauseMs = Date.parse(until) - startedAt;
      assert.ok(pauseMs >= seconds * 1_000 - 5 && pauseMs <= seconds * 1_000 + 5_000, `${pauseMs} ms`);
      assert.equal(failure, 'HTTP 503');
      assert.deepEqual(await purge({ owner: 'other' }), []);
      await database.execute(`update hooks set claimed_until = '${LONG_AGO}'`);
    }
  });

  it('after an outage, everything since is purged at once', async () => {
    await settle();
    await database.publish('1');
    const fail = () => Promise.reject(new DeliveryError('ECONNREFUSED'));
    await assert.rejects(purge({ onPurge: fail }), DeliveryError);
    await database.execute(
      `insert into products (id, team_id, slug, name, status) values (2, 1, 'boat', 'Boat', 'published')`,
    );
    await database.execute(
      `insert into changelogs (id, product_id, name, status) values ('cl_2', 2, 'Boat', 'published')`,
    );
    await database.publish('2');
    await database.execute(`update hooks set claimed_until = '${LONG_AGO}'`);
    const [first] = await purge();
    assert.deepEqual(
      first?.touches.map((touch) => (touch.kind === 'product' ? touch.productId : touch.kind)).toSorted(),
      [1, 2],
    );
    assert.equal((await state())?.failure, null);
  });
});
