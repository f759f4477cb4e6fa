// What the log says about hooks that fail: one line, neither a flood nor silence.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collectLines } from '../../cluster/lines.ts';
import { createLog } from '../../src/http/telemetry/log.ts';
import { createReceivers, createReports, isOfDatabase } from '../../src/serve/hook-reports.ts';

const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

describe('what hooks cannot do', () => {
  const WHAT = 'hooks cannot run';
  function open() {
    const clock = { ms: 0 };
    const lines = collectLines();
    const reports = createReports(createLog('info', { write: lines.add }), () => clock.ms);
    return { clock, lines, ...reports };
  }

  it('is logged once, and again only after it has worked', () => {
    const { lines, failed, works } = open();
    const full = failure('SQLITE_FULL', 'database or disk is full');
    for (let time = 0; time < 100; time++) failed(WHAT, full);
    assert.equal(lines.count('"hooks cannot run: retrying"'), 1);
    assert.match(lines.all[0] ?? '', /"level":"warn",.*"reason":"database or disk is full"/);
    works(WHAT);
    failed(WHAT, full);
    assert.equal(lines.count('retrying'), 2);
  });

  it('is not logged while another writer has a lock for less than 10 seconds', () => {
    const { clock, lines, failed, works } = open();
    const locked = failure('55P03', 'canceling statement due to lock timeout');
    failed(WHAT, locked);
    clock.ms = 9_000;
    failed(WHAT, locked);
    works(WHAT);
    clock.ms = 12_000;
    failed(WHAT, locked);
    assert.equal(lines.all.length, 0);
    clock.ms = 23_000;
    failed(WHAT, locked);
    failed(WHAT, locked);
    assert.equal(lines.count('canceling statement due to lock timeout'), 1);
  });

  it('a database that is down, full, locked or read-only is not the fault of one hook', () => {
    for (const code of ['57P01', 'SQLITE_FULL', '53100', '55P03', '25006', '42501', 'SQLITE_READONLY'])
      assert.ok(isOfDatabase(failure(code, 'no')), code);
    assert.ok(!isOfDatabase(new Error('no')));
  });
});

describe('a receiver that fails', () => {
  function open() {
    const clock = { ms: 0 };
    return { clock, ...createReceivers(() => clock.ms) };
  }

  it('is asked less and less often, at least every 30 seconds, whatever waits for it', () => {
    const { clock, isPaused, failed } = open();
    const pauses = Array.from({ length: 8 }, () => {
      failed('chat', 'HTTP 500');
      const since = clock.ms;
      while (isPaused('chat')) clock.ms += 1_000;
      return (clock.ms - since) / 1_000;
    });
    assert.deepEqual(pauses, [0, 2, 4, 8, 16, 30, 30, 30]);
    assert.equal(isPaused('another'), false);
  });

  it('is asked at once after it has worked', () => {
    const { failures, isPaused, failed, works } = open();
    for (let time = 0; time < 5; time++) failed('chat', 'HTTP 500');
    assert.ok(isPaused('chat'));
    assert.ok(works('chat'));
    assert.deepEqual([isPaused('chat'), failures('chat'), works('chat')], [false, 0, false]);
  });

  it('is news the first time, and when it fails in another way', () => {
    const { failed, works } = open();
    assert.deepEqual(
      ['HTTP 500', 'HTTP 500', 'ECONNREFUSED', 'ECONNREFUSED'].map((reason) => failed('chat', reason)),
      [true, false, true, false],
    );
    works('chat');
    assert.ok(failed('chat', 'ECONNREFUSED'));
  });
});
