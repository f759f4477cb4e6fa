// What `serve` prints and logs when it starts, with one process and with workers.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { PUBLIC_FEED, seedWorld } from '../../support/content/world.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { spawnServer } from '../../support/program/process.ts';

const FORWARDED = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' };

describe('serve without BASE_URL', () => {
  const scope = sharedScope();
  const sandbox = { folder: temporaryFolder(scope) };
  before(async () => void (await seedWorld(sandbox)));

  for (const workers of ['1', '2']) {
    it(`serve on 0.0.0.0 with WORKERS=${workers} warns once, in JSON, and links to a reachable address`, async (t) => {
      const server = await spawnServer(t, sandbox, { HOST: '0.0.0.0', WORKERS: workers, LOG_FORMAT: 'json' });
      assert.match(server.output().stdout, new RegExp(`^listening on http://0\\.0\\.0\\.0:${server.port}\n`));
      const reachable = `http://127.0.0.1:${server.port}`;
      const read = (path: string) => fetch(reachable + path, { headers: FORWARDED });
      assert.equal(
        (await read(`${PUBLIC_FEED}?limit=1`)).headers.get('link')?.startsWith(`<${reachable}/api/`),
        true,
      );
      for (const path of [`${PUBLIC_FEED}/feed.atom`, '/api/openapi.json', '/docs']) {
        const body = await (await read(path)).text();
        assert.ok(body.includes(`${reachable}`), path);
        assert.doesNotMatch(body, /0\.0\.0\.0|evil/, path);
      }
      await server.stop();
      const lines = server.log.all.map((line) => JSON.parse(line));
      const warnings = lines.filter(({ level }) => level === 40);
      assert.deepEqual(
        warnings.map(({ msg }) => msg),
        [
          `HOST is 0.0.0.0 and BASE_URL is unset, so links begin with ${reachable}. Set BASE_URL to the URL that clients use.`,
        ],
      );
    });
  }

  it('serve on loopback warns only behind a proxy', async (t) => {
    for (const [TRUSTED_PROXIES, warnings] of [
      [undefined, 0],
      ['127.0.0.1', 1],
    ] as const) {
      const server = await spawnServer(t, sandbox, { TRUSTED_PROXIES });
      await server.stop();
      assert.equal(server.log.count('BASE_URL is unset'), warnings);
    }
  });
});
