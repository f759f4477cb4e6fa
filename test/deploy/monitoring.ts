import { readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';

const DEPLOY = path.resolve(import.meta.dirname, '../../deploy');

type Rule = Readonly<{
  alert: string;
  expr: string;
  for?: string;
  labels: Readonly<{ severity: string }>;
  annotations: Readonly<{ summary: string; description: string; runbook: string }>;
}>;
type RulesFile = Readonly<{ groups: readonly Readonly<{ name: string; rules: readonly Rule[] }>[] }>;

export const PROMETHEUS = path.join(DEPLOY, 'prometheus');

export const { groups: GROUPS } = load(
  readFileSync(path.join(PROMETHEUS, 'alerts.yaml'), 'utf8'),
) as RulesFile;
export const RULES = GROUPS.flatMap(({ rules }) => rules);

type Panel = Readonly<{
  title: string;
  targets?: readonly Readonly<{ expr: string; legendFormat: string }>[];
}>;
type Dashboard = Readonly<{ panels: readonly Panel[]; templating: { list: readonly { name: string }[] } }>;

export const DASHBOARD: Dashboard = JSON.parse(
  readFileSync(path.join(DEPLOY, 'grafana/changelog.json'), 'utf8'),
);

/** Each query of the dashboard, with the values that Grafana would put in place of its variables. */
export const QUERIES = DASHBOARD.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({
    title,
    legend: legendFormat,
    expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'),
  })),
);
