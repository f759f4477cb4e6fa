import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cli } from '../../../src/cli/cli.ts';
import { formatMib, formatVersions, withProgress } from '../../../src/cli/terminal/progress.ts';

type Steps = (done: (amount: number) => void, clock: { ms: number }) => void;

async function watch(columns: number | null, steps: Steps, environment: Record<string, string> = {}) {
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
  const work = { what: 'applying a.json', format: formatVersions, now: () => clock.ms };
  await withProgress(cli as unknown as Cli, work, async (done) =>
    steps((amount) => done(amount, 2_000), clock),
  );
  return { drawn, said };
}

describe('progress on a terminal', () => {
  it('progress on a terminal is a line with percentage and amount, which is removed at the end', async () => {
    const { drawn, said } = await watch(120, (done, clock) => {
      clock.ms = 500;
      done(1_000);
      clock.ms = 550;
      done(1_100);
      clock.ms = 1_000;
      done(1);
    });
    assert.deepEqual(drawn, [
      '\r\x1b[Kapplying a.json: 50 %, 1,000 versions',
      '\r\x1b[Kapplying a.json: 0 %, 1 version',
      '\r\x1b[K',
    ]);
    assert.deepEqual(said, []);
  });

  it('the line is removed if the work fails', async () => {
    const drawn: string[] = [];
    const terminal = { columns: () => 80, draw: (text: string) => void drawn.push(text) };
    let ms = 0;
    const work = { what: 'exporting acme', format: formatMib, now: () => ms };
    const failing = withProgress({ environment: {}, terminal } as unknown as Cli, work, async (done) => {
      ms = 500;
      done(1024 ** 2);
      throw new Error('no');
    });
    await assert.rejects(failing, /no/);
    assert.deepEqual(drawn, ['\r\x1b[Kexporting acme: 1.0 MiB', '\r\x1b[K']);
  });

  it('progress is never wider than the terminal', async () => {
    for (const columns of [10, 40, 100]) {
      const { drawn } = await watch(columns, (done, clock) => {
        clock.ms = 1_000;
        done(999);
      });
      const line = (drawn[0] ?? '').replace('\r\x1b[K', '');
      assert.ok(line.length < columns);
    }
  });

  it('progress is not shown for short work', async () => {
    const { drawn } = await watch(80, (done, clock) => {
      clock.ms = 50;
      done(2_000);
    });
    assert.deepEqual(drawn, []);
  });
});

describe('progress without a terminal', () => {
  it('progress without a terminal, or on a dumb one, is a line every 10 seconds', async () => {
    const soon: Steps = (done, clock) => {
      clock.ms = 500;
      done(1_000);
    };
    assert.deepEqual((await watch(80, soon, { TERM: 'dumb' })).drawn, []);
    const { said } = await watch(null, (done, clock) => {
      for (const ms of [100, 5_000, 10_000, 12_000, 20_000]) {
        clock.ms = ms;
        done(ms / 20);
      }
    });
    assert.deepEqual(said, [
      'changelog: applying a.json: 25 %, 500 versions',
      'changelog: applying a.json: 50 %, 1,000 versions',
    ]);
  });

  it('bytes are formatted as MiB', () => {
    assert.equal(formatMib(1.5 * 1024 ** 2), '1.5 MiB');
  });
});
