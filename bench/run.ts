// `npm run bench`: everything in one run, with a table in the end. `-- --quick` takes less than a minute.
import { parseArgs } from 'node:util';
import { ensureServers } from '../cluster/debian.ts';
import { openScope } from '../cluster/scope.ts';
import { pin } from './cores.ts';
import { prepareHot } from './hot.ts';
import { computeFigures, type Measure } from './results.ts';
import { measureInRounds } from './rounds.ts';
import { openSqliteData } from './sqlite-data.ts';
import { renderTables } from './table.ts';

const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, fresh: { type: 'boolean', default: false } },
});
const pace = flags.quick ? { rounds: 3, milliseconds: 400 } : { rounds: 10, milliseconds: 1_000 };

const scope = openScope();
const startedAt = performance.now();
const say = (text: string) =>
  process.stderr.write(`bench: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s: ${text}\n`);
try {
  await ensureServers(['wrk', 'nginx', 'postgres']);
  pin('load', process.pid);
  const data = await openSqliteData(scope, { fresh: flags.fresh });
  const measures: Measure[] = [];
  say('setting up hot reads');
  const hot = await prepareHot(scope, data, { products: 100_000 });
  measures.push(
    ...(await measureInRounds(hot.subjects, pace, (round) =>
      say(`hot reads, round ${round} of ${pace.rounds}`),
    )),
    ...hot.absent,
  );
  process.stdout.write(`${renderTables({ figures: computeFigures(measures) })}\n`);
  say('done');
} finally {
  await scope.close();
}
