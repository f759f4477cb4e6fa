// `changelog import github:OWNER/REPO` and the like, from servers that answer as GitHub, GitLab and Gitea do.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { fetchSource } from '../../../src/import/remote/fetch.ts';
import { parseSource } from '../../../src/import/remote/sources.ts';
import { dump } from '../../../support/databases/engine.ts';
import { apply, run, runOk, type Sandbox } from '../../../support/program/command.ts';
import { documentOf, expectFailure, runJson, sandboxOf, versionsByLabel } from '../helpers.ts';

const TOKEN = 'tok_verysecret';
const NOW = '2026-07-01T00:00:00.000Z';

type Answer = Readonly<{ status?: number; headers?: Record<string, string>; body?: string | Buffer }>;
type Seen = Readonly<{ url: string; headers: IncomingMessage['headers'] }>;

/** A server that answers a path with what is listed, with an ETag, and with 304 if the client has it. */
async function serve(t: TestContext, answer: (url: string, origin: string) => Answer | undefined) {
  const seen: Seen[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { url = '', headers } = request;
    seen.push({ url, headers });
    const found = answer(url, origin);
    if (found === undefined) return void response.writeHead(404).end('{"message":"Not Found"}');
    const etag = found.headers?.etag;
    if (etag !== undefined && headers['if-none-match'] === etag)
      return void response.writeHead(304, found.headers).end();
    response.writeHead(found.status ?? 200, found.headers).end(found.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin, seen };
}

const release = (tag: string, date = '2026-05-04T09:00:00Z') => ({
  url: `https://api.github.com/repos/acme/rocket/releases/${tag}`,
  html_url: `https://github.com/acme/rocket/releases/tag/${tag}`,
  id: 1,
  tag_name: tag,
  target_commitish: 'main',
  name: tag,
  draft: false,
  prerelease: false,
  created_at: date,
  published_at: date,
  assets: [],
  body: `## What's Changed\n* Fix the fuse of ${tag} by @x in https://github.com/acme/rocket/pull/1\n`,
});

async function sandboxWith(t: TestContext, environment: Record<string, string>): Promise<Sandbox> {
  const sandbox = sandboxOf(t, { now: NOW });
  const withCache = {
    ...sandbox,
    environment: { XDG_CACHE_HOME: path.join(sandbox.folder, 'cache'), ...environment },
  };
  await apply(withCache, documentOf([]));
  return withCache;
}

/** Two pages of GitHub; the release of the second can be changed. */
async function serveGitHub(t: TestContext) {
  const state = { old: release('v1.0.0', '2026-04-04T09:00:00Z') };
  const server = await serve(t, (url, origin) => {
    if (url === '/repos/acme/rocket/releases?per_page=100')
      return {
        headers: {
          etag: 'W/"1"',
          link: `<${origin}/repositories/7/releases?per_page=100&page=2>; rel="next", <${origin}/repositories/7/releases?per_page=100&page=2>; rel="last"`,
        },
        body: JSON.stringify([release('v2.0.0')]),
      };
    const body = JSON.stringify([state.old]);
    if (url === '/repositories/7/releases?per_page=100&page=2')
      return {
        headers: {
          etag: `W/"2-${body.length}"`,
          link: `<${origin}/repositories/7/releases?per_page=100&page=1>; rel="prev"`,
        },
        body,
      };
    return undefined;
  });
  return { ...server, state };
}

const IMPORT = ['import', 'acme/rocket', 'github:acme/rocket'];

describe('import github:OWNER/REPO', () => {
  it('reads all pages with the token', async (t) => {
    const { origin, seen } = await serveGitHub(t);
    const sandbox = await sandboxWith(t, { GITHUB_API_URL: origin, GITHUB_TOKEN: TOKEN });
    assert.equal(
      await runOk(sandbox, IMPORT),
      [
        'github:acme/rocket: GitHub or GitLab releases, 2 versions',
        '+ version acme/rocket v2.0.0',
        '+ version acme/rocket v1.0.0',
        'Done: 2 created, 0 changed, 0 deleted, 0 unchanged, 0 kept.',
        '',
      ].join('\n'),
    );
    assert.equal((await versionsByLabel(sandbox)).get('v1.0.0')?.publishedAt, '2026-04-04T09:00:00.000Z');
    for (const { headers } of seen) {
      assert.equal(headers.authorization, `Bearer ${TOKEN}`);
      assert.equal(headers.accept, 'application/vnd.github+json');
      assert.equal(headers['user-agent'], 'changelog-read-api');
    }
    assert.equal(seen.length, 2);
  });

  it('tells how many pages it has fetched, and of how many', async (t) => {
    const { origin } = await serveGitHub(t);
    const source = parseSource('github:acme/rocket', { GITHUB_API_URL: origin }) ?? assert.fail();
    const told: string[] = [];
    const onPage = (pages: number, whole: number) => told.push(`${pages} of ${whole}`);
    await fetchSource(source, { cacheFolder: null, now: NOW, onPage });
    assert.deepEqual(told, ['1 of 2', '2 of 2']);
  });

  it('asks the second time whether anything was modified, and does nothing if not', async (t) => {
    const { origin, seen, state } = await serveGitHub(t);
    const sandbox = await sandboxWith(t, { GITHUB_API_URL: origin });
    const first = await runJson<{ isModified: boolean }>(sandbox, [...IMPORT, '--dry-run']);
    assert.equal(first.isModified, true);
    assert.match(await runOk(sandbox, IMPORT), /2 versions, not modified\n[\s\S]*\nDone: 2 created/);
    const before = await dump(sandbox);
    assert.match(await runOk(sandbox, IMPORT), /, not modified\nNothing to do: 0 created, .* 2 unchanged/);
    assert.deepEqual(await dump(sandbox), before);
    assert.deepEqual(
      seen.map(({ headers }) => headers['if-none-match']),
      [
        undefined,
        undefined,
        ...['W/"1"', seen[3]?.headers['if-none-match']],
        ...['W/"1"', seen[3]?.headers['if-none-match']],
      ],
    );
    state.old = { ...state.old, body: '* Fix all of it' };
    assert.match(
      await runOk(sandbox, IMPORT),
      /2 versions\n~ version acme\/rocket v1\.0\.0\nDone: 0 created, 1 changed/,
    );
    assert.match(await runOk(sandbox, IMPORT), /, not modified\nNothing to do/);
  });

  it('keeps what it fetched for this user only, without the token, and never trusts it blindly', async (t) => {
    const { origin } = await serveGitHub(t);
    const sandbox = await sandboxWith(t, { GITHUB_API_URL: origin, GITHUB_TOKEN: TOKEN });
    await runOk(sandbox, IMPORT);
    const folder = path.join(sandbox.folder, 'cache/changelog');
    const [file = '', ...others] = readdirSync(folder).map((name) => path.join(folder, name));
    assert.deepEqual(others, []);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const text = readFileSync(file, 'utf8');
    assert.doesNotMatch(text, new RegExp(TOKEN));
    for (const damaged of ['', '{', '[1]', '[{"url":1}]', text.slice(0, -9)]) {
      writeFileSync(file, damaged);
      assert.match(await runOk(sandbox, IMPORT), /2 versions\nNothing to do: .* 2 unchanged/);
    }
  });

  it('works without a place to keep anything', async (t) => {
    const { origin } = await serveGitHub(t);
    const sandbox = await sandboxWith(t, { GITHUB_API_URL: origin, XDG_CACHE_HOME: '' });
    for (const said of [/Done: 2 created/, /2 versions\nNothing to do/])
      assert.match(await runOk(sandbox, IMPORT), said);
    const full = await sandboxWith(t, { GITHUB_API_URL: origin });
    mkdirSync(path.join(full.folder, 'cache'));
    writeFileSync(path.join(full.folder, 'cache/changelog'), '');
    const nowhere = await sandboxWith(t, { GITHUB_API_URL: origin, XDG_CACHE_HOME: '/proc/none' });
    for (const unusable of [full, nowhere]) assert.match(await runOk(unusable, IMPORT), /Done: 2 created/);
  });
});

describe('import gitlab:GROUP/PROJECT and gitea:HOST/OWNER/REPO', () => {
  it('reads releases of GitLab with its token', async (t) => {
    const body = JSON.stringify([
      {
        tag_name: 'v3.0.0',
        description: '### Added\n\n- A booster.\n',
        name: 'Three',
        created_at: '2026-06-01T00:00:00.000Z',
        released_at: '2026-06-01T09:00:00.000+02:00',
        upcoming_release: false,
        _links: { self: 'https://gitlab.com/acme/sub/rocket/-/releases/v3.0.0' },
      },
    ]);
    const { origin, seen } = await serve(t, (url) =>
      url === '/api/v4/projects/acme%2Fsub%2Frocket/releases?per_page=100'
        ? { body, headers: { link: '' } }
        : undefined,
    );
    for (const [name, api] of [
      ['gitlab:acme/sub/rocket', `${origin}/api/v4`],
      [`gitlab:${origin}/acme/sub/rocket`, 'https://gitlab.invalid/api/v4'],
      [`gitlab:${origin.slice('http://'.length)}/acme/sub/rocket`, 'https://gitlab.invalid/api/v4'],
    ] as const) {
      const sandbox = await sandboxWith(t, { CI_API_V4_URL: api, GITLAB_TOKEN: TOKEN });
      assert.match(await runOk(sandbox, ['import', 'acme/rocket', name]), /Done: 1 created/);
      assert.equal((await versionsByLabel(sandbox)).get('v3.0.0')?.publishedAt, '2026-06-01T07:00:00.000Z');
    }
    assert.deepEqual(new Set(seen.map(({ headers }) => headers['private-token'])), new Set([TOKEN]));
  });

  it('reads releases of Gitea with its token, below a path, too', async (t) => {
    const { origin, seen } = await serve(t, (url, origin) => {
      const first = url === '/git/api/v1/repos/acme/rocket/releases?limit=50';
      if (!first && url !== '/git/api/v1/repos/acme/rocket/releases?limit=50&page=2') return undefined;
      const link = `<${origin}/git/api/v1/repos/acme/rocket/releases?limit=50&page=2>; rel="next",<${origin}/git/api/v1/repos/acme/rocket/releases?limit=50&page=2>; rel="last"`;
      return {
        body: JSON.stringify([release(first ? 'v2' : 'v1')]),
        headers: first ? { link, 'x-total-count': '2' } : {},
      };
    });
    const sandbox = await sandboxWith(t, { GITEA_TOKEN: TOKEN });
    assert.match(
      await runOk(sandbox, ['import', 'acme/rocket', `gitea:${origin}/git/acme/rocket`]),
      /Done: 2 created/,
    );
    assert.deepEqual(
      seen.map(({ headers }) => headers.authorization),
      [`token ${TOKEN}`, `token ${TOKEN}`],
    );
  });
});

describe('import URL', () => {
  const FILE = '# Changelog\n\n## 1.0.0 - 2026-05-04\n\n- Fast caf\xe9s.\n';

  it('reads a file, follows redirects, and asks whether it was modified', async (t) => {
    const { origin } = await serve(t, (url) => {
      if (url === '/C.md') return { body: FILE, headers: { etag: '"x"' } };
      return url === '/old.md' ? { status: 302, headers: { location: '/C.md' } } : undefined;
    });
    const sandbox = await sandboxWith(t, {});
    const args = ['import', 'acme/rocket', `${origin}/old.md`];
    assert.ok((await runOk(sandbox, args)).startsWith(`${origin}/old.md: Keep a Changelog, 1 version\n`));
    assert.match(await runOk(sandbox, args), /, not modified\nNothing to do/);
    assert.equal((await versionsByLabel(sandbox)).get('1.0.0')?.changes?.[0]?.text, 'Fast cafés.');
  });

  it('reads what is compressed', async (t) => {
    const { origin, seen } = await serve(t, () => ({
      body: gzipSync(FILE),
      headers: { 'content-encoding': 'gzip' },
    }));
    const sandbox = await sandboxWith(t, {});
    assert.match(await runOk(sandbox, ['import', 'acme/rocket', `${origin}/C.md`]), /Done: 1 created/);
    assert.equal(seen[0]?.headers['accept-encoding'], 'gzip');
  });

  it('sends no token to another host, whoever redirects there', async (t) => {
    const other = await serve(t, () => ({ body: JSON.stringify([release('v1.0.0')]) }));
    const { origin, seen } = await serve(t, () => ({
      status: 301,
      headers: { location: `${other.origin}/x` },
    }));
    const sandbox = await sandboxWith(t, { GITHUB_API_URL: origin, GITHUB_TOKEN: TOKEN });
    assert.match(await runOk(sandbox, IMPORT), /Done: 1 created/);
    assert.equal(seen[0]?.headers.authorization, `Bearer ${TOKEN}`);
    assert.equal(other.seen.length, 1);
    assert.doesNotMatch(JSON.stringify(other.seen), new RegExp(TOKEN));
  });
});

/** Sends one byte after the other, for ever. */
function drip(response: ServerResponse): void {
  response.write('x', (error) => error ?? setTimeout(drip, 5, response).unref());
}

describe('a fetch that fails', () => {
  /** What is said if every request is answered with this. */
  async function told(
    t: TestContext,
    answer: Answer,
    environment: Record<string, string> = {},
  ): Promise<string> {
    const { origin } = await serve(t, () => answer);
    const sandbox = await sandboxWith(t, { GITHUB_API_URL: origin, ...environment });
    const said = await expectFailure(sandbox, IMPORT);
    assert.doesNotMatch(said, new RegExp(`${TOKEN}|secret body`));
    return said.replaceAll(origin.slice('http://'.length), 'HOST');
  }

  it('says when it may be tried again, and which variable allows more', async (t) => {
    const reset = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1782868500' };
    assert.equal(
      await told(t, { status: 403, headers: reset, body: '{"message":"secret body"}' }),
      'changelog: github:acme/rocket: HOST allows no more requests for now; try again after 2026-07-01T01:15:00Z, or set GITHUB_TOKEN, with which it allows more\n',
    );
    assert.match(
      await told(t, { status: 429, headers: { 'retry-after': '60' } }, { GITHUB_TOKEN: TOKEN }),
      /try again after 2026-07-01T00:01:00Z\n$/,
    );
    for (const headers of [{}, { 'retry-after': 'soon' }, { 'x-ratelimit-reset': '1e999' }])
      assert.match(await told(t, { status: 429, headers }), /try again later, or set GITHUB_TOKEN/);
  });

  it('says which token is missing or not enough', async (t) => {
    assert.match(
      await told(t, { status: 404 }),
      /was not found; check the name, or if it is private, set GITHUB_TOKEN to/,
    );
    const withToken = { GH_TOKEN: TOKEN };
    assert.match(
      await told(t, { status: 404 }, withToken),
      /check the name, or the token in GH_TOKEN may not read it/,
    );
    assert.match(
      await told(t, { status: 401 }, withToken),
      /HOST refuses the token in GH_TOKEN for github:acme\/rocket \(401\)/,
    );
    assert.match(
      await told(t, { status: 403 }),
      /may not be read without a token; if it is private, set GITHUB_TOKEN/,
    );
    assert.match(
      await told(t, { status: 502, body: '\x1b[2J secret body' }),
      /HOST answered with status 502; try again later/,
    );
  });

  it('refuses pages and redirects that lead elsewhere, in circles, or to another scheme', async (t) => {
    const next = (url: string) => ({
      body: JSON.stringify([release('v1.0.0')]),
      headers: { link: `<${url}>; rel="next"` },
    });
    assert.match(
      await told(t, next('https://elsewhere.example/2')),
      /the next page is not on HOST; use the host/,
    );
    assert.match(await told(t, next('/again')), /has more than 200 pages of releases/);
    for (const location of [
      'http://elsewhere.example/',
      'file:///etc/passwd',
      'https://a:b@elsewhere.example/',
    ])
      assert.match(
        await told(t, { status: 302, headers: { location } }),
        /redirects to a URL that does not start with https:/,
      );
    assert.match(await told(t, { status: 302, headers: { location: '/again' } }), /HOST redirects too often/);
  });

  it('says if there are no releases, or something else', async (t) => {
    assert.match(
      await told(t, { body: '[]' }),
      /github:acme\/rocket has no releases; if it has a changelog in a file/,
    );
    assert.match(await told(t, { body: '<html>{\x1b[2J}' }), /github:acme\/rocket:1: unexpected </);
  });

  it('says if a server is not there, breaks off, sends too much, is silent or never ends', async (t) => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    const sandbox = await sandboxWith(t, {});
    assert.match(
      await expectFailure(sandbox, ['import', 'acme/rocket', `gitea:http://127.0.0.1:${port}/a/b`]),
      /cannot be read: ECONNREFUSED; check the name and the network/,
    );
    let mode: 'break' | 'much' | 'packed' | 'silent' | 'endless' = 'break';
    const server = createServer((_, response) => {
      if (mode === 'break') response.setHeader('content-length', '1000');
      if (mode === 'packed') response.setHeader('content-encoding', 'gzip');
      if (mode === 'break') response.write('x', () => response.destroy());
      else if (mode === 'packed') response.end(gzipSync(Buffer.alloc(65 * 2 ** 20, 'x')));
      else if (mode === 'silent') response.write('x');
      else if (mode === 'endless') drip(response);
      else for (let count = 0; count < 66; count++) response.write(Buffer.alloc(2 ** 20, 'x'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/C.md`;
    const source = parseSource(url, {}) ?? assert.fail();
    const fetched = (limits = {}) => fetchSource(source, { cacheFolder: null, now: NOW, ...limits });
    await assert.rejects(fetched(), /cannot be read: .*; check the name/);
    mode = 'much';
    await assert.rejects(fetched(), /exceeds 64 MiB; import it in parts\./);
    mode = 'packed';
    await assert.rejects(fetched(), /exceeds 64 MiB; import it in parts\./);
    mode = 'silent';
    await assert.rejects(fetched({ silenceMs: 100 }), /it was silent for 0\.1 seconds/);
    mode = 'endless';
    await assert.rejects(
      fetched({ wholeMs: 100 }),
      /cannot be read: it took more than 0\.1 seconds in all; check/,
    );
  });

  it('leaves the database as it was, and names the line in what was fetched', async (t) => {
    const twice = JSON.stringify([release('v1.0.0'), release('v1.0.0')], null, 2);
    assert.match(await told(t, { body: twice }), /github:acme\/rocket:\d+: duplicate version "v1\.0\.0"/);
    const { code, stderr } = await run(await sandboxWith(t, {}), ['import', 'acme/rocket', 'github:acme']);
    assert.deepEqual([code, stderr], [1, 'changelog: write github:acme as github:OWNER/REPO\n']);
  });
});
