// R66: what a CDN may keep was confirmed by a poll that began at most 100 ms before, however long regular polls take.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import inject from 'light-my-request';
import { readConfig } from '../../../src/config.ts';
import { buildApp } from '../../../src/http/app.ts';
import { createLog } from '../../../src/http/telemetry/log.ts';
import { engineOf } from '../../../src/store/engine/open.ts';
import { openRemoteSource } from '../../../src/store/source/remote.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED, type World } from '../../../support/content/world.ts';
import { databaseUrl, execute, makeUnavailable } from '../../../support/databases/engine.ts';
import { stretched } from '../../../support/processes/busy.ts';
import { type Scope, sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import type { Sandbox } from '../../../support/program/command.ts';
import { startSlowProxy } from '../../support/slow.ts';

const RECENT_MS_MAX = 100;
const CERTAIN_MS_MAX = 1_000;
const NEVER_MS = 600_000;
const CLIENTS = 20;
/** From the decision to send a response to the end of its request. */
const SENDING_MS_MAX = 50;

describe('a source that polls when that is needed', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  let world: World;
  before(async () => {
    world = await seedWorld(sandbox);
  });

  /** With the times of all polls: by default, there are no regular ones. */
  async function open(t: Scope, { url = databaseUrl(sandbox), pollEveryMs = NEVER_MS } = {}) {
    const engine = await engineOf(url);
    const polls: number[] = [];
    const onQuery = ({ query }: { query: { sql: string } }) => {
      if (query.sql.includes('"revision"')) polls.push(performance.now());
    };
    const counting: typeof engine = {
      ...engine,
      openReader: (to, options) =>
        engine.openReader(to, options.connectionsMax === 1 ? { ...options, onQuery } : options),
    };
    const source = await openRemoteSource(counting, [url], { pollEveryMs, limit: stretched });
    t.after(source.close);
    const environment = { DATABASE_URL: url, CDN_MAX_AGE_SECONDS: '86400', PUBLIC_RATE_LIMIT: '1000000' };
    const app = buildApp({
      config: readConfig(environment),
      source,
      log: createLog('silent', { write: () => {} }),
    });
    await app.prepare();
    const get = (path: string, headers = {}) => inject(app.handle, { url: path, headers });
    return { source, polls, get };
  }

  const write = (title: string) =>
    execute(sandbox, `update versions set title = '${title}' where id = 'ver_210'`);

  it('a public response has every write from more than 100 ms before, and the others are not polled for', async (t) => {
    const { get, polls } = await open(t);
    for (let round = 0; round < 5; round++) {
      await write(`Round ${round}`);
      await delay(RECENT_MS_MAX);
      const before = polls.length;
      assert.equal((await get(TEAM_FEED, { authorization: `Bearer ${world.full}` })).statusCode, 200);
      assert.equal(polls.length, before, 'an authenticated read asks as little as ever');
      const responses = await Promise.all(Array.from({ length: CLIENTS }, () => get(PUBLIC_FEED)));
      for (const { body } of responses) assert.match(body, new RegExp(`Round ${round}`));
      assert.equal(polls.length, before + 1, 'one poll for all of them');
    }
  });

  it('what a CDN keeps is never older than a second, and there are at most ten polls a second', async (t) => {
    const { get, polls } = await open(t);
    const oldMs = CERTAIN_MS_MAX + stretched(SENDING_MS_MAX);
    const written: { title: number; at: number }[] = [];
    let isOver = false;
    let kept = 0;
    async function ask(): Promise<void> {
      while (!isOver) {
        const { body, headers } = await get(PUBLIC_FEED);
        const sentAt = performance.now();
        if (headers['cdn-cache-control'] === undefined) continue;
        kept++;
        const due = written.findLast(({ at }) => at < sentAt - oldMs)?.title ?? 0;
        assert.ok(Number(/Write (\d+)/.exec(body)?.[1] ?? 0) >= due, `${due} was written before: ${body}`);
      }
    }
    const asking = Promise.all([ask(), ask(), ask()]);
    const startedAt = performance.now();
    for (let title = 1; performance.now() - startedAt < CERTAIN_MS_MAX + 500; title++) {
      await write(`Write ${title}`);
      written.push({ title, at: performance.now() });
    }
    isOver = true;
    await asking;
    assert.ok(kept > 0);
    const askedMs = performance.now() - (polls[0] ?? 0);
    assert.ok(polls.length <= askedMs / RECENT_MS_MAX + 1, `${polls.length} polls in ${askedMs} ms`);
  });

  it('a CDN does not keep what a domain showed before it moved to another product (R60)', async (t) => {
    const move = async (domain: string | null, slug: string) => {
      const value = domain === null ? 'null' : `'${domain}'`;
      assert.equal(
        await execute(
          sandbox,
          `update products set domain = ${value} where slug = '${slug}' and team_id =
        (select id from teams where slug = 'acme')`,
        ),
        1,
      );
    };
    const host = 'moved.example';
    await move(host, 'rocket');
    const { get } = await open(t);
    const title = async () => {
      const { body, headers } = await get('/', { host });
      return { isKept: headers['cdn-cache-control'] !== undefined, name: /<h1[^>]*>([^<]*)/.exec(body)?.[1] };
    };
    assert.equal((await title()).name, 'Rocket changelog');
    await move(null, 'rocket');
    await move(host, 'new');
    await delay(RECENT_MS_MAX);
    const first = await title();
    assert.ok(first.name === 'New' || !first.isKept, JSON.stringify(first));
    assert.equal((await title()).name, 'New');
  });

  it('requests that wait for a distant primary share its polls, and each gets one that began late enough', async (t) => {
    const { port } = new URL(databaseUrl(sandbox));
    const proxy = await startSlowProxy(t, Number(port), 120);
    const url = databaseUrl(sandbox).replace(`:${port}`, `:${proxy.port}`);
    const { source, polls } = await open(t, { url, pollEveryMs: 500 });
    const before = polls.length;
    const asked = Array.from({ length: CLIENTS }, async (_, index) => {
      await delay(index * 10);
      const askedAt = performance.now();
      assert.ok((await source.confirmRecently()) >= askedAt - RECENT_MS_MAX);
    });
    await Promise.all(asked);
    assert.ok(polls.length - before <= 4, polls.join());
  });

  it('nothing waits for a primary that is down', async (t) => {
    const { source } = await open(t);
    const restore = await makeUnavailable(sandbox);
    try {
      await delay(RECENT_MS_MAX);
      assert.equal(await source.confirmRecently(), Number.NEGATIVE_INFINITY);
      const startedAt = performance.now();
      assert.equal(await source.confirmRecently(), Number.NEGATIVE_INFINITY);
      assert.ok(performance.now() - startedAt < RECENT_MS_MAX);
    } finally {
      await restore();
    }
  });
});
