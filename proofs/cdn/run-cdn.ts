// The full run, on both engines, or only on TEST_ENGINE: Varnish with a lifetime of a day in front of two nodes.
import { openScope } from '../../cluster/scope.ts';
import { onEachEngine } from '../../support/databases/each-engine.ts';
import { countFor } from '../arguments.ts';

const OUTAGE_MS = 8_000;
const WRITES_A_DAY = 5;

const [writes, requests] = [countFor('cdn'), countFor('cdn', 1)];
await onEachEngine(
  import.meta.filename,
  () => [String(writes), String(requests)],
  async (engine) => {
    const { describeJudgement, judge, OLD_MS_MAX, setUp, writeAndRead } = await import('./cdn.ts');
    const { HIT_RATE_MIN, replayDay } = await import('./day.ts');
    const scope = openScope();
    const setup = await setUp(scope);
    const rate = await replayDay(setup, { requests, writes: WRITES_A_DAY });
    console.log(
      `${engine}: of ${requests} requests of a day with ${WRITES_A_DAY} writes, ${(rate * 100).toFixed(2)} % were cached`,
    );
    const run = await writeAndRead(setup, writes, OUTAGE_MS);
    const judgement = judge(run, OLD_MS_MAX);
    const { wrong } = judgement;
    await scope.close();
    console.log(
      `${engine}: ${writes} writes, ${run.sights.length} responses through Varnish, ${wrong.length} older than ${OLD_MS_MAX} ms or wrong`,
    );
    console.log(`${engine}: ${describeJudgement(judgement)}`);
    console.log(
      `${engine}: ${run.outage.writes} writes while purges failed for ${OUTAGE_MS} ms; all purged ${Math.round(run.outage.recoveredMs)} ms later`,
    );
    for (const line of wrong.slice(0, 20)) console.error(line);
    if (wrong.length > 0 || rate < HIT_RATE_MIN) process.exitCode = 1;
  },
);
