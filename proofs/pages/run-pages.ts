// The full run: every check on all pages in all looks; a line for each.
import { openScope } from '../../cluster/scope.ts';
import { CHECKS } from './checks.ts';
import { FULL, openSite } from './site.ts';

const scope = openScope();
try {
  const site = await openSite(scope);
  for (const [promise, check] of Object.entries(CHECKS)) {
    const { figure, problems } = await check(site, FULL);
    console.log(`${problems.length === 0 ? 'holds ' : 'FAILED'}  ${promise}: ${figure}`);
    for (const problem of problems) console.log(`        ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
} finally {
  await scope.close();
}
// Exit before the test runner prints a summary of zero tests.
process.exit();
