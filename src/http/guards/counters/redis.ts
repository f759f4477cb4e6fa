import { Redis } from 'ioredis';
import { LATE_MS, type Transport } from './counters.ts';

/** Clients in one command of the script: Lua passes at most 8,000 values to a function, of which a client takes two. */
const AT_ONCE = 3_000;
/**
 * Does what `Summary` does. The clients of as long as two windows are in one hash, which is read and written at once: that
 * costs much less than a key for each client. It replies with bytes, because ioredis is slow at parsing many numbers.
 */
const SCRIPT = `
local max, length = tonumber(ARGV[1]), 1000 * ARGV[2]
local clients, passed, waiting, ages = unpack(cjson.decode(ARGV[3]))
local seconds, micros = unpack(redis.call('time'))
local now = 1000 * seconds + math.floor(micros / 1000)
local age = math.floor(now / (2 * length))
local newer, older = KEYS[1] .. ':' .. age, KEYS[1] .. ':' .. age - 1
local reply, written = {}, {}
for first = 1, #clients, ${AT_ONCE} do
  local last, size = math.min(first + ${AT_ONCE} - 1, #clients), 0
  local sums, own = redis.call('hmget', newer, unpack(clients, first, last)), {}
  for i = first, last do
    local client, more, wish = clients[i], passed[i], waiting[i] or 0
    local sum, count, ends = own[client] or sums[i - first + 1] or redis.call('hget', older, client), 0, 0
    if sum then count, ends = struct.unpack('dd', sum) end
    if ends <= now and now - ages[i] > ends - ${LATE_MS} then
      count, ends = math.max(0, count - max), math.max(now - ages[i], ends) + length
    end
    count = count + more
    reply[i] = struct.pack('<I4I4', count, math.max(0, ends - now))
    if more + wish > 0 then
      count = count + math.min(wish, math.max(0, max - count))
      own[client] = struct.pack('dd', count, ends)
      written[size + 1], written[size + 2] = client, own[client]
      size = size + 2
    end
  end
  if size > 0 then redis.call('hset', newer, unpack(written, 1, size)) end
end
redis.call('pexpire', newer, 4 * length)
return table.concat(reply)`;

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
    exchange: async ({ kind, max, windowSeconds, clients, passed, waiting, ages }) => {
      connection ??= connect(url);
      const redis = await connection;
      const columns = JSON.stringify([clients, passed, waiting, ages]);
      // Other programs may share the database. The braces put all our keys into one slot of a Redis Cluster.
      const args = [`{changelog}:${kind}`, max, windowSeconds, columns];
      const reply = (await redis.callBuffer('EVAL', [SCRIPT, 1, ...args])) as Buffer;
      return Array.from({ length: reply.length / 4 }, (_, index) => reply.readUInt32LE(4 * index));
    },
    close: () => {
      connection?.then((redis) => redis.disconnect()).catch(() => {});
      connection = undefined;
    },
  };
}

async function connect(url: string): Promise<Redis> {
  const redis = new Redis(url, CLIENT_OPTIONS);
  const errors: (Error & { code?: string })[] = [];
  const fail = (error: Error) => void errors.push(error);
  await redis.on('error', fail).connect().catch(fail);
  await redis.ping().catch(fail);
  // After selecting a database that does not exist, the client would continue in another one.
  const [cause] = errors;
  if (cause === undefined) return redis;
  redis.disconnect();
  const { password, searchParams } = new URL(url);
  const secret = decodeURIComponent(password) || searchParams.get('password');
  const reason = cause.message || cause.code || 'unknown error';
  // Old servers repeat commands in their errors.
  throw new Error(secret ? reason.replaceAll(secret, '***') : reason);
}
