// The alerts and the dashboard with the programs that use them: promtool, and a Prometheus that scrapes real nodes.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { dump } from 'js-yaml';
import { type Node, startNode } from '../../cluster/nodes.ts';
import { type PostgresServer, startPostgres } from '../../cluster/postgres.ts';
import { promtool, startPrometheus } from '../../cluster/prometheus.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED, type World } from '../../support/content/world.ts';
import { scrape } from '../../support/http/prometheus.ts';
import { until } from '../../support/processes/poll.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { databaseUrls, provideDatabase } from '../../support/program/nodes.ts';
import { becomes } from '../support/becomes.ts';
import { QUERIES } from './monitoring.ts';

const SCRAPED_MS_MAX = 60_000;
const POLL = { everyMs: 250 };

describe('promtool', () => {
  it('accepts the configuration and the rules, and the unit tests of the rules pass', async () => {
    assert.match(
      await promtool(['check', 'config', 'prometheus.yml']),
      /SUCCESS: .* is valid prometheus config/,
    );
    assert.match(await promtool(['check', 'rules', 'alerts.yaml']), /SUCCESS: \d+ rules found/);
    assert.match(await promtool(['test', 'rules', 'alerts.test.yaml']), /SUCCESS/);
  });

  it('accepts every query of the dashboard', async (t) => {
    const file = path.join(temporaryFolder(t), 'queries.yaml');
    const rules = QUERIES.map(({ expr }, index) => ({ record: `query_${index}`, expr }));
    writeFileSync(file, dump({ groups: [{ name: 'dashboard', rules }] }));
    assert.match(
      await promtool(['check', 'rules', file]),
      new RegExp(`SUCCESS: ${QUERIES.length} rules found`),
    );
  });
});

describe('Prometheus', () => {
  const scope = sharedScope();
  let postgres: PostgresServer;
  let nodes: Node[];
  let world: World;
  let prometheus: Awaited<ReturnType<typeof startPrometheus>>;
  before(async () => {
    postgres = await startPostgres(scope, { auth: 'md5' });
    const sandbox = await provideDatabase(scope, postgres);
    world = await seedWorld(sandbox);
    const hooks = path.join(temporaryFolder(scope), 'hooks.yaml');
    writeFileSync(hooks, dump({ hooks: [{ name: 'chat', kind: 'command', command: ['true'] }] }));
    const environment = {
      DATABASE_URL: databaseUrls(postgres).join(),
      HOOKS: hooks,
      OPS_PORT: '0',
      PUBLIC_RATE_LIMIT: '1000000',
      LOG_LEVEL: 'silent',
    };
    nodes = await Promise.all([
      startNode(scope, { environment }),
      startNode(scope, { environment: { ...environment, WORKERS: '2' } }),
    ]);
    prometheus = await startPrometheus(
      scope,
      nodes.map(({ opsAddress }) => new URL(opsAddress ?? '').host),
    );
  });

  /** Some requests of each kind. */
  async function use(): Promise<void> {
    const authorization = `Bearer ${world.full}`;
    for (const { address } of nodes)
      for (const target of [PUBLIC_FEED, TEAM_FEED, '/changelog/acme/rocket', '/nothing'])
        await (await fetch(address + target, { headers: { authorization } })).arrayBuffer();
  }
  const firing = async () =>
    (await prometheus.alerts())
      .filter(({ state }) => state === 'firing')
      .map(({ labels }) => labels.alertname);

  it('scrapes one process and workers, and every query of the dashboard has data', async () => {
    const listMissing = async () => {
      await use();
      const found = QUERIES.map(async ({ title, legend, expr }) => {
        const result = await prometheus.query(expr);
        const isThere = result.length > 0 && result.every(({ value }) => value[1] !== 'NaN');
        return isThere ? [] : [`${title}: ${legend}`];
      });
      return (await Promise.all(found)).flat();
    };
    await becomes(listMissing, [], SCRAPED_MS_MAX);
    const [up] = await prometheus.query('sum(up{job="changelog"})');
    assert.equal(up?.value[1], '2');
    for (const { opsAddress } of nodes)
      assert.equal(await promtool(['check', 'metrics'], (await scrape(opsAddress)).text), '');
    for (const unwanted of [
      'ChangelogDown',
      'ChangelogNotReady',
      'ChangelogErrors',
      'ChangelogStaleResponses',
    ])
      assert.ok(!(await firing()).includes(unwanted), unwanted);
  });

  it('fires while the database is down, also for workers, and no longer when it is back', async () => {
    await postgres.stop('immediate');
    const isFiring = async () => {
      await use();
      const names = await firing();
      return (
        names.filter((name) => name === 'ChangelogNotReady').length === 2 &&
        names.includes('ChangelogStaleResponses') &&
        names.includes('ChangelogUnavailable')
      );
    };
    await until('the alerts fire', isFiring, POLL);
    assert.ok(!(await firing()).includes('ChangelogDown'), 'metrics do not need the database');
    const [alert] = (await prometheus.alerts()).filter(
      ({ labels }) => labels.alertname === 'ChangelogNotReady',
    );
    assert.match(alert?.annotations.summary ?? '', /^127\.0\.0\.1:\d+ has no database$/);
    await postgres.start();
    await until('it is over', async () => !(await firing()).includes('ChangelogNotReady'), POLL);
  });

  it('fires when no node is left', async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await until('it fires', async () => (await firing()).includes('ChangelogDown'), POLL);
  });
});
