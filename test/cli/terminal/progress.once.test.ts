import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cli } from '../../../src/cli/cli.ts';
import { formatMib, formatVersions, startProgress } from '../../../src/cli/terminal/progress.ts';

function watch(columns: number | null, environment: Record<string, string> = {}) {
  const drawn: string[] = [];
  const said: string[] = [];
  const terminal = {
    columns: () => columns ?? 0,
    draw: (text: string) => void drawn.push(text),
  };
  const cli = {
    environment,
    say: (text: string) => void said.push(text),
    ...(columns !== null && { terminal }),
  };
  const clock = { ms: 0 };
  const progress = startProgress(cli as unknown as Cli, {
    what: 'applying a.json',
    whole: 2_000,
    format: formatVersions,
    now: () => clock.ms,
  });
  return { drawn, said, clock, progress };
}

describe('progress on a terminal', () => {
  it('progress on a terminal is a line with percentage and amount, which is removed at the end', () => {
    const { drawn, said, clock, progress } = watch(120);
    clock.ms = 500;
    progress.done(1_000);
    clock.ms = 550;
    progress.done(1_100);
    clock.ms = 1_000;
    progress.done(1);
    progress.end();
    assert.deepEqual(drawn, [
      '\r\x1b[Kapplying a.json: 50 %, 1,000 versions',
      '\r\x1b[Kapplying a.json: 0 %, 1 version',
      '\r\x1b[K',
    ]);
    assert.deepEqual(said, []);
  });

  it('progress is never wider than the terminal', () => {
    for (const columns of [10, 40, 100]) {
      const { drawn, clock, progress } = watch(columns);
      clock.ms = 1_000;
      progress.done(999);
      const line = (drawn[0] ?? '').replace('\r\x1b[K', '');
      assert.ok(line.length < columns);
    }
  });

  it('progress is not shown for short work', () => {
    const { drawn, clock, progress } = watch(80);
    clock.ms = 50;
    progress.done(2_000);
    progress.end();
    assert.deepEqual(drawn, []);
  });
});

describe('progress without a terminal', () => {
  it('progress without a terminal, or on a dumb one, is a line every 10 seconds', () => {
    const { drawn, clock: ticking, progress: plain } = watch(80, { TERM: 'dumb' });
    ticking.ms = 500;
    plain.done(1_000);
    assert.deepEqual(drawn, []);
    const { said, clock, progress } = watch(null);
    for (const ms of [100, 5_000, 10_000, 12_000, 20_000]) {
      clock.ms = ms;
      progress.done(ms / 20);
    }
    progress.end();
    assert.deepEqual(said, [
      'changelog: applying a.json: 25 %, 500 versions',
      'changelog: applying a.json: 50 %, 1,000 versions',
    ]);
  });

  it('bytes are formatted as MiB', () => {
    assert.equal(formatMib(1.5 * 1024 ** 2), '1.5 MiB');
  });
});
