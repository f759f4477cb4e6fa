// The Grafana dashboard. The types are those of Grafana, so `npm run check` finds what Grafana would not understand.
import {
  BigValueGraphMode,
  BigValueTextMode,
  type Dashboard,
  DashboardCursorSync,
  GraphDrawStyle,
  type GraphFieldConfig,
  LegendDisplayMode,
  type OptionsWithLegend,
  type OptionsWithTooltip,
  type Panel,
  type RowPanel,
  SortOrder,
  StackingMode,
  TooltipDisplayMode,
  type VariableModel,
  VariableRefresh,
  VariableSort,
} from '@grafana/schema';

type Unit = 'reqps' | 's' | 'percentunit' | 'bytes' | 'short';
type Query = readonly [expr: string, legend: string];
type Chart = Readonly<{
  title: string;
  unit: Unit;
  queries: readonly Query[];
  /** Parts of a whole. */
  stacked?: true;
  /** One number, and no chart. */
  single?: true;
}>;

const DATASOURCE = { type: 'prometheus', uid: '$datasource' };
/** Panels of Grafana are on a grid of 24 columns. */
const COLUMNS = 24;
const CHART = { w: 8, h: 8 };
const NUMBER = { w: 4, h: 4 };

const metric = (name: string, ...labels: string[]) =>
  `${name}{${['instance=~"$instance"', ...labels].join(', ')}}`;
const rate = (name: string, ...labels: string[]) => `rate(${metric(name, ...labels)}[$__rate_interval])`;
const REQUESTS = 'changelog_http_request_duration_seconds';
const requests = `sum(${rate(`${REQUESTS}_count`)})`;
const share = (part: string, whole: string) => `${part} / ${whole}`;
const quantile = (q: number, by = 'le') =>
  `histogram_quantile(${q}, sum by (${by}) (${rate(`${REQUESTS}_bucket`)}))`;
const responses = (...labels: string[]) => `sum(${rate('changelog_responses_total', ...labels)})`;

const ROWS: readonly (readonly [title: string, charts: readonly Chart[]])[] = [
  [
    'Overview',
    [
      single('Instances up', 'short', 'sum(up{job="changelog", instance=~"$instance"})'),
      single('Databases down', 'short', `count(${metric('changelog_database_up')} == 0) or vector(0)`),
      single('Requests', 'reqps', requests),
      single(
        'Errors (5xx)',
        'percentunit',
        share(`(sum(${rate(`${REQUESTS}_count`, 'status=~"5.."')}) or vector(0))`, requests),
      ),
      single('p99', 's', quantile(0.99)),
      single('From the cache', 'percentunit', share(responses('source="cache"'), responses())),
    ],
  ],
  [
    'Requests',
    [
      stacked('Requests by status', 'reqps', [
        `sum by (status) (${rate(`${REQUESTS}_count`)})`,
        '{{status}}',
      ]),
      stacked('Requests by route: the ten most frequent', 'reqps', [
        `topk(10, sum by (route) (${rate(`${REQUESTS}_count`)}))`,
        '{{route}}',
      ]),
      chart('Latency', 's', [quantile(0.5), 'p50'], [quantile(0.9), 'p90'], [quantile(0.99), 'p99']),
      chart('p99 by surface', 's', [quantile(0.99, 'surface, le'), '{{surface}}']),
      stacked('Responses by source', 'reqps', [
        `sum by (source) (${rate('changelog_responses_total')})`,
        '{{source}}',
      ]),
      chart('Cache hit ratio', 'percentunit', [
        share(
          `sum by (instance) (${rate('changelog_responses_total', 'source="cache"')})`,
          `sum by (instance) (${rate('changelog_responses_total')})`,
        ),
        '{{instance}}',
      ]),
      stacked('Public requests, by the rate limiter', 'reqps', [
        `sum by (outcome) (${rate('changelog_limiter_requests_total')})`,
        '{{outcome}}',
      ]),
      chart('Counted together with other processes (1) or alone (0)', 'short', [
        metric('changelog_counters_shared'),
        '{{instance}}',
      ]),
      stacked('API keys', 'reqps', [`sum by (result) (${rate('changelog_key_checks_total')})`, '{{result}}']),
      chart(
        'Client connections',
        'short',
        [metric('changelog_connections'), '{{instance}}'],
        [
          `increase(${metric('changelog_connections_closed_total')}[$__rate_interval])`,
          '{{instance}} closed to make room',
        ],
      ),
    ],
  ],
  [
    'Database',
    [
      chart('Databases in use (1) and down (0)', 'short', [
        metric('changelog_database_up'),
        '{{instance}} {{database}}',
      ]),
      chart('Replicas behind', 's', [
        metric('changelog_database_behind_seconds'),
        '{{instance}} {{database}}',
      ]),
      chart('Pool connections, and reads that wait for one', 'short', [
        `sum by (database, state) (${metric('changelog_database_connections')})`,
        '{{database}} {{state}}',
      ]),
      chart('Time since the latest revision was confirmed', 's', [
        metric('changelog_revision_unconfirmed_seconds'),
        '{{instance}}',
      ]),
      chart('Revision', 'short', [metric('changelog_revision'), '{{instance}}']),
      chart('Cached responses', 'short', [metric('changelog_cached_responses'), '{{instance}}']),
      chart('Memory of cached responses', 'bytes', [metric('changelog_cached_bytes'), '{{instance}}']),
    ],
  ],
  [
    'Schedule and hooks',
    [
      chart('Scheduled versions overdue', 's', [
        `max(${metric('changelog_schedule_overdue_seconds')})`,
        'longest wait',
      ]),
      chart('Scheduled versions published', 'short', [
        `sum(increase(${metric('changelog_scheduled_versions_published_total')}[$__rate_interval]))`,
        'published',
      ]),
      chart('Hooks', 'short', [
        `sum by (hook, outcome) (increase(${metric('changelog_hook_deliveries_total')}[$__rate_interval]))`,
        '{{hook}} {{outcome}}',
      ]),
      chart('Hooks behind', 's', [`min by (hook) (${metric('changelog_hook_behind_seconds')})`, '{{hook}}']),
    ],
  ],
  [
    'Processes',
    [
      chart(
        'Memory',
        'bytes',
        [metric('process_resident_memory_bytes'), '{{instance}}'],
        [metric('nodejs_heap_size_used_bytes'), '{{instance}} heap'],
      ),
      chart('Processor cores', 'short', [rate('process_cpu_seconds_total'), '{{instance}}']),
      chart(
        'Event loop lag',
        's',
        [metric('nodejs_eventloop_lag_p50_seconds'), '{{instance}} p50'],
        [metric('nodejs_eventloop_lag_p99_seconds'), '{{instance}} p99'],
      ),
      chart('Garbage collection', 'percentunit', [
        `sum by (instance) (${rate('nodejs_gc_duration_seconds_sum')})`,
        '{{instance}}',
      ]),
      chart('Open files', 'short', [metric('process_open_fds'), '{{instance}}']),
      chart('Log lines dropped', 'short', [
        `increase(${metric('changelog_log_lines_dropped_total')}[$__rate_interval])`,
        '{{instance}}',
      ]),
    ],
  ],
];

