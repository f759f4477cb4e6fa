// How versions are announced to a hook, whatever fails in between (R65).
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import {
  type Delivering,
  deliverAgain,
  deliverDue,
  outcomeOf,
  PAUSES_SECONDS,
} from '../../src/hooks/deliver.ts';
import { DeliveryError } from '../../src/hooks/send.ts';
import { addDeliveries, setUpHooks } from '../../src/hooks/store/deliveries.ts';
import { sharedScope } from '../../support/processes/scope.ts';
import { announcementHook, type HookDatabase, openHookDatabase } from './database.ts';

const HOOK = announcementHook('chat');
const OTHER = announcementHook('other');
const HOUR_MS = 3_600_000;

describe('pauses after failures', () => {
  const attempt = (attempts: number, retryAfterMs: number | null = null) =>
    outcomeOf(HOOK, { attempts }, new DeliveryError('HTTP 503', retryAfterMs));
  const pauseMs = (...of: Parameters<typeof attempt>) => {
    const outcome = attempt(...of);
    return outcome.state === 'pending' ? outcome.againMs : assert.fail(outcome.state);
  };

  it('they grow up to a day in total, whatever the receiver asks for, and then the version is given up', () => {
    const pauses = PAUSES_SECONDS.map((_, index) => pauseMs(index + 1, 100 * HOUR_MS));
    assert.deepEqual(
      pauses,
      pauses.toSorted((a, b) => a - b),
    );
    const total = pauses.reduce((sum, ms) => sum + ms);
    assert.ok(total > 23 * HOUR_MS && total <= 24 * HOUR_MS, `${total / HOUR_MS} hours`);
    assert.deepEqual(attempt(pauses.length + 1), { state: 'given_up', failure: 'HTTP 503' });
  });

  it('Retry-After makes a pause longer, up to 20 minutes, and never shorter', () => {
    assert.equal(pauseMs(1, 1_000), 5_000);
    assert.equal(pauseMs(1, 60_000), 60_000);
    assert.equal(pauseMs(1, 100 * HOUR_MS), HOUR_MS / 3);
    assert.equal(pauseMs(10, 100 * HOUR_MS), 8 * HOUR_MS);
  });
});

describe('announcing what is due', () => {
  const scope = sharedScope();
  let database: HookDatabase;
  before(async () => {
    database = await openHookDatabase(scope);
  });
  beforeEach(async () => {
    await database.reset();
    await database.run((db) => setUpHooks(db, [HOOK, OTHER]));
  });

  /** Announces with `send`; returns the versions that were sent. */
  async function announce(
    send: (label: string, nth: number) => Promise<boolean> | boolean,
    { hook = HOOK, ...more }: Partial<Delivering> & { hook?: typeof HOOK } = {},
  ): Promise<string[]> {
    const tried: string[] = [];
    await addDeliveries(await database.run(async (db) => db), hook, 0);
    await deliverDue(hook, {
      run: database.run,
      send: async (_, { about }) => await send(about, tried.push(about)),
      onOutcome: () => {},
      ...more,
    });
    return tried;
  }
  const states = async (hook = 'chat') =>
    (
      await database.query<{ state: string; failure: string | null; attempts: number }>(
        `select state, failure, attempts from hook_deliveries where hook = '${hook}' and kind <> 'watch' order by about`,
      )
    ).map(({ state, failure, attempts }) => [state, failure, attempts]);

  it('a failure ends the run for this hook, and other hooks go on', async () => {
    await database.publish('1', '2');
    const fail = () => Promise.reject(new DeliveryError('HTTP 500'));
    assert.equal((await announce(fail)).length, 1);
    assert.deepEqual((await states()).toSorted(), [
      ['pending', null, 0],
      ['pending', 'HTTP 500', 1],
    ]);
    assert.deepEqual((await announce(() => true, { hook: OTHER })).toSorted(), ['ver_1', 'ver_2']);
    assert.deepEqual(await states('other'), [
      ['sent', null, 1],
      ['sent', null, 1],
    ]);
    // The one that failed waits, and the other is tried.
    assert.equal((await announce(() => true)).length, 1);
  });

  it('an error that nobody expected counts as a failure, without its message', async () => {
    await database.publish('1');
    await announce(() => Promise.reject(new TypeError('secret')));
    assert.deepEqual(await states(), [['pending', 'unexpected TypeError', 1]]);
  });

  it('a version that is hidden before it is sent does not stop the others', async () => {
    await database.publish('1', '2');
    assert.equal((await announce((_, nth) => nth !== 1)).length, 2);
    assert.deepEqual((await states()).toSorted(), [
      ['sending', null, 1],
      ['sent', null, 1],
    ]);
  });

  it('what was sent is noted as soon as the database can be written to', async () => {
    await database.publish('1');
    let failures = 0;
    let isSent = false;
    const tried = await announce(
      () => {
        isSent = true;
        return true;
      },
      {
        run: async (write) => {
          const code = ['SQLITE_BUSY', '57P01', '55P03'][isSent ? failures++ : 3];
          if (code !== undefined) throw Object.assign(new Error('no'), { code });
          return await database.run(write);
        },
      },
    );
    assert.deepEqual([tried, await states()], [['ver_1'], [['sent', null, 1]]]);
  });

  it('a process that ends without waiting notes nothing: whether it arrived is unknown', async () => {
    await database.publish('1');
    const stopped = () => Promise.reject(new DeliveryError('stopped before there was a response'));
    await assert.rejects(announce(stopped, { interrupting: AbortSignal.abort() }), DeliveryError);
    assert.deepEqual(await states(), [['sending', null, 1]]);
  });

  it('a process that is about to end claims nothing', async () => {
    await database.publish('1');
    assert.deepEqual(await announce(() => true, { closing: AbortSignal.abort() }), []);
    assert.deepEqual(await states(), [['pending', null, 0]]);
  });

  it('a version that is sent again has a new id, and is retried like any other if that fails', async () => {
    const of = { about: 'ver_1', team: 'acme', product: 'rocket', version: '1' };
    const again = (send: Delivering['send']) =>
      deliverAgain(HOOK, of, { run: database.run, send, onOutcome: () => {} });
    await database.publish('1');
    assert.deepEqual(await announce(() => true), ['ver_1']);
    const ids: string[] = [];
    for (let time = 0; time < 2; time++)
      assert.ok(await again(async (_, { messageId }) => ids.push(messageId) > 0));
    assert.notEqual(ids[0], ids[1]);
    assert.deepEqual(await states(), [['sent', null, 1]]);
    assert.ok(await again(() => Promise.reject(new DeliveryError('HTTP 500'))));
    assert.deepEqual(await states(), [['pending', 'HTTP 500', 1]]);
    assert.equal(await again(async () => false), false, 'it is hidden');
    assert.equal(await again(async () => true), false, 'it is claimed');
  });
});
