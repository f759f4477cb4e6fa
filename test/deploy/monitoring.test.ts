// The alerts and the dashboard against the code and the documents; monitoring.servers.slow.test.ts runs them.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import prometheus from 'prom-client';
import { createMetrics } from '../../src/http/telemetry/metrics.ts';
import { anchors, bare, section, tableUnder } from '../support/markdown.ts';
import { labelsBySeries } from '../support/metrics.ts';
import { DASHBOARD, PROMETHEUS, QUERIES, RULES } from './monitoring.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MONITORING = readFileSync(path.join(ROOT, 'docs/monitoring.md'), 'utf8');
/** Prometheus adds these to every series. */
const OF_TARGETS = ['job', 'instance'];
const SERIES = new Map([...labelsBySeries(), ['up', []]]);

/** The series of a query, and the labels that it uses of each; those of `by` and `on` may be of any of them. */
function usesOf(expr: string) {
  const series = [...expr.matchAll(/\b((?:changelog|process|nodejs)_\w+|up\b)(?:\{(.*?)\})?/g)].map(
    ([, name = '', matchers = '']) => ({
      name,
      labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }),
  );
  const grouped = [...expr.matchAll(/\b(?:by|on|without|ignoring) \((.*?)\)/g)].flatMap(([, labels = '']) =>
    labels.split(', '),
  );
  return { series, grouped };
}

function assertExists(expr: string): void {
  const { series, grouped } = usesOf(expr);
  assert.ok(series.length > 0, expr);
  for (const { name, labels } of series) {
    const known = SERIES.get(name);
    assert.ok(known !== undefined, `${name} is not a metric: ${expr}`);
    for (const label of labels)
      assert.ok([...known, ...OF_TARGETS].includes(label), `${name} has no ${label}: ${expr}`);
  }
  const labels = [...OF_TARGETS, ...series.flatMap(({ name }) => SERIES.get(name) ?? [])];
  for (const label of grouped) assert.ok(labels.includes(label), `no ${label} in ${expr}`);
}

describe('deploy/prometheus/alerts.yaml', () => {
  it('the alerts use only metrics and labels that exist', () => {
    for (const { expr } of RULES) assertExists(expr);
  });

  it('each metric of an alert exists with workers, too', async () => {
    const { registry } = createMetrics();
    const aggregated = prometheus.AggregatorRegistry.aggregate([await registry.getMetricsAsJSON()]);
    const ofProcesses = RULES.flatMap(({ expr }) => usesOf(expr).series)
      .map(({ name }) => name)
      .filter((name) => /^(?:process|nodejs)_/.test(name));
    assert.ok(ofProcesses.includes('process_start_time_seconds'));
    for (const name of ofProcesses) assert.ok(aggregated.getSingleMetric(name), name);
  });

  it('each alert has a severity, says what to do, and names a section that exists', () => {
    for (const { alert, labels, annotations } of RULES) {
      assert.match(alert, /^Changelog[A-Z]/);
      assert.match(labels.severity, /^(?:critical|warning)$/, alert);
      const { summary, description, runbook, ...more } = annotations;
      assert.ok(summary.length > 10 && description.length > 40, alert);
      assert.deepEqual(more, {});
      const [file = '', anchor] = runbook.split('#');
      assert.ok(existsSync(path.join(ROOT, file)), `${alert}: ${runbook}`);
      const known = anchors(readFileSync(path.join(ROOT, file), 'utf8'));
      if (anchor !== undefined) assert.ok(known.includes(anchor), `${alert}: ${runbook}`);
    }
  });

  it('each alert has a test in which it fires', () => {
    const tests = readFileSync(path.join(PROMETHEUS, 'alerts.test.yaml'), 'utf8');
    for (const { alert, labels } of RULES)
      assert.ok(tests.includes(`{alertname="${alert}", severity="${labels.severity}"}`), alert);
  });

  it('docs/monitoring.md lists every alert with its severity', () => {
    assert.deepEqual(
      tableUnder(section(MONITORING, '## Alerts'), 'Alert').map(([alert = '', severity]) => [
        bare(alert),
        severity,
      ]),
      RULES.map(({ alert, labels }) => [alert, labels.severity]),
    );
  });
});

describe('deploy/grafana/changelog.json', () => {
  it('the dashboard uses only metrics and labels that exist, in queries and in legends', () => {
    assert.ok(QUERIES.length > 30);
    for (const { expr, legend } of QUERIES) {
      assertExists(expr);
      const { series, grouped } = usesOf(expr);
      const labels = [...OF_TARGETS, ...grouped, ...series.flatMap(({ name }) => SERIES.get(name) ?? [])];
      for (const [, label = ''] of legend.matchAll(/\{\{(\w+)\}\}/g))
        assert.ok(labels.includes(label), legend);
    }
  });

  it('the dashboard shows every metric of the program', () => {
    const shown = new Set(QUERIES.flatMap(({ expr }) => usesOf(expr).series.map(({ name }) => name)));
    const isShown = (name: string) =>
      shown.has(name) || shown.has(name.replace(/_(?:sum|count|bucket)$/, '_count'));
    const ours = [...SERIES.keys()].filter((name) => name.startsWith('changelog_'));
    assert.deepEqual(
      ours.filter((name) => !isShown(name)),
      [],
    );
  });

  it('the data source and the instances are variables, and no query names others', () => {
    assert.deepEqual(
      DASHBOARD.templating.list.map(({ name }) => name),
      ['datasource', 'instance'],
    );
    for (const { expr } of QUERIES) assert.doesNotMatch(expr, /\$/);
  });
});
