import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { suiteWithWorld } from '../../support/suite.ts';

describe('a cursor (R32)', () => {
  const suite = suiteWithWorld();
  let issued: string;
  before(async () => {
    issued = await cursorOf(`${PUBLIC_FEED}?limit=1`);
  });

  const cursorOf = async (url: string, headers = {}) => {
    const { link } = (await suite.app.inject({ url, headers })).headers;
    const [, cursor] = /[?&]cursor=([\w-]+)>; rel="next"$/.exec(String(link)) ?? [];
    assert.ok(cursor !== undefined, `a cursor in ${link}`);
    return cursor;
  };
  const isRejected = async (cursor: string, url = PUBLIC_FEED, headers = {}) => {
    const { statusCode, body } = await suite.app.inject({
      url: `${url}${url.includes('?') ? '&' : '?'}cursor=${cursor}`,
      headers,
    });
    assert.equal(statusCode, 400, `${cursor}: ${body}`);
    assert.match(JSON.parse(body).error.message, /^The query parameter cursor must be /);
  };

  it('a cursor leads to the next page, with any limit', async () => {
    for (const limit of ['', '&limit=1', '&limit=100']) {
      const { statusCode, body } = await suite.app.inject(`${PUBLIC_FEED}?cursor=${issued}${limit}`);
      assert.equal(statusCode, 200);
      assert.deepEqual(
        JSON.parse(body).data.versions.map(({ id }: { id: string }) => id),
        ['ver_100'],
      );
    }
  });

  it('a cursor with a single bit changed is 400', async () => {
    const bytes = Buffer.from(issued, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const altered = Buffer.from(bytes);
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await isRejected(altered.toString('base64url'));
    }
  });

  it('a cursor that is cut, extended or encoded differently is 400', async () => {
    for (const other of [
      issued.slice(0, -1),
      issued.slice(1),
      `${issued}A`,
      issued + issued,
      `${issued}%3D`,
      issued.toUpperCase(),
    ])
      await isRejected(other);
    await isRejected(`${issued}&cursor=${issued}`);
  });

  it('a cursor that this server did not issue is 400, whatever it contains', async () => {
    for (const position of [
      '2026-05-04T09:00:00.000Z ver_210',
      '~1 x',
      'a\0 b',
      'a b\0',
      '\xff\xfe x',
      ' ',
      'a b c',
      '~9e99 x',
    ])
      await isRejected(Buffer.from(`twelve bytes${position}`, 'latin1').toString('base64url'));
  });

  it('a cursor is 400 at another URL, on the other surface and with another filter', async () => {
    const headers = { authorization: `Bearer ${suite.world.full}` };
    const theirs = await cursorOf(`${TEAM_FEED}?limit=1`, headers);
    await isRejected(theirs);
    await isRejected(issued, TEAM_FEED, headers);
    await isRejected(issued, '/api/v1/public/teams/acme/products/new/changelog');
    for (const filter of ['q=lift', 'type=added', 'since=2020-01-01', 'from=0.1.0', 'prerelease=false'])
      await isRejected(issued, `${PUBLIC_FEED}?${filter}`);
  });
});
