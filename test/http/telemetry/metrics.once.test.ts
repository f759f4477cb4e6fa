// Prometheus metrics (R36): correct counts, and a bounded number of series.
import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { formatApiKey } from '../../../src/domain/access/api-key.ts';
import { PRODUCT_PAGE } from '../../../support/content/pages.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED, type World } from '../../../support/content/world.ts';
import { lintMetrics, type Scrape, scrape } from '../../../support/http/prometheus.ts';
import { deadline } from '../../../support/processes/busy.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import type { Sandbox } from '../../../support/program/command.ts';
import { type ServerProcess, spawnServer } from '../../../support/program/process.ts';
import { becomes } from '../../support/becomes.ts';
import { rawRequest } from '../../support/socket.ts';

const REQUESTS = 'changelog_http_request_duration_seconds_count';
const ROUTE = '/teams/:team/products/:product/changelog';
const PUBLIC_ROUTE = `/api/v1/public${ROUTE}`;
const TEAM_ROUTE = `/api/v1${ROUTE}`;
const LIMIT = 300;
/** Clients differ by X-Forwarded-For from a trusted proxy, so that one of them can use up its limit. */
const SETTINGS = {
  OPS_PORT: '0',
  LOG_LEVEL: 'silent',
  PUBLIC_RATE_LIMIT: String(LIMIT),
  TRUSTED_PROXIES: '127.0.0.1',
};

type Counted = Record<string, number>;

