import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { it } from 'node:test';
import { clientAddress, parseCidr } from '../../../src/domain/access/client-address.ts';
import { Connection, type Exchange } from '../../../src/http/pipeline/exchange.ts';
import { identifyClient } from '../../../src/http/pipeline/request.ts';

it('behind a proxy, a cached client is the one that its peer and X-Forwarded-For name', () => {
  const trusted = ['10.0.0.0/8', '2001:db8::/32'].flatMap((text) => {
    const cidr = parseCidr(text);
    return cidr === null ? [] : [cidr];
  });
  const identify = identifyClient(trusted);
  const clientOf = (remoteAddress: string, forwardedFor: string | undefined) => {
    const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwardedFor } };
    const exchange = { request, connection: new Connection(request.socket as Socket) } as unknown as Exchange;
    identify(exchange);
    return exchange.client;
  };
  const peers = ['10.0.0.1', '192.0.2.1', '2001:db8::1', 'nobody'];
  const many = Array.from({ length: 25_000 }, (_, index) => `198.51.${index >> 8}.${index & 255}`);
  const lists = [
    undefined,
    '203.0.113.7',
    '203.0.113.7, 10.0.0.9',
    'x, 203.0.113.7',
    '10.0.0.1, '.repeat(50),
    ...many,
  ];
  for (const _ of ['first', 'again'])
    for (const peer of peers)
      for (const list of lists.slice(0, 1_000))
        assert.equal(clientOf(peer, list), clientAddress(peer, list, trusted), `${peer} ${list}`);
  for (const list of lists) clientOf('10.0.0.1', list);
  assert.equal(clientOf('10.0.0.1', '203.0.113.7'), '203.0.113.7');
  assert.equal(clientOf('192.0.2.1', '203.0.113.7'), '192.0.2.1');
});
