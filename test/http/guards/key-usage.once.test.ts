import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { collectLines } from '../../../cluster/lines.ts';
import { batchKeyUsage, type KeyUses } from '../../../src/http/guards/key-usage.ts';
import { createLog } from '../../../src/http/telemetry/log.ts';

const START = Date.parse('2026-06-01T08:00:00.000Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Uses gathered on a clock that the test moves, and recorded by whatever the test puts in place. */
function gathering(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START });
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
    /** Moves the clock, and lets everything run that waited for it. */
    pass: async (ms: number) => {
      now += ms;
      t.mock.timers.tick(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const at = (ms: number) => new Date(START + ms).toISOString();

describe('uses of keys', () => {
  it('are gathered for a second and recorded together, each with its moment', async (t) => {
    const { note, pass, batches } = gathering(t);
    note('key_a');
    await pass(400);
    note('key_b');
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

  it('are recorded once a minute for each key, however many there are', async (t) => {
    const { note, pass, batches } = gathering(t);
    const seconds = 10 * 60;
    for (let second = 0; second < seconds; second++) {
      for (let use = 0; use < 5; use++) note('key_a');
      if (second % 90 === 0) note('key_b');
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

  it('cost nothing while there are none', async (t) => {
    const { pass, batches, close } = gathering(t);
    await pass(10 * MINUTE);
    await close();
    assert.deepEqual(batches, []);
  });

  it('of a key that is being recorded at the moment are not recorded again', async (t) => {
    const { note, pass, batches, recorder } = gathering(t);
    const { promise, resolve } = Promise.withResolvers<void>();
    recorder.record = () => promise;
    note('key_a');
    await pass(SECOND);
    note('key_a');
    note('key_b');
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

  it('are bounded in number', async (t) => {
    const { note, pass, batches } = gathering(t);
    for (let index = 0; index < 1_500; index++) note(`key_${index}`);
    await pass(SECOND);
    assert.equal(batches[0]?.length, 1_000);
    note('key_1400');
    await pass(SECOND);
    assert.deepEqual(
      batches[1]?.map(([keyId]) => keyId),
      ['key_1400'],
    );
  });
});

describe('a recorder that fails', () => {
  it('is logged once, tried again every second, and in the end gets every use with its own moment', async (t) => {
    const { note, pass, batches, recorder, lines } = gathering(t);
    recorder.record = async () => {
      throw new Error('database is locked');
    };
    note('key_a');
    await pass(500);
    note('key_b');
    for (let round = 0; round < 5; round++) await pass(SECOND);
    assert.equal(batches.length, 5);
    assert.equal(lines.count('not recorded'), 1);
    assert.equal(lines.count('database is locked'), 1);
    note('key_b');
    recorder.record = async () => {};
    await pass(SECOND);
    assert.deepEqual(Object.fromEntries(batches.at(-1) ?? []), { key_a: at(0), key_b: at(5_500) });
    await pass(MINUTE);
    assert.equal(batches.length, 6, 'nothing is left to be done');
  });

  it('is logged again when it fails anew', async (t) => {
    const { note, pass, recorder, lines } = gathering(t);
    const fail = async () => {
      throw new Error('gone');
    };
    for (const record of [fail, async () => {}, fail]) {
      recorder.record = record;
      note('key_a');
      await pass(SECOND);
      await pass(MINUTE);
    }
    assert.equal(lines.count('not recorded'), 2);
  });

  it('does not make the batch grow', async (t) => {
    const { note, pass, batches, recorder } = gathering(t);
    recorder.record = async () => {
      for (let index = 0; index < 800; index++) note(`later_${batches.length}_${index}`);
      throw new Error('gone');
    };
    for (let index = 0; index < 800; index++) note(`key_${index}`);
    for (let round = 0; round < 5; round++) await pass(SECOND);
    assert.ok(batches.length >= 5);
    for (const batch of batches) assert.ok(batch.length <= 1_000);
  });
});

describe('closing', () => {
  it('records what is gathered at once, and nothing after it', async (t) => {
    const { note, pass, batches, close } = gathering(t);
    note('key_a');
    await close();
    assert.deepEqual(batches, [[['key_a', at(0)]]]);
    note('key_b');
    await pass(MINUTE);
    assert.equal(batches.length, 1);
  });

  it('waits for the batch that is under way, and records what came after it', async (t) => {
    const { note, pass, batches, recorder, close } = gathering(t);
    const { promise, resolve } = Promise.withResolvers<void>();
    recorder.record = () => promise;
    note('key_a');
    await pass(SECOND);
    note('key_b');
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

  it('ends where the recorder fails, too', async (t) => {
    const { note, pass, batches, recorder, close } = gathering(t);
    recorder.record = async () => {
      throw new Error('gone');
    };
    note('key_a');
    await close();
    await pass(MINUTE);
    assert.equal(batches.length, 1);
  });
});
