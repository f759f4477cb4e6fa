import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { startRedis } from '../../cluster/redis.ts';
import type { Scope } from '../../support/processes/scope.ts';

const HUNG_MS = 300;

describe('Redis', () => {
  it('Redis responds, and is empty and on the same port after it was stopped or killed', async (t) => {
    const redis = await startRedis(t);
    assert.equal(redis.url, `redis://127.0.0.1:${redis.port}`);
    for (const end of [redis.stop, redis.kill]) {
      const session = await open(t, redis.port);
      assert.equal(await say(session, 'SET held 1'), '+OK');
      const closed = once(session, 'close');
      await end();
      await closed;
      await assert.rejects(open(t, redis.port), /ECONNREFUSED/);
      await redis.start();
      assert.equal(await say(await open(t, redis.port), 'EXISTS held'), ':0');
    }
  });

  it('Redis can be suspended with open connections, and resumed', async (t) => {
    const redis = await startRedis(t);
    const session = await open(t, redis.port);
    redis.hang();
    const response = say(session, 'PING');
    const waited = new Promise((resolve) => setTimeout(resolve, HUNG_MS, 'nothing'));
    assert.equal(await Promise.race([response, waited]), 'nothing');
    redis.resume();
    assert.equal(await response, '+PONG');
  });

  it('Redis requires its password if it has one', async (t) => {
    const redis = await startRedis(t, { password: 'a/b' });
    assert.equal(redis.url, `redis://:a%2Fb@127.0.0.1:${redis.port}`);
    const session = await open(t, redis.port);
    assert.match(await say(session, 'PING'), /^-NOAUTH/);
    assert.equal(await say(session, 'AUTH a/b'), '+OK');
  });
});

async function open(scope: Scope, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  scope.after(() => void socket.destroy());
  await once(socket, 'connect');
  socket.on('error', () => {});
  return socket;
}

async function say(socket: Socket, command: string): Promise<string> {
  socket.write(`${command}\r\n`);
  const [response] = await once(socket, 'data');
  return String(response).trim();
}
