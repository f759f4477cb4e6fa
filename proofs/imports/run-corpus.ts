// The full run on the changelogs of a folder; prints a line for each.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openScope } from '../../cluster/scope.ts';
import { exitWithUsage } from '../arguments.ts';
import { changelogsIn, tryChangelog } from './corpus.ts';
import { ImportSandbox } from './sandbox.ts';

const folder = process.argv[2] ?? exitWithUsage('corpus');
const scope = openScope();
try {
  const sandbox = await ImportSandbox.open(scope);
  console.log('versions  drafts  yanked  changes  format            file');
  for (const file of changelogsIn(folder)) {
    const tried = await tryChangelog(sandbox, file, readFileSync(path.join(folder, file), 'utf8'));
    const { versions, drafts, yanked, changes, format, faults } = tried;
    const columns = [versions, drafts, yanked, changes].map((count) => String(count).padStart(6));
    console.log(`${columns.join('  ')}   ${format.padEnd(16)}  ${file}`);
    for (const fault of faults) console.log(`        ${fault.replaceAll('\n', '\n        ')}`);
    if (faults.length > 0) process.exitCode = 1;
  }
} finally {
  await scope.close();
}
// Exit before the test runner prints a summary of zero tests.
process.exit();
