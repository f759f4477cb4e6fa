// When the scheduler writes, what it logs, and when it retries.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { collectLines } from '../../cluster/lines.ts';
import { createLog } from '../../src/http/telemetry/log.ts';
import { startScheduler } from '../../src/serve/scheduler.ts';
import type { SomeVersions } from '../../src/store/read/due.ts';
import type { OnDue, Source } from '../../src/store/source/source.ts';
import type { PublishedVersion } from '../../src/store/write/publish-due.ts';

const BATCH = 50;
const dueVersions = (count: number, ...names: string[]): SomeVersions => ({
  count,
  first: names.map((name) => ({ name, time: '2026-05-04T09:00:00.000Z' })),
});
const versionOf = (label: number): PublishedVersion => ({
  id: `ver_${label}`,
  team: 'acme',
  product: 'rocket',
  version: `${label}.0`,
  publishedAt: '2026-05-04T09:00:00.000Z',
});
const versions = (count: number) => Array.from({ length: count }, (_, index) => versionOf(index + 1));
const failure = (code: string) => Object.assign(new Error(`failed with ${code}`), { code });

/** A scheduler on a fake clock, with a database that the test controls. */
function start(t: TestContext, { isOn = true } = {}) {
  let now = 0;
  // A mock of a mock would stay for the tests of other files.
  t.mock.restoreAll();
  t.mock.method(performance, 'now', () => now);
  let signal: OnDue = () => {};
  const lines = collectLines();
  const asked: number[] = [];
  const database = {
    publish: async (_versionsMax: number): Promise<PublishedVersion[]> => [],
    due: dueVersions(0),
  };
  let published = 0;
  const source = {
    onDue: (listener: OnDue) => {
      signal = listener;
    },
    read: async () => database.due,
  } as unknown as Source;
  const scheduler = startScheduler({
    isOn,
    source,
    publish: (versionsMax) => {
      asked.push(versionsMax);
      return database.publish(versionsMax);
    },
    onPublished: (count) => {
      published += count;
    },
    log: createLog('info', { write: lines.add }),
  });
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ...scheduler,
    database,
    asked,
    lines,
    settle,
    published: () => published,
    signal: (overdueMs = 100) => signal(overdueMs),
    /** Something is due, this long after the last time. */
    pass: async (ms: number, overdueMs = 100) => {
      now += ms;
      signal(overdueMs);
      await settle();
    },
  };
}

const inTurn =
  (...batches: PublishedVersion[][]) =>
  async () =>
    batches.shift() ?? [];

describe('the scheduler', () => {
  it('the scheduler publishes in batches until nothing is due, and logs and counts each version', async (t) => {
    const { database, pass, asked, lines, published } = start(t);
    // Another process has published some of the second batch.
    database.publish = inTurn(versions(BATCH), versions(3), versions(BATCH));
    await pass(0);
    assert.deepEqual(asked, [BATCH, BATCH, BATCH, BATCH]);
    assert.equal(published(), 2 * BATCH + 3);
    assert.equal(lines.count('"scheduled version published"'), 2 * BATCH + 3);
    assert.match(
      lines.all[0] ?? '',
      /"level":"info",.*"product":"acme\/rocket","version":"1\.0","publishedAt":"2026-05-04T09:00:00\.000Z"/,
    );
  });

  it('the scheduler runs one statement at a time, and closing waits for it', async (t) => {
    const { database, pass, signal, asked, settle, close } = start(t);
    const statement = Promise.withResolvers<PublishedVersion[]>();
    database.publish = () => statement.promise;
    await pass(0);
    await pass(250);
    assert.equal(asked.length, 1);
    let isClosed = false;
    const closed = close().then(() => {
      isClosed = true;
    });
    await settle();
    assert.equal(isClosed, false);
    statement.resolve(versions(BATCH));
    await closed;
    signal();
    await settle();
    assert.equal(asked.length, 1, 'nothing is published after closing');
  });

  it('a failure is logged once, and retried twice a second until it succeeds', async (t) => {
    const { database, pass, asked, lines } = start(t);
    database.publish = async () => {
      throw failure('53300');
    };
    for (let tries = 0; tries < 40; tries++) await pass(250);
    assert.equal(asked.length, 20);
    assert.equal(lines.count('"reason":"failed with 53300"'), 1);
    assert.match(lines.all[0] ?? '', /"level":"warn",.*"msg":"scheduled versions are late: retrying"/);
    database.publish = inTurn(versions(1));
    await pass(2_000);
    assert.equal(lines.count('"scheduled version published"'), 1);
    database.publish = async () => {
      throw failure('53300');
    };
    await pass(250);
    assert.equal(lines.count('retrying'), 2, 'a new problem is logged again');
  });

  it('another writer is logged only if it makes versions late', async (t) => {
    for (const publish of [async () => [], () => Promise.reject(failure('SQLITE_BUSY'))]) {
      const { database, pass, lines } = start(t);
      database.publish = publish;
      await pass(0, 1_900);
      assert.deepEqual(lines.all, []);
      await pass(5_000, 2_100);
      await pass(5_000, 7_100);
      assert.equal(lines.count('scheduled versions are late'), 1);
      database.publish = inTurn(versions(1));
      await pass(5_000, 12_100);
      assert.equal(lines.count('"scheduled version published"'), 1);
    }
  });

  it('a read-only database is retried twice a minute, and what is due is logged once', async (t) => {
    for (const code of ['SQLITE_READONLY', 'SQLITE_CANTOPEN', '25006', '42501']) {
      const { database, pass, asked, lines, retry } = start(t);
      database.due = dueVersions(12, 'acme/rocket 1.0', 'acme/rocket 2.0');
      database.publish = async () => {
        throw new Error('cannot be opened', { cause: failure(code) });
      };
      for (let seconds = 0; seconds < 90; seconds++) await pass(1_000);
      assert.equal(asked.length, 3, code);
      assert.equal(lines.all.length, 1, code);
      assert.match(
        lines.all[0] ?? '',
        /"level":"warn",.*"reason":"cannot be opened","due":12,"versions":\["acme\/rocket 1\.0","acme\/rocket 2\.0"\],"msg":"scheduled versions are due: run `changelog publish-due`"/,
      );
      database.publish = inTurn(versions(1));
      retry();
      await pass(0);
      assert.equal(lines.count('"scheduled version published"'), 1, 'at once after the file was replaced');
    }
  });

  it('with SCHEDULER=off nothing is written, and what is due is logged whenever that changes', async (t) => {
    const { database, pass, asked, lines } = start(t, { isOn: false });
    database.due = dueVersions(1, 'acme/rocket 1.0');
    for (let seconds = 0; seconds < 60; seconds++) await pass(1_000);
    assert.equal(lines.all.length, 1);
    assert.match(lines.all[0] ?? '', /"level":"warn",.*"reason":"SCHEDULER is off","due":1,/);
    database.due = dueVersions(2, 'acme/rocket 1.0', 'acme/rocket 2.0');
    for (let seconds = 0; seconds < 60; seconds++) await pass(1_000);
    assert.equal(lines.all.length, 2);
    assert.deepEqual(asked, []);
  });

  it('a database that cannot be read either does not stop the scheduler', async (t) => {
    const { database, pass } = start(t, { isOn: false });
    Object.defineProperty(database, 'due', { get: () => assert.fail('down') });
    await pass(0);
    await pass(10_000);
  });
});
