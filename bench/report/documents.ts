// Reads and writes the results, and writes the figures and the chart of docs/performance.md from them.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderChart } from './chart.ts';
import type { Results } from './results.ts';
import { renderTables } from './table.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const RESULTS_FILE = path.join(ROOT, 'bench/results.json');
export const CHART_FILE = path.join(ROOT, 'docs/performance.svg');
export const DOCUMENT_FILE = path.join(ROOT, 'docs/performance.md');

const BETWEEN = /(?<=<!-- figures: [^\n]* -->\n)[\s\S]*(?=\n<!-- end of figures -->)/;

export function writeResults(results: Results): void {
  writeFileSync(RESULTS_FILE, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(CHART_FILE, renderChart(results));
  writeFileSync(DOCUMENT_FILE, withFigures(readFileSync(DOCUMENT_FILE, 'utf8'), results));
}

export function readResults(): Results {
  return JSON.parse(readFileSync(RESULTS_FILE, 'utf8'));
}

/** Returns the document with the text between its marker comments replaced. */
export function withFigures(document: string, results: Results): string {
  if (!BETWEEN.test(document)) throw new Error(`${DOCUMENT_FILE} has no marker comments around its figures`);
  return document.replace(BETWEEN, () => `\n${describeRun(results)}\n\n${renderTables(results)}\n`);
}

function describeRun({ date, machine, settings }: Results): string {
  const { processor, cores, memoryGb, system, node, nginx, postgres, wrk, coresArePinned } = machine;
  const on = `${processor}, ${cores} cores, ${memoryGb} GB, ${system}`;
  const versions = `Node.js ${node}, nginx ${nginx}, PostgreSQL ${postgres}, wrk ${wrk}`;
  const pinning = coresArePinned ? 'one core for the server and one for the load' : 'cores not pinned';
  const run = settings.quick === true ? 'Quick run' : 'Run';
  return `${run} of ${date.slice(0, 10)}: ${on}; ${versions}. ${settings.rounds} rounds of ${settings.milliseconds} ms each, ${settings.connections} connections, ${pinning}.`;
}
