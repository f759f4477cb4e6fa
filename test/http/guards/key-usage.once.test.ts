import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { collectLines } from '../../../cluster/lines.ts';
import { batchKeyUsage, type KeyUses } from '../../../src/http/guards/key-usage.ts';
import { createLog } from '../../../src/http/telemetry/log.ts';

const START = Date.parse('2026-06-01T08:00:00.000Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Key usage on a fake clock, with a recorder that the test controls. */
function startUsage(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: START });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const lines = collectLines();
  const batches: [keyId: string, usedAt: string][][] = [];
  const recorder = { record: async (_uses: KeyUses) => {} };
  const usage = batchKeyUsage(
    async (uses) => {
      batches.push([...uses]);
      await recorder.record(uses);
    },
    createLog('info', { write: lines.add }),
  );
  return {
    ...usage,
    batches,
    recorder,
    lines,
    /** Advances the clock and runs everything that is due. */
    pass: async (ms: number) => {
      now += ms;
      t.mock.timers.tick(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const at = (ms: number) => new Date(START + ms).toISOString();

describe('key usage', () => {
  it('uses are collected for a second and recorded together, each with its timestamp', async (t) => {
    const { record, pass, batches } = startUsage(t);
    record('key_a');
    await pass(400);
    record('key_b');
    await pass(599);
    assert.deepEqual(batches, []);
    await pass(1);
    assert.deepEqual(batches, [
      [
        ['key_a', at(0)],
        ['key_b', at(400)],
      ],
    ]);
  });

  it('a key is recorded once a minute, however often it is used', async (t) => {
    const { record, pass, batches } = startUsage(t);
    const seconds = 10 * 60;
    for (let second = 0; second < seconds; second++) {
      for (let use = 0; use < 5; use++) record('key_a');
      if (second % 90 === 0) record('key_b');
      await pass(SECOND);
    }
    const times = batches.flat().filter(([keyId]) => keyId === 'key_a');
    assert.equal(times.length, 10);
    for (const [index, [, usedAt]] of times.entries()) {
      const before = times[index - 1]?.[1];
      if (before !== undefined) assert.ok(Date.parse(usedAt) - Date.parse(before) >= MINUTE - SECOND);
    }
    assert.equal(batches.flat().filter(([keyId]) => keyId === 'key_b').length, Math.ceil(seconds / 90));
  });

  it('nothing is recorded while no key is used', async (t) => {
    const { pass, batches, close } = startUsage(t);
    await pass(10 * MINUTE);
    await close();
    assert.deepEqual(batches, []);
  });

  it('a use while its key is being recorded is not recorded again', async (t) => {
    const { record, pass, batches, recorder } = startUsage(t);
    const { promise, resolve } = Promise.withResolvers<void>();
    recorder.record = () => promise;
    record('key_a');
    await pass(SECOND);
    record('key_a');
    record('key_b');
    await pass(10 * SECOND);
    assert.equal(batches.length, 1, 'one batch at a time');
    resolve();
    await pass(0);
    await pass(SECOND);
    assert.deepEqual(
      batches.map((batch) => batch.map(([keyId]) => keyId)),
      [['key_a'], ['key_b']],
    );
  });

  it('the number of keys in a batch is limited', async (t) => {
    const { record, pass, batches } = startUsage(t);
    for (let index = 0; index < 1_500; index++) record(`key_${index}`);
    await pass(SECOND);
    assert.equal(batches[0]?.length, 1_000);
    record('key_1400');
    await pass(SECOND);
    assert.deepEqual(
      batches[1]?.map(([keyId]) => keyId),
      ['key_1400'],
    );
  });
});

describe('a failing recorder of key usage', () => {
  it('a failure is logged once and retried every second until every use is recorded', async (t) => {
    const { record, pass, batches, recorder, lines } = startUsage(t);
    recorder.record = async () => {
      throw new Error('database is locked');
    };
    record('key_a');
    await pass(500);
    record('key_b');
    for (let round = 0; round < 5; round++) await pass(SECOND);
    assert.equal(batches.length, 5);
    assert.equal(lines.count('not recorded'), 1);
    assert.equal(lines.count('database is locked'), 1);
    record('key_b');
    recorder.record = async () => {};
    await pass(SECOND);
    assert.deepEqual(Object.fromEntries(batches.at(-1) ?? []), { key_a: at(0), key_b: at(5_500) });
    await pass(MINUTE);
    assert.equal(batches.length, 6, 'nothing is left to be done');
  });

  it('a failure after a success is logged again', async (t) => {
    const { record, pass, recorder, lines } = startUsage(t);
    const fail = async () => {
      throw new Error('gone');
    };
    for (const save of [fail, async () => {}, fail]) {
      recorder.record = save;
      record('key_a');
      await pass(SECOND);
      await pass(MINUTE);
    }
    assert.equal(lines.count('not recorded'), 2);
  });

  it('failures do not make the batch grow', async (t) => {
    const { record, pass, batches, recorder } = startUsage(t);
    recorder.record = async () => {
      for (let index = 0; index < 800; index++) record(`later_${batches.length}_${index}`);
      throw new Error('gone');
    };
    for (let index = 0; index < 800; index++) record(`key_${index}`);
    for (let round = 0; round < 5; round++) await pass(SECOND);
    assert.ok(batches.length >= 5);
    for (const batch of batches) assert.ok(batch.length <= 1_000);
  });
});

describe('closing key usage', () => {
  it('closing records the current batch immediately, and nothing later', async (t) => {
    const { record, pass, batches, close } = startUsage(t);
    record('key_a');
    await close();
    assert.deepEqual(batches, [[['key_a', at(0)]]]);
    record('key_b');
    await pass(MINUTE);
    assert.equal(batches.length, 1);
  });

  it('closing waits for the batch in progress and records later uses', async (t) => {
    const { record, pass, batches, recorder, close } = startUsage(t);
    const { promise, resolve } = Promise.withResolvers<void>();
    recorder.record = () => promise;
    record('key_a');
    await pass(SECOND);
    record('key_b');
    const closed = close();
    await pass(0);
    assert.equal(batches.length, 1);
    resolve();
    await closed;
    assert.deepEqual(
      batches.map((batch) => batch.map(([keyId]) => keyId)),
      [['key_a'], ['key_b']],
    );
  });

  it('closing ends even if the recorder fails', async (t) => {
    const { record, pass, batches, recorder, close } = startUsage(t);
    recorder.record = async () => {
      throw new Error('gone');
    };
    record('key_a');
    await close();
    await pass(MINUTE);
    assert.equal(batches.length, 1);
  });
});
