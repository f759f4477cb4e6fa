// A Redis Cluster: servers that share the keys by their slots.
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from './port.ts';
import { type RedisServer, startRedis } from './redis.ts';
import type { Scope } from './scope.ts';

const SLOTS = 16_384;
const POLL_MS = 50;
const POLLS_MAX = 400;

type RedisCluster = Readonly<{
  servers: readonly RedisServer[];
  /** The keys of each server. */
  keys: () => Promise<string[][]>;
  /** Empties the slot of a key and gives it to another server. */
  move: (key: string, to: number) => Promise<void>;
}>;

/** Resolves when every server knows which one has which slots. */
export async function startRedisCluster(scope: Scope, password: string): Promise<RedisCluster> {
  const servers: RedisServer[] = [];
  const clients: Redis[] = [];
  scope.after(() => clients.forEach((client) => void client.disconnect()));
  const step = Math.ceil(SLOTS / 3);
  for (let first = 0; first < SLOTS; first += step) {
    const busPort = await freePort();
    const server = await startRedis(scope, { password, busPort });
    const client = new Redis(server.url);
    servers.push(server);
    clients.push(client);
    await client.call('CLUSTER', 'ADDSLOTSRANGE', first, Math.min(first + step, SLOTS) - 1);
    await clients[0]?.call('CLUSTER', 'MEET', '127.0.0.1', server.port, busPort);
  }
  await Promise.all(clients.map(untilFormed));
  return {
    servers,
    keys: () => Promise.all(clients.map((client) => client.keys('*'))),
    move: async (key, to) => {
      const slot = Number(await clients[0]?.cluster('KEYSLOT', key));
      const id = String(await clients[to]?.cluster('MYID'));
      for (const client of clients) {
        for (const kept of await client.cluster('GETKEYSINSLOT', slot, 1_000)) await client.del(kept);
        await client.call('CLUSTER', 'SETSLOT', slot, 'NODE', id);
      }
    },
  };
}

async function untilFormed(client: Redis): Promise<void> {
  for (let polls = 0; polls < POLLS_MAX; polls++) {
    if (/cluster_state:ok.*cluster_known_nodes:3/s.test(String(await client.cluster('INFO')))) return;
    await delay(POLL_MS);
  }
  throw new Error('the servers did not form a cluster');
}
