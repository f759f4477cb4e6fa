import { Redis } from 'ioredis';
import { withTimeout } from '../../../timeout.ts';
import type { Counters } from './counters.ts';
import { COUNT_MS_MAX, PROBE, type RemoteCounters } from './shared.ts';

const CONNECT_MS_MAX = 1_000;

/** Other programs may keep keys in the same database. */
const KEY_PREFIX = 'changelog';
/** A script is atomic: no key is left without an expiry, even if this process dies. Adding 0 creates no key. */
const COUNT_SCRIPT = `
local left = redis.call('pttl', KEYS[1])
if left < 0 and ARGV[1] == '0' then return {0, 0} end
local count = redis.call('incrby', KEYS[1], ARGV[1])
if left < 0 then
  left = 1000 * ARGV[2]
  redis.call('pexpire', KEYS[1], left)
end
return {count, left}`;

/** ioredis adds a method for the script, which it sends by its hash once the server knows it. */
type ScriptedRedis = Redis &
  Readonly<{ addToCount: (key: string, points: number, windowSeconds: number) => Promise<[number, number]> }>;

/** A lost connection is replaced by a new client, so this one never reconnects. */
const CLIENT_OPTIONS = {
  lazyConnect: true,
  retryStrategy: () => null,
  enableOfflineQueue: false,
  enableReadyCheck: false,
  connectTimeout: CONNECT_MS_MAX,
  // After a disconnect nothing waits for pending commands.
  disconnectTimeout: 1,
  connectionName: 'changelog',
  scripts: { addToCount: { numberOfKeys: 1, lua: COUNT_SCRIPT } },
};

/** Connects, and verifies that counting works and is fast enough. */
export async function connectRedis(url: string): Promise<RemoteCounters> {
  const client = new Redis(url, CLIENT_OPTIONS) as ScriptedRedis;
  let reason: string | null = null;
  client.on('error', (error) => {
    reason ??= describe(error, url);
  });
  const add: Counters['add'] = async ({ kind, windowSeconds }, address, points) => {
    const key = `${KEY_PREFIX}:${kind}:${address}`;
    const [count, msBeforeNext] = await client.addToCount(key, points, windowSeconds);
    return { count, msBeforeNext };
  };
  const count = () => add(PROBE, 'any', 1);
  try {
    await withTimeout(client.connect(), CONNECT_MS_MAX);
    // After selecting a database that does not exist, the client would go on in another one.
    if (reason !== null) throw new Error(reason);
    // A read-only server answers PING too, so this writes. The first count may have to load the script.
    await withTimeout(count(), CONNECT_MS_MAX);
    await withTimeout(count(), COUNT_MS_MAX);
  } catch (error) {
    client.disconnect();
    throw new Error(reason ?? describe(error as Error, url));
  }
  const lost = Promise.withResolvers<Error>();
  client.once('end', () => lost.resolve(new Error(reason ?? 'the connection was closed')));
  return { add, close: () => client.disconnect(), lost: lost.promise };
}

/** Hides the password: old servers repeat commands in their errors. */
function describe(error: Error, url: string): string {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  const { password, searchParams } = new URL(url);
  return [password, decodeURIComponent(password), searchParams.get('password') ?? '']
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '***'), error.message || code);
}
