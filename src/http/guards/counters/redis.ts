import { Redis } from 'ioredis';
import { withTimeout } from '../../../store/engine/timeout.ts';
import type { Allowance, Counters } from './counters.ts';
import { COUNT_MS_MAX, type RemoteCounters } from './shared.ts';

const CONNECT_MS_MAX = 1_000;
const PROBE: Allowance = { kind: 'probe', max: 1, windowSeconds: 1 };

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

/** One connection for one life: whoever uses it makes another when it is lost. */
const CLIENT_OPTIONS = {
  lazyConnect: true,
  retryStrategy: () => null,
  enableOfflineQueue: false,
  enableReadyCheck: false,
  connectTimeout: CONNECT_MS_MAX,
  // Whoever disconnects has given up: what is still unanswered is let go of at once.
  disconnectTimeout: 1,
  connectionName: 'changelog',
  scripts: { addToCount: { numberOfKeys: 1, lua: COUNT_SCRIPT } },
};

/** Counters in Redis, which were just seen to count, and to do so in time. */
export async function connectRedis(url: string, answerMsMax = COUNT_MS_MAX): Promise<RemoteCounters> {
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
    // A number of a database that is not there is an error after which the client would go on, in another database.
    if (reason !== null) throw new Error(reason);
    // A server that may not be written to answers a PING too. The first count may have to bring the script there.
    await withTimeout(count(), CONNECT_MS_MAX);
    await withTimeout(count(), answerMsMax);
  } catch (error) {
    client.disconnect();
    throw new Error(reason ?? describe(error as Error, url));
  }
  const lost = Promise.withResolvers<Error>();
  client.once('end', () => lost.resolve(new Error(reason ?? 'the connection was closed')));
  return { add, close: () => client.disconnect(), lost: lost.promise };
}

/** In a few words, without the password: old servers repeat in their errors what was sent to them. */
function describe(error: Error, url: string): string {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  const { password } = new URL(url);
  const words = error.message || code;
  if (password === '') return words;
  return [password, decodeURIComponent(password)].reduce(
    (text, secret) => text.replaceAll(secret, '***'),
    words,
  );
}
