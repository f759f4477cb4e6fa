// The loop that runs the hooks in every process: when it asks the database, what it logs, and how it ends.
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { collectLines } from '../../cluster/lines.ts';
import { readConfig } from '../../src/config.ts';
import { type Hook, isPurgeHook } from '../../src/domain/hook.ts';
import type { Run, Send } from '../../src/hooks/deliver.ts';
import { DeliveryError } from '../../src/hooks/send.ts';
import { addDeliveries } from '../../src/hooks/store/deliveries.ts';
import { createLog } from '../../src/http/telemetry/log.ts';
import { openHookLoop } from '../../src/serve/hooks.ts';
import { openService } from '../../src/serve/service.ts';
import { EVERYTHING, type Touch } from '../../src/store/engine/touches.ts';
import type { OnTouched, Source } from '../../src/store/source/source.ts';
import { databaseUrl } from '../../support/databases/engine.ts';
import { until } from '../../support/processes/poll.ts';
import { sharedScope } from '../../support/processes/scope.ts';
import {
  announcementHook,
  type HookDatabase,
  openHookDatabase,
  purgeHook,
  SECRET,
} from '../hooks/database.ts';

const WRITE: Touch = { kind: 'team', teamId: 1, isHidden: false };
const TICK_MS = 1_000;

