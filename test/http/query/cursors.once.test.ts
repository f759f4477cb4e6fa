import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { suiteWithWorld } from '../../support/suite.ts';

describe('a cursor (R32)', () => {
  const suite = suiteWithWorld();
  let ours: string;
  before(async () => {
    ours = await cursorOf(`${PUBLIC_FEED}?limit=1`);
  });

  const cursorOf = async (url: string, headers = {}) => {
    const { link } = (await suite.app.inject({ url, headers })).headers;
    const [, cursor] = /[?&]cursor=([\w-]+)>; rel="next"$/.exec(String(link)) ?? [];
    assert.ok(cursor !== undefined, `a cursor in ${link}`);
    return cursor;
  };
  const refuses = async (cursor: string, url = PUBLIC_FEED, headers = {}) => {
    const { statusCode, body } = await suite.app.inject({
      url: `${url}${url.includes('?') ? '&' : '?'}cursor=${cursor}`,
      headers,
    });
    assert.equal(statusCode, 400, `${cursor}: ${body}`);
    assert.match(JSON.parse(body).error.message, /^The query parameter cursor takes /);
  };

  it('leads on, with any limit', async () => {
    for (const limit of ['', '&limit=1', '&limit=100']) {
      const { statusCode, body } = await suite.app.inject(`${PUBLIC_FEED}?cursor=${ours}${limit}`);
      assert.equal(statusCode, 200);
      assert.deepEqual(
        JSON.parse(body).data.versions.map(({ id }: { id: string }) => id),
        ['ver_100'],
      );
    }
  });

  it('400 when a single bit of it is another', async () => {
    const bytes = Buffer.from(ours, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const altered = Buffer.from(bytes);
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await refuses(altered.toString('base64url'));
    }
  });

  it('400 when it is cut, longer, or spelled in another way', async () => {
    for (const other of [
      ours.slice(0, -1),
      ours.slice(1),
      `${ours}A`,
      ours + ours,
      `${ours}%3D`,
      ours.toUpperCase(),
    ])
      await refuses(other);
    await refuses(`${ours}&cursor=${ours}`);
  });

  it('400 when somebody made it up, whatever it says', async () => {
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
      await refuses(Buffer.from(`twelve bytes${position}`, 'latin1').toString('base64url'));
  });

  it('400 at another address, on the other surface and with another filter', async () => {
    const headers = { authorization: `Bearer ${suite.world.full}` };
    const theirs = await cursorOf(`${TEAM_FEED}?limit=1`, headers);
    await refuses(theirs);
    await refuses(ours, TEAM_FEED, headers);
    await refuses(ours, '/api/v1/public/teams/acme/products/new/changelog');
    for (const filter of ['q=lift', 'type=added', 'since=2020-01-01', 'from=0.1.0', 'prerelease=false'])
      await refuses(ours, `${PUBLIC_FEED}?${filter}`);
  });
});
