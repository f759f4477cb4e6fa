// The memory that a connection keeps, and how many connections there may be.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import net from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { connectionLimitFor } from '../../../src/http/server.ts';
import { PUBLIC_FEED } from '../../../support/content/world.ts';
import { listenApp } from '../../../support/program/app.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const REQUEST = `GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: test\r\n\r\n`;

describe('connections', () => {
  const suite = suiteWithWorld();

  const connect = async (port: number) => {
    const socket = net.connect({ port, host: '127.0.0.1' }).on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };

  it('a connection keeps nothing of a request after its response', async (t) => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const { app, port } = await listenApp(t, suite.sandbox);
    let last: WeakRef<IncomingMessage> | null = null;
    app.server.on('request', (request) => {
      last = new WeakRef(request);
    });
    const socket = await connect(port);
    socket.write(REQUEST);
    await once(socket, 'data');
    await setImmediate();
    await setImmediate();
    collectGarbage();
    assert.equal((last as WeakRef<IncomingMessage> | null)?.deref(), undefined);
    assert.equal(socket.destroyed, false);
    socket.write(REQUEST);
    assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  it('the connection limit leaves files for the database, however few there are', () => {
    assert.deepEqual(
      [256, 1_024, 5_000, 1_048_576, Number.POSITIVE_INFINITY].map(connectionLimitFor),
      [128, 874, 4_850, 10_000, 10_000],
    );
  });
});
