// The full run, on both engines. The databases are kept for later runs.
import { openPostgresData } from '../../bench/data/postgres-data.ts';
import { openSqliteData } from '../../bench/data/sqlite-data.ts';
import { openScope } from '../../cluster/scope.ts';
import { countFor } from '../arguments.ts';
import { describePrice, priceIndex, violations } from './index-price.ts';

const sizes = { versions: countFor('index'), products: countFor('index', 1) };
for (const open of [openSqliteData, openPostgresData]) {
  const scope = openScope();
  const data = await open(scope);
  const prices = await priceIndex(data.urlFor, sizes);
  for (const price of prices) console.log(`${data.id}: ${describePrice(price)}`);
  if (violations(prices).length > 0) process.exitCode = 1;
  await scope.close();
}
