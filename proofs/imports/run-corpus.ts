// The full run on changelogs and folders of them; prints a line for each, then what they are in all. `TEST_ENGINE=postgres`
// imports into PostgreSQL.
import path from 'node:path';
import { openScope } from '../../cluster/scope.ts';
import { exitWithUsage } from '../arguments.ts';
import { changelogsIn, type Tried, tryChangelog } from './corpus.ts';
import { ImportSandbox } from './sandbox.ts';

const UNREAD_SHOWN = 3;
const FILES_PER_DATABASE = 50;

const paths = process.argv.slice(2);
if (paths.length === 0) exitWithUsage('corpus');
const files = changelogsIn(paths);
const tried: Tried[] = [];
console.log('versions unread   dated undated  changes  other  seconds  format            file');
for (let from = 0; from < files.length; from += FILES_PER_DATABASE)
  await tryAll(files.slice(from, from + FILES_PER_DATABASE));
console.log(summarise(tried));
process.exitCode = tried.some(({ faults }) => faults.length > 0) ? 1 : 0;
// Exit before the test runner prints a summary of zero tests.
process.exit();

async function tryAll(some: readonly string[]): Promise<void> {
  const scope = openScope();
  try {
    const sandbox = await ImportSandbox.open(scope);
    for (const file of some) {
      const outcome = await tryChangelog(sandbox, file);
      tried.push(outcome);
      print(path.relative(process.cwd(), file), outcome);
    }
  } finally {
    await scope.close();
  }
}

function print(file: string, outcome: Tried): void {
  const { versions, unread, dated, changes, other, seconds, format, refusal, faults } = outcome;
  const columns = [
    ...[versions, unread.length, dated, versions - dated, changes].map((number) =>
      String(number).padStart(7),
    ),
    percent(other, changes).padStart(6),
    seconds.toFixed(2).padStart(7),
  ];
  console.log(`${columns.join(' ')}   ${(refusal === null ? format : 'refused').padEnd(16)}  ${file}`);
  const notes = [
    ...(refusal === null ? [] : [refusal]),
    ...unread.slice(0, UNREAD_SHOWN).map((heading) => `not read: ${heading}`),
    ...faults.map((fault) => `BROKEN: ${fault}`),
  ];
  for (const note of notes) console.log(`        ${note.replaceAll('\n', '\n        ')}`);
}

function summarise(all: readonly Tried[]): string {
  const sum = (of: (one: Tried) => number) => all.reduce((total, one) => total + of(one), 0);
  const versions = sum((one) => one.versions);
  const unread = sum((one) => one.unread.length);
  const dated = sum((one) => one.dated);
  const changes = sum((one) => one.changes);
  const refused = all.filter(({ refusal }) => refusal !== null).length;
  const slowest = Math.max(...all.map(({ seconds }) => seconds));
  const broken = all.filter(({ faults }) => faults.length > 0).length;
  return [
    `${all.length} changelogs, ${refused} refused, ${broken} with a broken promise;`,
    `${versions} versions, ${unread} headings not read (${percent(unread, versions + unread)}), ${dated} dated;`,
    `${changes} changes, ${percent(
      sum((one) => one.other),
      changes,
    )} other; slowest ${slowest.toFixed(2)} s`,
  ].join(' ');
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}
