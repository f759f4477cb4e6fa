import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { withTimeout } from '../../../timeout.ts';
import type { Allowance, Counters } from './counters.ts';
import { COUNT_MS_MAX, type RemoteCounters } from './shared.ts';

const CONNECT_MS_MAX = 1_000;
const PROBE: Allowance = { kind: 'probe', max: 1, windowSeconds: 1 };

/** Stands before every key: others may count in the same place. */
const KEY_PREFIX = 'changelog';
/** One step for all who count here. Nothing is kept of who only looks. */
const COUNT_SCRIPT = `
local left = redis.call('pttl', KEYS[1])
if left < 0 and ARGV[1] == '0' then return {0, 0} end
local count = redis.call('incrby', KEYS[1], ARGV[1])
if left < 0 then
  left = 1000 * ARGV[2]
  redis.call('pexpire', KEYS[1], left)
end
return {count, left}`;

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
};

/** Counters in Redis, which were just seen to count, and to do so in time. */
export async function connectRedis(url: string, answerMsMax = COUNT_MS_MAX): Promise<RemoteCounters> {
  const client = new Redis(url, CLIENT_OPTIONS);
  let reason: string | null = null;
  client.on('error', (error) => {
    reason ??= describe(error, url);
  });
  const add = countIn(client);
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

function countIn(client: Redis): Counters['add'] {
  const limiter = new RateLimiterRedis({
    storeClient: client,
    keyPrefix: KEY_PREFIX,
    // What the library wants to know and we do not use: limits are compared by who counts, windows come with each key.
    points: 0,
    duration: 1,
    customIncrTtlLuaScript: COUNT_SCRIPT,
  });
  return async ({ kind, windowSeconds }, client, points) => {
    // A penalty counts like what is consumed, but is never refused.
    const counted = await limiter.penalty(`${kind}:${client}`, points, { customDuration: windowSeconds });
    return { count: counted.consumedPoints, msBeforeNext: counted.msBeforeNext };
  };
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
