// A day of requests in short: many readers, a few writes.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { until } from '../../support/processes/poll.ts';
import type { Setup } from './cdn.ts';
import { POPULAR, type Target, versionId } from './world.ts';

export const HIT_RATE_MIN = 0.99;
const CONNECTIONS = 16;

type Day = Readonly<{ requests: number; writes: number; urls?: number }>;

/** Plays the requests of a day, with the writes spread over it; returns the share of them that Varnish had cached. */
export async function replayDay(
  setup: Setup,
  { requests, writes, urls = POPULAR.length }: Day,
): Promise<number> {
  const before = await countersOf(setup);
  const next = zipf(POPULAR.slice(0, urls));
  let sent = 0;
  const send = async () => {
    while (sent < requests) {
      if (sent++ % Math.ceil(requests / (writes + 1)) === 0 && sent > 1) await write(setup, sent);
      const { host, path } = next();
      await setup.client.get(setup.varnish.address + path, { host });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  let after = before;
  // Its threads add what they counted when they have nothing else to do.
  await until('Varnish has counted every request', async () => {
    after = await countersOf(setup);
    return after.requests - before.requests >= requests;
  });
  return (after.hits - before.hits) / (after.requests - before.requests);
}

async function write({ writer }: Setup, serial: number): Promise<void> {
  const id = versionId('mars', serial % 2 ? 'rocket' : 'suit', '2.1.0');
  await writer.session.execute(`update versions set title = 'Of the day ${serial}' where id = '${id}'`);
}

/** The second most popular is requested half as often as the first, and so on. */
function zipf(targets: readonly Target[]): () => Target {
  let sum = 0;
  const sums = targets.map((_, index) => {
    sum += 1 / (index + 1);
    return sum;
  });
  return () => {
    const at = Math.random() * sum;
    return targets[sums.findIndex((each) => each > at)] as Target;
  };
}

/** Purges are requests, too, but neither hits nor misses. */
async function countersOf({ varnish }: Setup): Promise<{ hits: number; requests: number }> {
  const { stdout } = await promisify(execFile)('varnishstat', ['-n', varnish.work, '-j']);
  const { counters } = JSON.parse(stdout) as { counters: Record<string, { value: number }> };
  const of = (name: string) => counters[`MAIN.${name}`]?.value ?? 0;
  return { hits: of('cache_hit'), requests: of('cache_hit') + of('cache_miss') + of('s_pass') };
}
