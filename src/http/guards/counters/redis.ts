import { Redis } from 'ioredis';
import { LATE_MS, type News, type Transport } from './counters.ts';

/** Other programs may share the database. The braces put all our keys into one slot of a Redis Cluster. */
const KEY_PREFIX = '{changelog}';
/** Clients in one command of the script: Lua passes at most 8,000 values to a function. */
const AT_ONCE = 1_000;
/**
 * Does what `Sums` does. The clients of as long as two windows are in one hash, which is read and written at once: that
 * costs much less than a key for each client.
 */
const SCRIPT = `
local max, length, parts = tonumber(ARGV[1]), 1000 * ARGV[2], cjson.decode(ARGV[3])
local seconds, micros = unpack(redis.call('time'))
local now = 1000 * seconds + math.floor(micros / 1000)
local age = math.floor(now / (2 * length))
local newer, older = KEYS[1] .. ':' .. age, KEYS[1] .. ':' .. age - 1
local news = {}
for first = 0, #parts / 5 - 1, ${AT_ONCE} do
  local clients, written = {}, {}
  for i = first, math.min(first + ${AT_ONCE}, #parts / 5) - 1 do clients[#clients + 1] = parts[5 * i + 1] end
  local sums, before = redis.call('hmget', newer, unpack(clients)), redis.call('hmget', older, unpack(clients))
  for i, client in ipairs(clients) do
    local index = first + i - 1
    local _, passed, waiting, known, msKnown = unpack(parts, 5 * index + 1, 5 * index + 5)
    local sum, count, left = sums[i] or before[i], max + known, -now
    if sum then
      count, left = struct.unpack('dd', sum)
      left = left - now
    end
    local begins = left <= 0 and msKnown > 0 and msKnown > left + ${LATE_MS}
    if begins then count, left = math.max(0, count - max), math.max(msKnown, left + length) end
    if sum or begins then
      local isNews = begins or count ~= known or left > msKnown
      count = count + passed
      if isNews then news[#news + 1] = { index, count, math.max(0, left) } end
      count = count + math.min(waiting, math.max(0, max - count))
      written[#written + 1] = client
      written[#written + 1] = struct.pack('dd', count, now + left)
    end
  end
  if #written > 0 then redis.call('hset', newer, unpack(written)) end
end
redis.call('pexpire', newer, 4 * length)
return news`;

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
    exchange: async ({ kind, max, windowSeconds, parts }) => {
      connection ??= connect(url);
      const redis = await connection;
      const values = [max, windowSeconds, JSON.stringify(parts.flat())];
      return (await redis.call('EVAL', [SCRIPT, 1, `${KEY_PREFIX}:${kind}`, ...values])) as News[];
    },
    close: () => {
      connection?.then((redis) => redis.disconnect()).catch(() => {});
      connection = undefined;
    },
  };
}

async function connect(url: string): Promise<Redis> {
  const redis = new Redis(url, CLIENT_OPTIONS);
  let cause: (Error & { code?: string }) | undefined;
  const fail = (error: Error) => {
    cause ??= error;
  };
  await redis.on('error', fail).connect().catch(fail);
  await redis.ping().catch(fail);
  // After selecting a database that does not exist, the client would continue in another one.
  if (cause === undefined) return redis;
  redis.disconnect();
  const { password, searchParams } = new URL(url);
  const secret = decodeURIComponent(password) || searchParams.get('password');
  const reason = cause.message || cause.code || 'unknown error';
  // Old servers repeat commands in their errors.
  throw new Error(secret ? reason.replaceAll(secret, '***') : reason);
}