describe('the metrics of a server', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  let server: ServerProcess;
  let world: World;

  before(async () => {
    world = await seedWorld(sandbox);
    server = await spawnServer(scope, sandbox, SETTINGS);
  });

  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(server.address + path, init);
    await response.arrayBuffer();
    return response;
  };
  const withKey = (key: string, more: Record<string, string> = {}) => ({
    headers: { authorization: `Bearer ${key}`, ...more },
  });

  /** How much these series grew; unchanged ones are omitted. */
  async function growth(act: () => Promise<unknown>): Promise<Counted> {
    const earlier = await scrape(server.opsAddress);
    await act();
    // A request is counted after its response was sent, which may be after the client received it.
    let later = await scrape(server.opsAddress);
    const isCounted = () => later.sum(REQUESTS) > earlier.sum(REQUESTS);
    for (const until = performance.now() + deadline(2_000); !isCounted() && performance.now() < until; )
      later = await scrape(server.opsAddress);
    return difference(earlier, later);
  }

  /** The metrics once all requests are counted. */
  async function settled(): Promise<Scrape> {
    await growth(() => ask('/nothing'));
    return await scrape(server.opsAddress);
  }

  it('metrics are in the Prometheus format', async () => {
    await ask(PUBLIC_FEED);
    const { metrics } = await scrape(server.opsAddress);
    for (const { name, help } of metrics.values()) assert.ok(help.length > 5, name);
    const ours = [...metrics.values()].filter(({ name }) => name.startsWith('changelog_'));
    assert.ok(ours.length >= 10);
    assert.equal(metrics.get('changelog_http_request_duration_seconds')?.type, 'histogram');
    for (const { name, type } of ours) assert.equal(type === 'counter', name.endsWith('_total'), name);
    assert.ok(metrics.has('process_cpu_seconds_total') && metrics.has('nodejs_eventloop_lag_seconds'));
  });

  it('metrics pass the rules of promtool, from one process and from workers', async (t) => {
    const workers = await spawnServer(t, sandbox, SETTINGS, ['--workers', '2']);
    for (const { opsAddress } of [server, workers]) {
      const found = await scrape(opsAddress);
      assert.deepEqual(lintMetrics(found), []);
      for (const what of ['handles', 'requests', 'resources'])
        assert.ok(found.metrics.has(`nodejs_active_${what}`), what);
    }
  });

  it('a public read counts as admitted, the first time as read, and as cached from then on', async () => {
    const path = `${PUBLIC_FEED}/versions/ver_210`;
    const counted = { [`${PUBLIC_ROUTE}/versions/:versionId 200 public`]: 1, 'limiter admitted': 1 };
    assert.deepEqual(await growth(() => ask(path)), { ...counted, 'responses database': 1 });
    assert.deepEqual(await growth(() => ask(path)), { ...counted, 'responses cache': 1 });
    assert.deepEqual(await growth(() => ask(path, { method: 'HEAD' })), { ...counted, 'responses cache': 1 });
  });

  it('pages are counted by their route, whatever the response', async () => {
    const route = '/changelog/:team/:product';
    const admitted = { 'limiter admitted': 1 };
    const counted = (status: number) => ({ [`${route} ${status} pages`]: 1, ...admitted });
    assert.deepEqual(await growth(() => ask(PRODUCT_PAGE)), { ...counted(200), 'responses database': 1 });
    assert.deepEqual(await growth(() => ask(PRODUCT_PAGE)), { ...counted(200), 'responses cache': 1 });
    assert.deepEqual(await growth(() => ask('/changelog/acme/secret')), {
      ...counted(404),
      'responses database': 1,
    });
    assert.deepEqual(await growth(() => ask(`${PRODUCT_PAGE}?from=nonsense`)), counted(400));
    assert.deepEqual(await growth(() => ask(PRODUCT_PAGE, { method: 'POST', body: '{}' })), counted(405));
    assert.deepEqual(await growth(() => ask('/changelog/acme')), {
      '/changelog/:team 200 pages': 1,
      'responses database': 1,
      ...admitted,
    });
  });

  it('304, 404 and 405 are counted', async () => {
    const etag = (await ask(PUBLIC_FEED)).headers.get('etag') ?? '';
    const admitted = { 'limiter admitted': 1 };
    assert.deepEqual(await growth(() => ask(PUBLIC_FEED, { headers: { 'if-none-match': etag } })), {
      [`${PUBLIC_ROUTE} 304 public`]: 1,
      'responses cache': 1,
      ...admitted,
    });
    assert.deepEqual(await growth(() => ask(PUBLIC_FEED.replace('rocket', 'secret'))), {
      [`${PUBLIC_ROUTE} 404 public`]: 1,
      'responses database': 1,
      ...admitted,
    });
    assert.deepEqual(await growth(() => ask(PUBLIC_FEED, { method: 'POST', body: '{}' })), {
      [`${PUBLIC_ROUTE} 405 public`]: 1,
      ...admitted,
    });
    assert.deepEqual(await growth(() => ask(PUBLIC_FEED, { method: 'OPTIONS' })), {
      [`${PUBLIC_ROUTE} 204 public`]: 1,
    });
  });

  it('a malformed request is counted like any other', async () => {
    const ask = (...head: string[]) => growth(() => rawRequest(server.port, head));
    assert.deepEqual(await ask(`BREW ${PUBLIC_FEED} HTTP/1.1`, 'Host: x'), {
      [`${PUBLIC_ROUTE} 405 public`]: 1,
      'limiter admitted': 1,
    });
    assert.deepEqual(await ask('nonsense'), { 'unknown 400 none': 1 });
  });

  it('429 responses are counted', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.77' };
    for (let left = LIMIT; left > 0; left -= 100)
      await Promise.all(Array.from({ length: 100 }, () => ask(PUBLIC_FEED, { headers })));
    assert.deepEqual(await growth(() => ask(PUBLIC_FEED, { headers })), {
      [`${PUBLIC_ROUTE} 429 public`]: 1,
      'limiter refused': 1,
    });
  });

  it('results of key checks are counted, and not by the rate limiter', async () => {
    const cases: [path: string, init: RequestInit, status: number, result: string][] = [
      [TEAM_FEED, {}, 401, 'missing'],
      [TEAM_FEED, withKey('nonsense'), 401, 'unauthorized'],
      [TEAM_FEED, withKey(formatApiKey(randomInt)), 401, 'unauthorized'],
      [TEAM_FEED, withKey(world.disabled), 401, 'unauthorized'],
      [TEAM_FEED, withKey(world.vault), 403, 'forbidden'],
      [TEAM_FEED.replace('rocket', 'secret'), withKey(world.select), 403, 'forbidden'],
      [TEAM_FEED, withKey(world.full), 200, 'allowed'],
      [TEAM_FEED.replace('rocket', 'nothing'), withKey(world.full), 404, 'allowed'],
    ];
    for (const [path, init, status, result] of cases) {
      const counted = await growth(() => ask(path, init));
      const { 'responses database': read = 0, 'responses cache': cached = 0, ...rest } = counted;
      assert.deepEqual(rest, { [`${TEAM_ROUTE} ${status} team`]: 1, [`keys ${result}`]: 1 });
      assert.equal(read + cached, result === 'allowed' ? 1 : 0);
    }
  });

  it('unknown paths are counted as one unknown route', async () => {
    for (const path of ['/', '/changelog', '/changelog/%ff'])
      assert.deepEqual(await growth(() => ask(path)), { 'unknown 404 pages': 1, 'limiter admitted': 1 });
    assert.deepEqual(await growth(() => ask('/llms.txt')), { 'unknown 404 lists': 1, 'limiter admitted': 1 });
    assert.deepEqual(await growth(() => ask('/metrics')), { 'unknown 404 none': 1 });
    assert.deepEqual(await growth(() => ask('/api/v1/nothing')), { 'unknown 404 team': 1 });
    assert.deepEqual(await growth(() => ask('/api/v1/public/nothing')), {
      'unknown 404 public': 1,
      'limiter admitted': 1,
    });
    assert.deepEqual(await growth(() => ask('/nothing', { method: 'DELETE' })), { 'unknown 404 none': 1 });
  });

  it('paths, clients and keys add no series and appear in none', async () => {
    const name = () => randomBytes(6).toString('hex');
    const round = async () => {
      const client = `198.51.100.${randomInt(256)}`;
      const key = formatApiKey(randomInt);
      const slug = name();
      const headers = { 'x-forwarded-for': client, 'user-agent': name() };
      await Promise.all([
        ask(`/api/v1/public/teams/${slug}/products/${name()}/changelog?q=${name()}`, { headers }),
        ask(`/api/v1/teams/${slug}/products/${name()}/changelog`, withKey(key, headers)),
        ask(`/${name()}/${name()}`, { headers }),
        ask(`/changelog/${slug}/${name()}/versions/${name()}?q=${name()}`, { headers }),
        ask(`/changelog/${slug}`, { headers }),
      ]);
      return [client, key, slug];
    };
    await round();
    await Promise.all([ask(PUBLIC_FEED), ask(TEAM_FEED, withKey(world.full))]);
    const { series } = await settled();
    const used: string[] = [];
    for (let count = 0; count < 100; count++) used.push(...(await round()));
    const { series: later, text } = await settled();
    const ours = (all: readonly string[]) => all.filter((one) => one.startsWith('changelog_'));
    assert.deepEqual(ours(later), ours(series));
    for (const word of [...used, world.full, world.fullId, '127.0.0.1', 'acme', 'rocket', 'clk_'])
      assert.ok(!text.includes(word), word);
  });

  it('before the first request, counters are 0, so that Prometheus sees them increase, and the latest revision is confirmed', async (t) => {
    const hooks = path.join(sandbox.folder, 'hooks.yaml');
    writeFileSync(
      hooks,
      `hooks:
- { name: chat, kind: command, command: ['true'] }
- { name: cdn, kind: purge-url, url: 'http://127.0.0.1:9' }
`,
    );
    const fresh = await spawnServer(t, sandbox, { ...SETTINGS, HOOKS: hooks });
    const { metrics, sum } = await scrape(fresh.opsAddress);
    assert.ok(sum('changelog_revision') > 1);
    assert.ok(sum('changelog_revision_unconfirmed_seconds') < deadline(1_000) / 1_000);
    const seriesOf = (name: string) =>
      metrics
        .get(`changelog_${name}_total`)
        ?.samples.map(({ labels, value }) => [...Object.values(labels), value]);
    const expected = {
      limiter_requests: [
        ['admitted', 0],
        ['refused', 0],
      ],
      responses: [
        ['cache', 0],
        ['database', 0],
        ['stale_cache', 0],
      ],
      key_checks: [
        ['missing', 0],
        ['unauthorized', 0],
        ['forbidden', 0],
        ['allowed', 0],
      ],
      scheduled_versions_published: [[0]],
      connections_closed: [[0]],
      log_lines_dropped: [[0]],
    };
    for (const [name, series] of Object.entries(expected)) assert.deepEqual(seriesOf(name), series, name);
    assert.deepEqual(
      seriesOf('hook_deliveries')?.map(([hook, outcome]) => `${hook} ${outcome}`),
      ['chat sent', 'chat failed', 'chat given_up', 'cdn purged', 'cdn failed'],
    );
    assert.deepEqual(
      metrics.get('changelog_hook_behind_seconds')?.samples.map(({ labels }) => labels.hook),
      ['chat', 'cdn'],
    );
  });

  it('open connections are counted', async () => {
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    await becomes(async () => (await scrape(server.opsAddress)).sum('changelog_connections') > 0, true);
    socket.destroy();
  });

  it('metrics include the state of the database and the size of the cache', async () => {
    await ask(PUBLIC_FEED);
    const { metrics, sum } = await scrape(server.opsAddress);
    assert.deepEqual(
      metrics.get('changelog_database_up')?.samples.map(({ labels, value }) => [labels, value]),
      [[{ database: 'primary' }, 1]],
    );
    assert.ok(sum('changelog_cached_responses') >= 1);
    assert.ok(sum('changelog_cached_bytes') > 500);
    assert.ok(sum('changelog_revision') > 1);
    assert.equal(sum('changelog_database_behind_seconds'), 0);
  });
});

/** Changed counters and histograms, under short names. */
function difference(earlier: Scrape, later: Scrape): Counted {
  const names = {
    [REQUESTS]: ({ route, status, surface }: Record<string, string>) => `${route} ${status} ${surface}`,
    changelog_limiter_requests_total: ({ outcome }: Record<string, string>) => `limiter ${outcome}`,
    changelog_responses_total: ({ source }: Record<string, string>) => `responses ${source}`,
    changelog_key_checks_total: ({ result }: Record<string, string>) => `keys ${result}`,
  };
  const counted: Counted = {};
  for (const { samples } of later.metrics.values()) {
    for (const { name, labels, value } of samples) {
      const grown = value - earlier.sum(name, labels);
      const short = names[name as keyof typeof names];
      if (short !== undefined && grown !== 0) counted[short(labels)] = grown;
    }
  }
  return counted;
}