function chart(title: string, unit: Unit, ...queries: Query[]): Chart {
  return { title, unit, queries };
}

function stacked(title: string, unit: Unit, ...queries: Query[]): Chart {
  return { title, unit, queries, stacked: true };
}

function single(title: string, unit: Unit, expr: string): Chart {
  return { title, unit, queries: [[expr, title]], single: true };
}

const VARIABLES: VariableModel[] = [
  { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
  {
    name: 'instance',
    label: 'Instance',
    type: 'query',
    datasource: DATASOURCE,
    query: { query: 'label_values(changelog_revision, instance)', refId: 'instance' },
    refresh: VariableRefresh.onTimeRangeChanged,
    sort: VariableSort.naturalAsc,
    multi: true,
    includeAll: true,
    allValue: '.*',
    current: { selected: true, text: ['All'], value: ['$__all'] },
  },
];

export function dashboardJson(): string {
  const dashboard: Dashboard = {
    id: null,
    uid: 'changelog-read-api',
    title: 'Changelog',
    description: 'Requests, database, schedule, hooks and processes of changelog serve (OPS_PORT).',
    tags: ['changelog'],
    // Of Grafana 10.4. Later ones migrate it when they import it.
    schemaVersion: 39,
    editable: true,
    graphTooltip: DashboardCursorSync.Crosshair,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    templating: { list: VARIABLES },
    panels: layOut(),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

function layOut(): (Panel | RowPanel)[] {
  const panels: (Panel | RowPanel)[] = [];
  let y = 0;
  for (const [title, charts] of ROWS) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y: y++, w: COLUMNS, h: 1 },
    });
    let x = 0;
    for (const [index, each] of charts.entries()) {
      const { w, h } = each.single ? NUMBER : CHART;
      panels.push({ id: panels.length + 1, ...describePanel(each), gridPos: { x, y, w, h } });
      x = (x + w) % COLUMNS;
      if (x === 0 || index === charts.length - 1) y += h;
    }
  }
  return panels;
}

function describePanel({ title, unit, queries, stacked: isStacked, single: isSingle }: Chart): Panel {
  const targets = queries.map(([expr, legendFormat], index) => ({
    refId: 'ABC'.charAt(index),
    datasource: DATASOURCE,
    expr,
    legendFormat,
    range: true,
  }));
  const shared = { title, datasource: DATASOURCE, targets };
  if (isSingle)
    return {
      ...shared,
      type: 'stat',
      fieldConfig: { defaults: { unit }, overrides: [] },
      options: {
        reduceOptions: { calcs: ['lastNotNull'] },
        textMode: BigValueTextMode.Value,
        graphMode: BigValueGraphMode.Area,
      },
    };
  return {
    ...shared,
    type: 'timeseries',
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        custom: {
          drawStyle: GraphDrawStyle.Line,
          fillOpacity: isStacked ? 30 : 0,
          stacking: { mode: isStacked ? StackingMode.Normal : StackingMode.None },
        } satisfies GraphFieldConfig,
      },
      overrides: [],
    },
    options: {
      legend: { displayMode: LegendDisplayMode.List, placement: 'bottom', showLegend: true, calcs: [] },
      tooltip: { mode: TooltipDisplayMode.Multi, sort: SortOrder.Descending },
    } satisfies OptionsWithLegend & OptionsWithTooltip,
  };
}
