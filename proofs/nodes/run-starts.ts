// The full run: eight nodes start concurrently on an empty database.
import { startPostgres } from '../../cluster/postgres.ts';
import { openScope } from '../../cluster/scope.ts';
import { countFor } from '../arguments.ts';
import { describeTimes } from '../figures.ts';
import { NODES, startAtOnce } from './starts.ts';

const rounds = countFor('starts');
const scope = openScope();
try {
  const server = await startPostgres(scope);
  const times: { ms: number }[] = [];
  for (let round = 1; round <= rounds; round++) times.push(await startAtOnce(server));
  console.log(`${rounds} rounds of ${NODES} nodes: no failure, all serve after ${describeTimes(times)}`);
} finally {
  await scope.close();
}
