// Whose connections are closed when a server reaches its limit.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, it } from 'node:test';
import { collectLines } from '../../../cluster/lines.ts';
import { createHttpServer } from '../../../src/http/server.ts';
import { createCounts } from '../../../src/http/telemetry/counts.ts';
import { createLog } from '../../../src/http/telemetry/log.ts';
import type { Scope } from '../../../support/processes/scope.ts';

const ATTACKER = '127.0.0.2';
/** The path of requests that get their response later. */
const HELD = '/held';
const OK = /^HTTP\/1\.1 200 /;
/** An address's share is two connections, and as many are closed at once. */
const CROWD = 200;

describe('a server at its connection limit', () => {
  it('closes the oldest connections of the address with the most, and lets everyone else in', async (t) => {
    const { connect, log, counts } = await serve(t, 20);
    const others = [await connect('127.0.1.1')];
    const own = await connectTimes(18, () => connect(ATTACKER));
    // Half a request does not wait for a response.
    for (const { socket } of own) socket.write(`GET ${HELD} HTTP/1.1\r\n`);
    for (let host = 2; host < 8; host++) others.push(await connect(`127.0.1.${host}`));
    assert.deepEqual(
      own.map(({ isOpen }) => isOpen()),
      own.map((_, index) => index >= 6),
    );
    for (const { read } of others) assert.match(await read(), OK);
    const { msg, connections, closed, client, open } = JSON.parse(log.all[0] ?? '{}');
    assert.deepEqual([msg, connections, closed, client, open], ['connections closed', 20, 1, ATTACKER, 18]);
    assert.equal(counts.connectionsClosed, 6);
  });

  it('closes a connection that waits for a response only if that address has no idle one', async (t) => {
    const { connect } = await serve(t, 6);
    const [first, second, idle] = [await connect(ATTACKER), await connect(ATTACKER), await connect(ATTACKER)];
    await first.hold();
    const responses = [await second.hold()];
    for (let host = 1; host < 4; host++) responses.push(await (await connect(`127.0.1.${host}`)).hold());
    assert.deepEqual([first.isOpen(), idle.isOpen()], [true, false]);
    responses.push(await (await connect('127.0.1.4')).hold());
    assert.equal(first.isOpen(), false);
    for (const respond of responses) assert.match(await respond(), OK);
  });

  it('closes a new connection if all others of its address wait for a response', async (t) => {
    const { connect } = await serve(t, 3);
    const responses = [await (await connect(ATTACKER)).hold(), await (await connect(ATTACKER)).hold()];
    assert.equal((await connect(ATTACKER)).isOpen(), false);
    for (const respond of responses) assert.match(await respond(), OK);
  });

  it('closes the oldest idle connections if no address exceeds its share', async (t) => {
    const { connect } = await serve(t, CROWD);
    const respond = await (await connect('127.0.1.0')).hold();
    const crowd = [];
    for (let host = 1; host < CROWD - 1; host++) crowd.push(await connect(`127.0.1.${host}`));
    assert.ok(crowd.every(({ isOpen }) => isOpen()));
    // Two from one address are not more than its share.
    const newcomers = [await connect('127.0.2.1'), await connect('127.0.2.1')];
    assert.deepEqual(
      crowd.map(({ isOpen }) => isOpen()),
      crowd.map((_, index) => index >= 2),
    );
    for (const { read } of newcomers) assert.match(await read(), OK);
    assert.match(await respond(), OK);
  });

  it('counts an IPv6 network as one address', async (t) => {
    const { accept } = await serve(t, 10);
    const others = [1, 2, 3].map((network) => accept(`2001:db8:0:${network}::1`));
    const network = [1, 2, 3, 4, 5].map((host) => accept(`2001:db8::${host}`));
    others.push(accept('::ffff:192.0.2.1'), accept('192.0.2.2'));
    assert.deepEqual(
      [...others, ...network].filter(({ destroyed }) => destroyed),
      [network[0]],
    );
  });
});

type Client = Awaited<ReturnType<Awaited<ReturnType<typeof serve>>['connect']>>;

async function connectTimes(count: number, connect: () => Promise<Client>): Promise<Client[]> {
  const clients = [];
  while (clients.length < count) clients.push(await connect());
  return clients;
}

async function serve(scope: Scope, connections: number) {
  const log = collectLines();
  const counts = createCounts();
  const server = createHttpServer(
    ({ url }, response) => void (url === HELD || response.end()),
    createLog('warn', { write: log.add }),
    counts,
  );
  server.maxConnections = connections;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;

  /** Resolves when the server has accepted it, or closed it at once. */
  async function connect(localAddress: string) {
    const accepted = once(server, 'connection');
    const socket = net.connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
    const [own] = await accepted;
    const send = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const received = async () => String((await once(socket, 'data'))[0]);
    return {
      socket,
      isOpen: () => !own.destroyed,
      read: () => {
        send('/');
        return received();
      },
      /** Resolves when the server has the request, with a function that lets it respond. */
      hold: async () => {
        const requested = once(server, 'request');
        send(HELD);
        const [, response] = (await requested) as [unknown, ServerResponse];
        return () => {
          response.end();
          return received();
        };
      },
    };
  }

  /** A connection from an address that this machine may not have. */
  function accept(remoteAddress: string): Duplex {
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
    server.emit('connection', Object.assign(socket, { remoteAddress }));
    return socket;
  }

  return { log, counts, connect, accept };
}