describe('the loop of hooks', () => {
  const scope = sharedScope();
  let database: HookDatabase;
  before(async () => {
    database = await openHookDatabase(scope);
  });
  beforeEach(() => database.reset());

  type Started = Readonly<{ hooks?: readonly Hook[]; isBroken?: () => boolean; send?: Send }>;

  /** A loop whose interval is a fake clock. */
  async function start(
    t: TestContext,
    { hooks = [announcementHook('chat')], isBroken = () => false, send }: Started = {},
  ) {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let signal: OnTouched = () => {};
    const source = {
      onTouched: (listener: OnTouched) => {
        signal = listener;
      },
    } as unknown as Source;
    const lines = collectLines();
    const sent: string[] = [];
    const counted: string[] = [];
    let queries = 0;
    const run: Run = (write) =>
      database.run((db) => {
        if (isBroken()) throw new Error('the disk is gone');
        return write(
          db.withPlugin({
            transformQuery: ({ node }) => {
              queries++;
              return node;
            },
            transformResult: async ({ result }) => result,
          }),
        );
      });
    const loop = await openHookLoop({
      hooks,
      source,
      run,
      send: async (hook, delivery) => {
        if (send !== undefined) return await send(hook, delivery);
        sent.push(`${hook.name} ${delivery.version}`);
        return true;
      },
      onOutcome: (name, outcome) => void counted.push(`${name} ${outcome}`),
      log: createLog('info', { write: lines.add }),
    });
    t.after(loop.stop);
    return {
      ...loop,
      lines,
      sent,
      counted,
      queries: () => queries,
      touch: (...touches: Touch[]) => signal(touches),
      tick: () => t.mock.timers.tick(TICK_MS),
      /** So that it is sent at once. */
      publish: async (...labels: string[]) => {
        await database.publish(...labels);
        for (const hook of hooks) if (!isPurgeHook(hook)) await run((db) => addDeliveries(db, hook, 0));
      },
    };
  }

  it('asks the database once a second, and for nothing else while nothing changes', async (t) => {
    const {
      start: begin,
      queries,
      tick,
    } = await start(t, {
      hooks: [announcementHook('chat'), announcementHook('site'), announcementHook('mail')],
    });
    begin();
    await until('the first check', () => queries() > 0);
    await database.query('select 1');
    const before = queries();
    for (let second = 1; second <= 5; second++) {
      tick();
      await until('a check', () => queries() >= before + second);
    }
    assert.equal(queries(), before + 5);
  });

  it('what is public when a hook is set up is not announced, and each version after that is, to every hook', async (t) => {
    await database.publish('1');
    const {
      start: begin,
      sent,
      lines,
      counted,
      touch,
    } = await start(t, {
      hooks: [announcementHook('chat'), announcementHook('site')],
    });
    await database.publish('2');
    begin();
    touch(WRITE);
    await until('both have it', () => counted.length === 2);
    assert.deepEqual(sent.toSorted(), ['chat 2', 'site 2']);
    assert.deepEqual(counted.toSorted(), ['chat sent', 'site sent']);
    assert.equal(lines.count('"version announced"'), 2);
    assert.match(lines.all[0] ?? '', /"level":"info",.*"product":"acme\/rocket".*"messageId":"msg_/);
  });

  it('a hook that fails is logged and counted without its URL and its secret, and does not stop the others', async (t) => {
    const {
      start: begin,
      publish,
      counted,
      lines,
    } = await start(t, {
      hooks: [announcementHook('bad'), announcementHook('good'), purgeHook('edge')],
      send: async ({ name }) => {
        if (name === 'good') return true;
        throw new DeliveryError(name === 'bad' ? 'HTTP 503' : 'HTTP 500');
      },
    });
    await publish('1');
    begin();
    await until('all have ended', () => counted.length >= 3);
    assert.deepEqual([...new Set(counted)].toSorted(), ['bad failed', 'edge failed', 'good sent']);
    const about = (text: string) => lines.all.find((line) => line.includes(text)) ?? '';
    assert.match(
      about('announcement failed'),
      /"level":"warn",.*"hook":"bad".*"reason":"HTTP 503","attempts":1,"againSeconds":5/,
    );
    assert.match(about('purge failed'), /"level":"error",.*"hook":"edge".*"reason":"HTTP 500"/);
    assert.ok(lines.all.every((line) => !line.includes(SECRET) && !line.includes('127.0.0.1')));
  });

  it('what fails is tried with one message a second, and is news once for each reason', async (t) => {
    let reason = 'HTTP 503';
    const {
      start: begin,
      publish,
      counted,
      lines,
      tick,
    } = await start(t, {
      send: async () => {
        throw new DeliveryError(reason);
      },
    });
    await publish('1', '2', '3', '4');
    begin();
    for (const failures of [1, 2, 3, 4]) {
      await until('one more failure', () => counted.length >= failures);
      await database.query('select 1');
      assert.equal(counted.length, failures, 'the others wait for the next second');
      assert.equal(lines.count('announcement failed'), failures < 3 ? 1 : 2);
      reason = failures < 2 ? 'HTTP 503' : 'ECONNREFUSED';
      tick();
    }
  });

  it('knows for how long a hook is behind: while the database cannot be used, or nothing is sent', async (t) => {
    let isBroken = false;
    const {
      start: begin,
      publish,
      behindMs,
      counted,
      queries,
      tick,
    } = await start(t, {
      isBroken: () => isBroken,
      send: () => Promise.reject(new DeliveryError('HTTP 500')),
    });
    begin();
    await until('the first check', () => queries() > 0);
    assert.equal(behindMs('chat'), 0);
    isBroken = true;
    tick();
    await until('it is behind', () => behindMs('chat') > 0);
    isBroken = false;
    tick();
    await until('it is not', () => behindMs('chat') === 0);
    assert.equal(behindMs('another'), 0);
    // What is due, while the receiver is not asked.
    const failAgain = async () => {
      await database.execute(
        `update hook_deliveries set due_at = '2000-01-01T00:00:00.000Z' where state = 'pending'`,
      );
      tick();
      return counted.length > 1 && behindMs('chat') > 0;
    };
    await publish('1');
    await until('it is behind', failAgain);
  });

  it('a version that was tried for a day is given up, and that is an error', async (t) => {
    const {
      start: begin,
      publish,
      counted,
      lines,
      tick,
    } = await start(t, {
      send: () => Promise.reject(new DeliveryError('HTTP 500')),
    });
    await publish('1');
    begin();
    await until('it has failed', () => counted.length === 1);
    await database.execute(
      `update hook_deliveries set attempts = 10, due_at = '2000-01-01T00:00:00.000Z' where state = 'pending'`,
    );
    tick();
    await until('it is given up', () => counted.length === 2);
    assert.deepEqual(counted, ['chat failed', 'chat given_up']);
    assert.equal(lines.count('"announcement given up"'), 1);
    assert.match(lines.all.at(-1) ?? '', /"level":"error",.*"reason":"HTTP 500","attempts":11/);
  });

  it('stopping waits for what is being sent and notes it, and then nothing begins', async (t) => {
    const sending = Promise.withResolvers<void>();
    const response = Promise.withResolvers<boolean>();
    const {
      start: begin,
      publish,
      stop,
      touch,
      tick,
      queries,
    } = await start(t, {
      send: () => {
        sending.resolve();
        return response.promise;
      },
    });
    await publish('1', '2');
    begin();
    await sending.promise;
    let hasStopped = false;
    const stopped = stop().then(() => {
      hasStopped = true;
    });
    await nextTurn();
    assert.equal(hasStopped, false);
    response.resolve(true);
    await stopped;
    const states = await database.query<{ state: string; attempts: number }>(
      `select state, attempts from hook_deliveries where kind <> 'watch' order by attempts`,
    );
    assert.deepEqual(
      states.map(({ state, attempts }) => [state, attempts]),
      [
        ['pending', 0],
        ['sent', 1],
      ],
    );
    const before = queries();
    touch(WRITE);
    tick();
    await nextTurn();
    assert.equal(queries(), before);
  });

  it('another database in place of the last one: hooks are set up anew, and everything is purged', async (t) => {
    const {
      start: begin,
      sent,
      touch,
      counted,
    } = await start(t, {
      hooks: [announcementHook('chat'), purgeHook('edge')],
    });
    await database.execute(`delete from hook_deliveries where kind = 'watch'`);
    await database.publish('1');
    begin();
    touch(EVERYTHING);
    await until('everything is purged', () => counted.includes('edge purged'));
    assert.deepEqual(
      await database.query(
        `select hook, state from hook_deliveries where kind = 'announcement' and state <> 'pending'`,
      ),
      [{ hook: 'chat', state: 'known' }],
    );
    assert.ok(!sent.includes('chat 1'));
  });

  it('with SCHEDULER=off, nothing is written or sent', async (t) => {
    const lines = collectLines();
    const config = readConfig({
      DATABASE_URL: databaseUrl(database.sandbox),
      SCHEDULER: 'off',
      KEY_USAGE: 'off',
    });
    const service = await openService(config, {
      isWorker: false,
      log: createLog('info', { write: lines.add }),
      extraCss: '',
      hooks: [announcementHook('chat'), purgeHook('edge')],
      environment: {},
    });
    t.after(service.close);
    service.hookLoop?.start();
    await database.publish('1');
    await service.hookLoop?.stop();
    assert.deepEqual(await database.query('select hook from hook_deliveries'), []);
    assert.equal(lines.count('SCHEDULER is off'), 1);
  });
});
