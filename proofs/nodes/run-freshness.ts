// The full run: three nodes read from a standby while content changes on its primary.
import { openScope } from '../../cluster/scope.ts';
import { countFor } from '../arguments.ts';
import { describeTimes } from '../figures.ts';
import { CHANGES, changeOnce, type Round, SHOWN_MS_MAX, setUp, worstOf } from './freshness.ts';

const rounds = countFor('freshness');
const scope = openScope();
try {
  const setup = await setUp(scope);
  const done: Round[] = [];
  for (let round = 0; round < rounds; round++) done.push(await changeOnce(setup, round));

  const print = (what: string, shown: Round['shown']) =>
    console.log(`${what.padEnd(26)} shown after ${describeTimes(shown)}`);
  for (const { name } of CHANGES) {
    const shown = done.filter(({ change }) => change === name).flatMap((round) => round.shown);
    if (shown.length > 0) print(name, shown);
  }
  print(
    `${rounds} rounds, ${setup.nodes.length} nodes`,
    done.flatMap(({ shown }) => shown),
  );
  if (worstOf(done) > SHOWN_MS_MAX) {
    console.error(`a node took longer than ${SHOWN_MS_MAX} ms to show a change`);
    process.exitCode = 1;
  }
} finally {
  await scope.close();
}
