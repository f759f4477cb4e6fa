import { Redis } from 'ioredis';
import { withTimeout } from '../../../timeout.ts';
import type { Addition, Count, RemoteCounters } from './counters.ts';
import { COUNT_MS_MAX, PROBE } from './shared.ts';

const CONNECT_MS_MAX = 1_000;

/** Other programs may share the database. The braces put all our keys into one slot of a Redis Cluster. */
const KEY_PREFIX = '{changelog}';
/** A cluster node without the slot replies with the node that has it. */
const MOVED = /^MOVED \d+ (?<host>.*):(?<port>\d+)$/;
const MOVES_MAX = 3;
/** Redis serves nobody else while a script runs. */
const KEYS_MAX = 500;
/** A script is atomic: no key is left without an expiry, even if this process dies. Adding 0 creates no key. */
const COUNT_SCRIPT = `
local counts = {}
for i, key in ipairs(KEYS) do
  local points = ARGV[2 * i - 1]
  local count = 0
  local left = redis.call('pttl', key)
  if left >= 0 or points ~= '0' then
    count = redis.call('incrby', key, points)
    if left < 0 then
      left = 1000 * ARGV[2 * i]
      redis.call('pexpire', key, left)
    end
  end
  counts[2 * i - 1] = count
  counts[2 * i] = left
end
return counts`;

/** ioredis adds a method for the script and sends it by its hash once the server knows it. */
type ScriptedRedis = Redis &
  Readonly<{ addToCounts: (keys: number, keysAndArguments: (string | number)[]) => Promise<number[]> }>;

/** A lost connection is replaced by a new client, so this one never reconnects. */
const CLIENT_OPTIONS = {
  lazyConnect: true,
  retryStrategy: () => null,
  enableOfflineQueue: false,
  enableReadyCheck: false,
  connectTimeout: CONNECT_MS_MAX,
  // After a disconnect, nothing waits for pending commands.
  disconnectTimeout: 1,
  connectionName: 'changelog',
  scripts: { addToCounts: { lua: COUNT_SCRIPT } },
};

/** Connects, in a cluster to the node with the counters, and verifies that counting works and is fast enough. */
export async function connectRedis(url: string, movesMax = MOVES_MAX): Promise<RemoteCounters> {
  const client = new Redis(url, CLIENT_OPTIONS) as ScriptedRedis;
  let reason: string | null = null;
  client.on('error', (error) => {
    reason ??= describe(error, url);
  });
  const count = () => addTogether(client, [PROBE]);
  try {
    await withTimeout(client.connect(), CONNECT_MS_MAX);
    // After selecting a database that does not exist, the client would continue in another one.
    if (reason !== null) throw new Error(reason);
    // A read-only server answers PING too, so this writes. The first count may have to load the script.
    await withTimeout(count(), CONNECT_MS_MAX);
    await withTimeout(count(), COUNT_MS_MAX);
  } catch (error) {
    client.disconnect();
    const moved = MOVED.exec((error as Error).message)?.groups;
    if (moved !== undefined && movesMax > 0) return await connectRedis(withServer(url, moved), movesMax - 1);
    throw new Error(reason ?? describe(error as Error, url));
  }
  const lost = Promise.withResolvers<Error>();
  client.once('end', () => lost.resolve(new Error(reason ?? 'the connection was closed')));
  return {
    addAll: (additions) => addAll(client, additions),
    close: () => client.disconnect(),
    lost: lost.promise,
  };
}

async function addAll(client: ScriptedRedis, additions: readonly Addition[]): Promise<readonly Count[]> {
  if (additions.length <= KEYS_MAX) return await addTogether(client, additions);
  const parts = Array.from({ length: Math.ceil(additions.length / KEYS_MAX) }, (_, index) =>
    addTogether(client, additions.slice(index * KEYS_MAX, (index + 1) * KEYS_MAX)),
  );
  return (await Promise.all(parts)).flat();
}

async function addTogether(client: ScriptedRedis, additions: readonly Addition[]): Promise<Count[]> {
  const keys = additions.map(({ allowance, client }) => `${KEY_PREFIX}:${allowance.kind}:${client}`);
  const points = additions.flatMap(({ allowance, points }) => [points, allowance.windowSeconds]);
  const counts = await client.addToCounts(keys.length, [...keys, ...points]);
  return additions.map((_, index) => ({
    count: counts[2 * index] as number,
    msBeforeNext: Math.max(0, counts[2 * index + 1] as number),
  }));
}

/** A node that omits the host means its own. */
function withServer(url: string, { host = '', port = '' }: Record<string, string>): string {
  const moved = new URL(url);
  if (host !== '') moved.hostname = host.includes(':') ? `[${host}]` : host;
  moved.port = port;
  return moved.href;
}

/** Hides the password: old servers repeat commands in their errors. */
function describe(error: Error, url: string): string {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  const { password, searchParams } = new URL(url);
  return [password, decodeURIComponent(password), searchParams.get('password') ?? '']
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '***'), error.message || code);
}
