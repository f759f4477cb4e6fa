// The full run, on both engines. The databases are kept for later runs.
import { openPostgresData } from '../../bench/data/postgres-data.ts';
import { openSqliteData } from '../../bench/data/sqlite-data.ts';
import { openScope } from '../../cluster/scope.ts';
import { countFor } from '../arguments.ts';
import { priceTimelines, sizesOf, timelineViolations } from './timeline-price.ts';

const ROUNDS = 100;
const FEW = 1_000;
const PRODUCTS = 1_000;
const versions = countFor('timeline');
for (const open of [openSqliteData, openPostgresData]) {
  const scope = openScope();
  const data = await open(scope);
  const prices = await priceTimelines(sizesOf(FEW, versions, PRODUCTS), data.urlFor, ROUNDS);
  for (const { name, ms, ratio } of prices)
    console.log(
      `${data.id} ${ratio.toFixed(2)}: ${ms.map((time) => time.toFixed(2)).join(', ')} ms  ${name}`,
    );
  const violations = timelineViolations(prices);
  for (const violation of violations) console.log(`too slow: ${violation}`);
  if (violations.length > 0) process.exitCode = 1;
  await scope.close();
}
