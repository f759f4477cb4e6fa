import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { renderChart } from '../../bench/report/chart.ts';
import { CHART_FILE, DOCUMENT_FILE, readResults, withFigures } from '../../bench/report/documents.ts';
import { computeFigures, type Results } from '../../bench/report/results.ts';
import { renderTables } from '../../bench/report/table.ts';

const FIGURES = computeFigures([
  {
    id: 'bare',
    group: 'Hot',
    name: 'bare <node:http>',
    unit: 'requests/s',
    values: [17_312, 16_001, 18_000],
    cpuMicros: [50, 60, 55],
  },
  {
    id: 'ours',
    group: 'Hot',
    name: 'ours',
    unit: 'requests/s',
    values: [17_312, 16_001, 18_000],
    cpuMicros: [55.6, 66.6, 55],
    comparedWith: 'bare',
    goal: { atLeast: 0.95 },
  },
  {
    id: 'two',
    group: 'Hot',
    name: 'two workers',
    unit: 'requests/s',
    values: [20_000, 20_000, 20_000],
    cpuMicros: [61.2, 73.3, 66],
    comparedWith: 'ours',
    isCost: true,
    goal: { atMost: 1.25 },
  },
  { id: 'start', group: 'Start', name: 'first response', unit: 'ms', values: [412], goal: { atMost: 500 } },
  { id: 'apply', group: 'Start', name: 'apply', unit: 'versions/s', values: [], note: 'failed: too large' },
  ...[19, 21].map((p99Ms, index) => ({
    id: `q-${index}`,
    group: 'Parameters',
    name: 'q',
    engine: index === 0 ? 'SQLite' : 'PostgreSQL',
    unit: 'ms' as const,
    values: [p99Ms],
    p50Ms: 2,
    p99Ms,
    goal: { atMost: 20 },
  })),
]);

describe('docs/performance.md', () => {
  const results = readResults();

  it('docs/performance.md has exactly the figures of bench/results.json', () => {
    const document = readFileSync(DOCUMENT_FILE, 'utf8');
    assert.equal(document, withFigures(document, results));
  });

  it('docs/performance.svg is the chart of bench/results.json', () => {
    assert.equal(readFileSync(CHART_FILE, 'utf8'), renderChart(results));
  });

  it('the figures of bench/results.json follow from its rounds', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(computeFigures(results.figures))), results.figures);
  });
});

describe('the table', () => {
  const table = renderTables({ figures: FIGURES });

  it('the table has a row for each figure, under the heading of its group', () => {
    assert.deepEqual(table.match(/^### .*$/gm), ['### Hot', '### Start', '### Parameters']);
    const rows = table.split('\n').filter((line) => /^\| (?!Measure|Query)/.test(line));
    const cells = rows.map((row) => row.split('|').slice(1, -1));
    assert.deepEqual(
      cells.map((row) => row.map((cell) => cell.trim()).join('; ')),
      [
        'bare <node:http>; 55 µs; 17,300; –; –; –; –',
        'ours; 55.6 µs; 17,300; 0.90 (0.90 to 1.00); bare <node:http>; at least 0.95; no',
        'two workers; 66 µs; 20,000; 1.10 (1.10 to 1.20); ours; at most 1.25; yes',
        'first response; 412 ms; 412 to 412; at most 500; yes',
        'apply (failed: too large); –; –; –; –',
        'q; 2.0 ms; 19.0 ms; 2.0 ms; **21.0 ms**',
      ],
    );
  });
});

describe('the chart', () => {
  const chart = renderChart({ figures: FIGURES });

  it('the chart has a bar for each ratio with a goal, a line at the goal, and both as numbers', () => {
    assert.deepEqual(chart.match(/<rect class="(?!paper)\w+"/g), [
      '<rect class="missed"',
      '<rect class="reached"',
    ]);
    assert.equal(chart.match(/<line class="goal"/g)?.length, 2);
    assert.match(chart, />0\.90, at least 0\.95</);
    assert.match(chart, />1\.10, at most 1\.25</);
  });

  it('the chart names the baseline of each bar', () => {
    assert.match(chart, /Hot: requests, 1 = bare &lt;node:http&gt;/);
    assert.match(chart, /Hot: time per request, 1 = ours/);
  });

  it('the chart has colours for light and dark pages, and loads nothing', () => {
    assert.match(chart, /prefers-color-scheme: dark/);
    assert.doesNotMatch(chart, /href|url\(|<script|@import/);
  });
});

describe('the marker comments around the figures', () => {
  it('a document without the marker comments is rejected', () => {
    assert.throws(() => withFigures('# Performance\n', {} as Results), /has no marker comments/);
  });
});
