import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listenApp } from '../support/app.ts';
import { apply } from '../support/command.ts';
import { rawRequest } from '../support/socket.ts';
import { suiteWithWorld } from '../support/suite.ts';
import { ACME, HIDDEN, HIDDEN_PATHS, PUBLIC_FEED } from '../support/world.ts';

describe('what is hidden, on the public surface (R9)', () => {
  const suite = suiteWithWorld();

  it('is answered with the same bytes as what does not exist', async (t) => {
    const { port } = await listenApp(t, suite.workplace);
    const nonexistent = [
      '/api/v1/public/teams/nobody/products/nothing/changelog',
      `${PUBLIC_FEED}/versions/ver_none`,
    ];
    const answers = [];
    for (const path of [...nonexistent, ...HIDDEN_PATHS]) {
      const { status, headerLines, body } = await rawRequest(port, [`GET ${path} HTTP/1.1`, 'Host: x']);
      assert.equal(status, 404, path);
      assert.ok(!body.includes(HIDDEN), path);
      const lines = headerLines.filter((line) => !/^(date|ratelimit):/i.test(line));
      answers.push([...lines, '', body].join('\r\n'));
    }
    assert.equal(new Set(answers).size, 1, [...new Set(answers)].join('\n\n'));
  });

  it('takes the same single query as what does not exist', async () => {
    const queriesFor = async (path: string) => {
      suite.queries.length = 0;
      await suite.app.inject(path);
      return suite.queries.map(({ query }) => query.sql);
    };
    const [missingFeed, missingVersion] = [
      await queriesFor('/api/v1/public/teams/nobody/products/nothing/changelog'),
      await queriesFor(`${PUBLIC_FEED}/versions/ver_none`),
    ];
    assert.equal(missingFeed.length, 1);
    assert.equal(missingVersion.length, 1);
    for (const path of HIDDEN_PATHS) {
      assert.deepEqual(
        await queriesFor(path),
        path.includes('/versions/') ? missingVersion : missingFeed,
        path,
      );
    }
  });

  it('changes no public ETag when it is edited', async () => {
    const etag = async (url: string) => (await suite.app.inject(url)).headers.etag;
    const before = [await etag(PUBLIC_FEED), await etag(`${PUBLIC_FEED}/versions/ver_210`)];
    const edited = structuredClone(ACME);
    const draft = edited.products[0]?.changelog?.versions?.[0];
    assert.equal(draft?.status, 'draft');
    Object.assign(draft, { title: 'Edited', changes: [] });
    await apply(suite.workplace, edited);
    assert.deepEqual([await etag(PUBLIC_FEED), await etag(`${PUBLIC_FEED}/versions/ver_210`)], before);
  });

  it('stays hidden whoever asks on the public surface', async () => {
    for (const url of HIDDEN_PATHS) {
      const headers = { authorization: `Bearer ${suite.world.full}`, 'x-api-key': suite.world.full };
      assert.equal((await suite.app.inject({ url, headers })).statusCode, 404, url);
    }
  });
});
