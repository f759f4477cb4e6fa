import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Cidr, clientAddress, parseCidr } from '../../../src/domain/access/client-address.ts';

describe('a client (R26)', () => {
  const trusted = ['10.0.0.0/8', '::1', '2001:db8:ffff::/48'].map((text) => parseCidr(text) as Cidr);

  it('a client is an IPv4 address or an IPv6 /64', () => {
    for (const [peer, client] of [
      ['192.0.2.1', '192.0.2.1'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['fe80::1%eth0', 'fe80::/64'],
      [undefined, 'unknown'],
    ] as const) {
      assert.equal(clientAddress(peer, undefined, []), client);
    }
  });

  it('a client is taken from X-Forwarded-For as far as proxies are trusted', () => {
    for (const [peer, forwarded, client] of [
      ['10.0.0.1', '203.0.113.9', '203.0.113.9'],
      ['10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
      ['10.0.0.1', '203.0.113.9, 10.9.9.9', '203.0.113.9'],
      ['10.0.0.1', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
      ['::ffff:10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
      ['::1', '[2001:db8:1:2::3]:443', '2001:db8:1:2::/64'],
      ['10.0.0.1', '', '10.0.0.1'],
      ['10.0.0.1', 'unknown', '10.0.0.1'],
      ['10.0.0.1', '203.0.113.9, nonsense, 10.2.2.2', '10.2.2.2'],
      ['192.0.2.1', '203.0.113.9', '192.0.2.1'],
      ['192.0.2.1', '10.0.0.1', '192.0.2.1'],
    ] as const) {
      assert.equal(clientAddress(peer, forwarded, trusted), client, `${peer} ${forwarded}`);
    }
  });

  it('identifying a client never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (peer, forwarded) => {
        assert.equal(typeof clientAddress(peer, forwarded, trusted), 'string');
        assert.equal(clientAddress('10.0.0.1', forwarded, []), '10.0.0.1');
      }),
    );
  });
});
