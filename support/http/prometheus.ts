// A strict parser of the Prometheus text format: anything else is an error.
import assert from 'node:assert/strict';

type Sample = Readonly<{ name: string; labels: Readonly<Record<string, string>>; value: number }>;
type Metric = Readonly<{ name: string; type: string; help: string; samples: readonly Sample[] }>;
export type Scrape = Readonly<{
  text: string;
  metrics: ReadonlyMap<string, Metric>;
  /** The sum of the samples with this name and, at least, these labels. */
  sum: (name: string, labels?: Record<string, string>) => number;
  /** Every series: its name and labels. */
  series: readonly string[];
}>;

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABELS = /^(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"(?:,|$))*$/;
const TYPES = ['counter', 'gauge', 'histogram', 'summary'];
const ABBREVIATED_UNITS = 's ms us ns sec b kb mb gb tb pb m h d'.split(' ');
const DERIVED_UNIT =
  /^(?:(?:milli|micro|nano|kilo|mega|giga|kibi|mebi)\w+s|minutes|hours|days|weeks|bits|percent)$/;
const SUFFIXES: Record<string, readonly string[]> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

export async function scrape(opsAddress: string | null): Promise<Scrape> {
  const response = await fetch(`${opsAddress}/metrics`);
  assert.equal(response.status, 200);
  assert.match(
    response.headers.get('content-type') ?? '',
    /^text\/plain; version=0\.0\.4(; charset=utf-8)?$/,
  );
  return parseMetrics(await response.text());
}

function parseMetrics(text: string): Scrape {
  assert.ok(text.endsWith('\n'), 'the last line must end with a newline');
  const metrics = new Map<string, Metric & { samples: Sample[] }>();
  let current: (Metric & { samples: Sample[] }) | null = null;
  let help: [name: string, text: string] | null = null;
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (word === 'HELP') {
      assert.match(name, NAME);
      assert.ok(!metrics.has(name), `duplicate HELP of ${name}`);
      help = [name, rest];
    } else if (word === 'TYPE') {
      assert.equal(help?.[0], name, 'TYPE must follow the HELP of the same metric');
      assert.ok(TYPES.includes(rest), line);
      current = { name, type: rest, help: help?.[1] ?? '', samples: [] };
      metrics.set(name, current);
    } else {
      const sample = parseSample(line);
      assert.ok(current !== null, `sample before its TYPE: ${line}`);
      const suffixes = SUFFIXES[current.type] ?? [''];
      assert.ok(
        suffixes.some((suffix) => sample.name === current?.name + suffix),
        `${line} under ${current.name}`,
      );
      current.samples.push(sample);
    }
  }
  const samples = [...metrics.values()].flatMap((metric) => metric.samples);
  const series = samples.map(writeSeries);
  assert.equal(new Set(series).size, series.length, 'duplicate series');
  for (const metric of metrics.values()) if (metric.type === 'histogram') assertHistogram(metric);
  return {
    text,
    metrics,
    series,
    sum: (name, labels = {}) =>
      samples
        .filter((sample) => sample.name === name && isWithin(labels, sample.labels))
        .reduce((sum, { value }) => sum + value, 0),
  };
}

/** The rules of `promtool check metrics` about names and help. */
export function lintMetrics({ metrics }: Pick<Scrape, 'metrics'>): string[] {
  return [...metrics.values()].flatMap(({ name, type, help, samples }) => {
    const words = name.split('_');
    const rules: [isBroken: boolean, rule: string][] = [
      [help.trim() === '', 'needs help'],
      [type === 'counter' && !name.endsWith('_total'), 'a counter ends in _total'],
      [type !== 'counter' && name.endsWith('_total'), 'only a counter ends in _total'],
      [type === 'gauge' && /_(?:count|sum|bucket)$/.test(name), 'a suffix of histograms'],
      [words.some((word) => TYPES.includes(word)), 'has its type in its name'],
      [words.some((word) => ABBREVIATED_UNITS.includes(word)), 'abbreviates a unit'],
      [words.some((word) => DERIVED_UNIT.test(word)), 'has a unit other than a base unit'],
      [/[A-Z]|:/.test(name), 'is not in snake_case'],
      [type !== 'histogram' && samples.some(({ labels }) => 'le' in labels), 'has the label le'],
      [type !== 'summary' && samples.some(({ labels }) => 'quantile' in labels), 'has the label quantile'],
      [samples.some(({ labels }) => /[A-Z]/.test(Object.keys(labels).join())), 'has a label in camelCase'],
    ];
    return rules.filter(([isBroken]) => isBroken).map(([, rule]) => `${name} (${type}) ${rule}`);
  });
}

function parseSample(line: string): Sample {
  const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  assert.notEqual(name, '', `not a sample: ${line}`);
  assert.match(labels, LABELS, line);
  // The format defines numbers as Go parses them.
  const number = Number(value.replace(/^([+-])Inf$/, '$1Infinity'));
  assert.ok(!Number.isNaN(number) || /^nan$/i.test(value), line);
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return {
    name,
    labels: Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, text])),
    value: number,
  };
}

/** Buckets are cumulative, and the last one equals the count. */
function assertHistogram({ name, samples }: Metric): void {
  const bySeries = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => writeSeries({ name, labels }));
  for (const [series, group] of bySeries) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => Number(labels.le?.replace('+Inf', 'Infinity')));
    assert.deepEqual(
      bounds,
      [...bounds].sort((a, b) => a - b),
      series,
    );
    assert.equal(bounds.at(-1), Infinity, series);
    const counts = buckets.map(({ value }) => value);
    assert.deepEqual(
      counts,
      [...counts].sort((a, b) => a - b),
      series,
    );
    assert.equal(group.find((sample) => sample.name === `${name}_count`)?.value, counts.at(-1), series);
    assert.ok((group.find((sample) => sample.name === `${name}_sum`)?.value ?? -1) >= 0, series);
  }
}

function writeSeries({ name, labels }: Pick<Sample, 'name' | 'labels'>): string {
  return `${name} ${JSON.stringify(Object.entries(labels).sort())}`;
}

function isWithin(wanted: Record<string, string>, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}
