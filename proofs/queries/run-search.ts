// The full run, on both engines. The databases are kept for later runs.
import pg from 'pg';
import { openPostgresData } from '../../bench/data/postgres-data.ts';
import { openSqliteData } from '../../bench/data/sqlite-data.ts';
import { openScope } from '../../cluster/scope.ts';
import { countFor } from '../arguments.ts';
import { priceSearches, priceViolations } from './search-price.ts';
import { searchedStatements } from './searched.ts';
import { WHOLE_WORDS_FUNCTION } from './whole-words.ts';

const ROUNDS = 20;
const versions = countFor('search');
for (const open of [openSqliteData, openPostgresData]) {
  const scope = openScope();
  const data = await open(scope);
  const url = await data.urlFor(searchedStatements(versions));
  if (data.id === 'postgres') {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(WHOLE_WORDS_FUNCTION);
    await client.end();
  }
  const prices = await priceSearches(url, ROUNDS);
  for (const { name, wholeMs, nowMs, countMs } of prices)
    console.log(
      `${data.id} ${(nowMs / wholeMs).toFixed(2)}: ${nowMs.toFixed(2)} ms (whole words ${wholeMs.toFixed(2)}, count ${countMs.toFixed(2)})  ${name}`,
    );
  const worst = Math.max(...prices.map(({ nowMs, wholeMs }) => nowMs / wholeMs));
  const violations = priceViolations(prices);
  console.log(
    `${data.id}: ${prices.length} searches in ${versions} versions, at most ${worst.toFixed(2)} of the price`,
  );
  for (const violation of violations) console.log(`too slow: ${violation}`);
  if (violations.length > 0) process.exitCode = 1;
  await scope.close();
}
