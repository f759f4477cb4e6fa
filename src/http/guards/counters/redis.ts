import { Redis } from 'ioredis';
import type { Transport } from './counters.ts';

/** Other programs may share the database. The braces put all our keys into one slot of a Redis Cluster. */
const KEY_PREFIX = '{changelog}';
/** A cluster node without the slot replies with the node that has it, and may omit the host if it is its own. */
const MOVED = /^MOVED \d+ (?<host>.*):(?<port>\d+)$/;
const MOVES_MAX = 3;
/** Does what `Sums` does. A key outlives its window by the length of one. */
const SCRIPT = `
local max, length = tonumber(ARGV[1]), 1000 * ARGV[2]
local numbers, reply = cjson.decode(ARGV[3]), {}
for i, key in ipairs(KEYS) do
  local passed, waiting, left = numbers[3 * i - 2], numbers[3 * i - 1], numbers[3 * i]
  local ttl, count = redis.call('pttl', key), 0
  if left > 0 and ttl <= length then
    count = math.max(0, tonumber(redis.call('get', key) or 0) - max)
    ttl = math.max(left, ttl) + length
    redis.call('set', key, count, 'px', ttl)
  end
  if ttl > 0 then
    count = redis.call('incrby', key, passed)
    local granted = math.min(waiting, math.max(0, max - count))
    if granted > 0 then redis.call('incrby', key, granted) end
  end
  reply[2 * i - 1], reply[2 * i] = count, math.max(0, ttl - length)
end
return reply`;

/** A lost connection is replaced by a new client, so this one never reconnects. */
const CLIENT_OPTIONS = {
  lazyConnect: true,
  retryStrategy: () => null,
  enableOfflineQueue: false,
  enableReadyCheck: false,
  connectTimeout: 1_000,
  // After a disconnect, nothing waits for pending commands.
  disconnectTimeout: 1,
  connectionName: 'changelog',
};

export function redisTransport(url: string): Transport {
  let connection: Promise<Redis> | undefined;
  return {
    name: 'Redis',
    exchange: async ({ kind, max, windowSeconds, clients, numbers }) => {
      connection ??= connect(url, MOVES_MAX);
      const redis = await connection;
      const keys = clients.map((client) => `${KEY_PREFIX}:${kind}:${client}`);
      const values = [SCRIPT, keys.length, ...keys, max, windowSeconds, JSON.stringify(numbers)];
      return (await redis.call('EVAL', values)) as number[];
    },
    close: () => {
      connection?.then((redis) => redis.disconnect()).catch(() => {});
      connection = undefined;
    },
  };
}

/** In a cluster, to the node with the counters. */
async function connect(url: string, movesMax: number): Promise<Redis> {
  const redis = new Redis(url, CLIENT_OPTIONS);
  let cause: (Error & { code?: string }) | undefined;
  const fail = (error: Error) => {
    cause ??= error;
  };
  await redis.on('error', fail).connect().catch(fail);
  await redis.exists(KEY_PREFIX).catch(fail);
  // After selecting a database that does not exist, the client would continue in another one.
  if (cause === undefined) return redis;
  redis.disconnect();
  const { host = '', port = '' } = MOVED.exec(cause.message)?.groups ?? {};
  const next = new URL(url);
  if (host !== '') next.hostname = host.includes(':') ? `[${host}]` : host;
  next.port = port;
  if (port !== '' && movesMax > 0) return await connect(next.href, movesMax - 1);
  const secret = decodeURIComponent(next.password) || next.searchParams.get('password');
  const reason = cause.message || cause.code || 'unknown error';
  // Old servers repeat commands in their errors.
  throw new Error(secret ? reason.replaceAll(secret, '***') : reason);
}
