import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatApiKey, hashApiKey, isApiKey } from '../../src/domain/access/api-key.ts';
import { type Cidr, clientAddress, parseCidr } from '../../src/domain/access/client-address.ts';
import { applyPublication, lockedBy, moveVersion } from '../../src/domain/content/lifecycle.ts';
import { resolveChanges } from '../../src/domain/content/matching.ts';
import { isSlug, PUBLICATION_STATES, VERSION_STATES } from '../../src/domain/model.ts';
import { normaliseTimestamp } from '../../src/domain/timestamp.ts';

describe('an API key', () => {
  const key = formatApiKey(randomInt);

  it('an API key has a prefix, 32 random characters (190 bits) and a checksum', () => {
    assert.match(key, /^clk_[0-9A-Za-z]{38}$/);
    assert.ok(32 * Math.log2(62) > 160);
    assert.ok(isApiKey(key));
  });

  it('the checksum of an API key detects any single wrong character', () => {
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    for (let place = 4; place < key.length; place++) {
      for (const letter of alphabet) {
        const typo = key.slice(0, place) + letter + key.slice(place + 1);
        assert.equal(isApiKey(typo), typo === key, typo);
      }
    }
  });

  it('texts of other lengths, alphabets and prefixes are not API keys', () => {
    for (const text of [
      '',
      key.slice(1),
      `${key}x`,
      key.replace('clk_', 'CLK_'),
      `${key}\n`,
      'x'.repeat(1000),
    ]) {
      assert.ok(!isApiKey(text), text);
    }
    fc.assert(fc.property(fc.string(), (text) => !isApiKey(text)));
  });

  it('an API key is stored as a digest', () => assert.match(hashApiKey(key), /^[0-9a-f]{64}$/));
});

describe('a slug (R15)', () => {
  it('a slug is 1 to 64 of a-z, 0-9 and -, with no - at either end', () => {
    for (const slug of ['a', '0', 'a-b', 'a--b', 'a'.repeat(64)]) assert.ok(isSlug(slug), slug);
    for (const slug of ['', '-', 'a-', '-a', 'A', 'a_b', 'a b', 'ä', 'a\n', 'a'.repeat(65)])
      assert.ok(!isSlug(slug), slug);
  });
});

describe('a timestamp (R10)', () => {
  it('a timestamp is normalised to 24 characters in UTC from any ISO 8601 form', () => {
    for (const [given, normal] of [
      ['2026-05-04T09:00:00.000Z', '2026-05-04T09:00:00.000Z'],
      ['2026-05-04', '2026-05-04T00:00:00.000Z'],
      ['2026-05-04T09:00Z', '2026-05-04T09:00:00.000Z'],
      ['2026-05-04T09:00:00.123456Z', '2026-05-04T09:00:00.123Z'],
      ['2026-05-04T09:00:00,5+02:00', '2026-05-04T07:00:00.500Z'],
      ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ] as const) {
      assert.equal(normaliseTimestamp(given), normal);
    }
  });

  it('text that is not a timestamp gives null', () => {
    for (const text of [
      '',
      'today',
      '2026',
      '2026-02-30',
      '2026-13-01',
      '2025-02-29',
      '2026-05-04T25:00:00Z',
      '2026-05-04T09:00:00',
      '2026-5-4',
      '1777885200',
      '0000-01-01T00:00:00+01:00',
    ]) {
      assert.equal(normaliseTimestamp(text), null, text);
    }
  });
});

describe('states (R16)', () => {
  it('a locked product or changelog freezes everything below it', () => {
    for (const product of PUBLICATION_STATES) {
      for (const changelog of [...PUBLICATION_STATES, undefined]) {
        const expected = product === 'locked' ? 'product' : changelog === 'locked' ? 'changelog' : null;
        assert.equal(lockedBy(product, changelog), expected);
      }
    }
  });

  it('publishing sets a missing date, and unpublishing keeps the date', () => {
    const [now, before] = ['2026-02-02T00:00:00.000Z', '2025-01-01T00:00:00.000Z'];
    for (const from of VERSION_STATES) {
      for (const publishedAt of [before, null]) {
        const version = { status: from, publishedAt };
        assert.deepEqual(moveVersion(version, 'published', now), {
          status: 'published',
          publishedAt: publishedAt ?? now,
        });
        assert.deepEqual(moveVersion(version, 'draft', now), { status: 'draft', publishedAt });
      }
    }
  });

  it('a document schedules a draft, ends a schedule, and does not take back what was published on schedule', () => {
    const [now, earlier, time, other] = ['2026-02-02', '2025-01-01', '2026-03-03', '2026-04-04'];
    const stored = [
      null,
      ...[null, earlier].flatMap((publishedAt) =>
        [null, time].map((publishAt) => ({ status: 'draft' as const, publishedAt, publishAt })),
      ),
      ...[earlier, time].map((date) => ({
        status: 'published' as const,
        publishedAt: date,
        publishAt: null,
      })),
    ];
    for (const before of stored) {
      for (const publishedAt of [null, other]) {
        const date = publishedAt ?? before?.publishedAt ?? null;
        for (const publishAt of [undefined, null, time]) {
          const isFollowed =
            publishAt === time && before?.status === 'published' && before.publishedAt === time;
          assert.deepEqual(
            applyPublication(before, { status: 'draft', publishedAt, publishAt }, now),
            isFollowed
              ? before
              : {
                  status: 'draft',
                  publishedAt: date,
                  publishAt: publishAt === undefined ? (before?.publishAt ?? null) : publishAt,
                },
          );
        }
        for (const publishAt of [undefined, null])
          assert.deepEqual(applyPublication(before, { status: 'published', publishedAt, publishAt }, now), {
            status: 'published',
            publishedAt: date ?? now,
            publishAt: null,
          });
      }
    }
  });
});

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

describe('the ids of changes', () => {
  const change = (text: string, id?: string) => ({
    type: 'added' as const,
    text,
    breaking: false,
    ...(id && { id }),
  });
  const existing = [change('a', 'chg_a'), change('b', 'chg_b'), change('c', 'chg_c')] as (ReturnType<
    typeof change
  > & { id: string })[];
  const idsFor = (...wanted: ReturnType<typeof change>[]) =>
    resolveChanges(existing, wanted).map(({ id }) => id);

  it('change ids follow the text when the order changes', () => {
    assert.deepEqual(idsFor(change('c'), change('a'), change('b')), ['chg_c', 'chg_a', 'chg_b']);
  });

  it('change ids keep their position when the text is edited', () => {
    assert.deepEqual(idsFor(change('a'), change('B!'), change('c')), ['chg_a', 'chg_b', 'chg_c']);
  });

  it('new changes get new ids', () => {
    assert.deepEqual(idsFor(change('new'), change('a'), change('b'), change('c')), [
      null,
      'chg_a',
      'chg_b',
      'chg_c',
    ]);
    assert.deepEqual(idsFor(change('a'), change('b'), change('c'), change('new')), [
      'chg_a',
      'chg_b',
      'chg_c',
      null,
    ]);
  });

  it('given change ids are kept and never assigned twice', () => {
    assert.deepEqual(idsFor(change('x', 'chg_b'), change('b')), ['chg_b', null]);
    assert.deepEqual(idsFor(change('a'), change('a'), change('a')), ['chg_a', 'chg_b', 'chg_c']);
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd')), (texts) => {
        const ids = idsFor(...texts.map((text) => change(text))).filter((id) => id !== null);
        assert.equal(new Set(ids).size, ids.length);
      }),
    );
  });
});
