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
  },
  {
    id: 'ours',
    group: 'Hot',
    name: 'ours',
    unit: 'requests/s',
    values: [15_580, 14_400, 18_000],
    comparedWith: 'bare',
    goal: { atLeast: 0.95 },
  },
  { id: 'start', group: 'Start', name: 'first response', unit: 'ms', values: [412], goal: { atMost: 500 } },
  { id: 'apply', group: 'Start', name: 'apply', unit: 'versions/s', values: [], note: 'failed: too large' },
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
    assert.deepEqual(table.match(/^### .*$/gm), ['### Hot', '### Start']);
    const rows = table.split('\n').filter((line) => /^\| (?!Measure)/.test(line));
    const cells = rows.map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
    assert.deepEqual(cells, [
      ['bare <node:http>', '17,300 requests/s', '16,000 to 18,000', '–', '–', '–', '–'],
      [
        'ours',
        '15,600 requests/s',
        '14,400 to 18,000',
        '0.90 (0.90 to 1.00)',
        'bare <node:http>',
        'at least 0.95',
        'no',
      ],
      ['first response', '412 ms', '412 to 412', '–', '–', 'at most 500', 'yes'],
      ['apply (failed: too large)', '–', '–', '–', '–', '–', '–'],
    ]);
  });
});

describe('the chart', () => {
  const chart = renderChart({ figures: FIGURES });

  it('the chart has a bar with a number for each ratio, and a line at its goal', () => {
    assert.equal(chart.match(/<rect class="missed"/g)?.length, 1);
    assert.equal(chart.match(/<line class="goal"/g)?.length, 1);
    assert.match(chart, />0\.90 of 0\.95</);
  });

  it('the chart names the baseline of each bar', () => {
    assert.match(chart, /Hot: 1 = bare &lt;node:http&gt;/);
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
