// The full run: three nodes, one of them with two workers, and their PostgreSQL are restarted while versions are due.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../../cluster/postgres.ts';
import { openScope } from '../../cluster/scope.ts';
import { seedWorld } from '../../support/content/world.ts';
import { databaseUrls, nodeSettings, provideDatabase } from '../../support/program/nodes.ts';
import { workersOf } from '../../support/program/workers.ts';
import { countFor } from '../arguments.ts';
import { during, type Member, type Outage, startFleet } from './fleet.ts';
import {
  assertPublished,
  type Database,
  describeOutcome,
  scheduleVersions,
  startAudit,
  untilShown,
} from './schedule.ts';

const WORKERS = [1, 1, 2];
const VERSIONS_A_SECOND = 8;
const FROM_MS = 3_000;
const DOWN_MS = 3_000;
/** After every fault, so that versions are also due while nothing happens. */
const CALM_MS = 2_000;
/** Due at one time, after the faults, and late enough to write them before. */
const BURST = { series: 200, versions: 500, changesEach: 10, fromMs: 6_000, untilMs: 6_000 };

const versions = countFor('schedule');
const scope = openScope();
try {
  const server = await startPostgres(scope);
  await seedWorld(await provideDatabase(scope, server));
  const urls = databaseUrls(server);
  const outages: Outage[] = [];
  const query = async <T>(statement: string) => {
    const client = new pg.Client({ connectionString: urls[0] });
    await client.connect();
    try {
      return (await client.query(statement)).rows as T[];
    } finally {
      await client.end();
    }
  };
  const database: Database = { engine: 'postgres', query, execute: query, outages };
  const members = (await startFleet(scope, nodeSettings(urls), WORKERS)) as [Member, Member, Member];

  const restartDatabase = (mode: 'fast' | 'immediate', downMs = 0) =>
    during(outages, async () => {
      await server.stop(mode);
      await delay(downMs);
      await server.start();
    });
  const faults: readonly (readonly [name: string, happen: () => Promise<unknown>])[] = [
    ...members.map((member) => ['node killed', () => member.restart('SIGKILL')] as const),
    ['database restarted', () => restartDatabase('fast')],
    ...members.map((member) => ['node stopped', () => member.restart('SIGTERM')] as const),
    ['database crashed', () => restartDatabase('immediate')],
    ['worker killed', async () => process.kill(workersOf(members[2].node())[0] as number, 'SIGKILL')],
    ['database down for 3 s', () => restartDatabase('fast', DOWN_MS)],
    ['all nodes killed', () => Promise.all(members.map((member) => member.restart('SIGKILL')))],
    [
      'database and a node restarted',
      () => Promise.all([restartDatabase('fast'), members[0].restart('SIGTERM')]),
    ],
  ];

  const untilMs = FROM_MS + (versions / VERSIONS_A_SECOND) * 1_000;
  const endsAt = Date.now() + untilMs;
  await startAudit(database);
  const plan = { series: 100, versions, changesEach: 0, fromMs: FROM_MS, untilMs };
  const scheduled = await scheduleVersions(database, plan);
  const happened: Record<string, number> = {};
  for (let round = 0; Date.now() < endsAt; round++) {
    const [name, happen] = faults[round % faults.length] as (typeof faults)[number];
    await happen();
    happened[name] = (happened[name] ?? 0) + 1;
    await delay(CALM_MS);
  }
  await untilShown(scheduled, members);
  console.log(
    Object.entries(happened)
      .map(([name, count]) => `${name}: ${count}`)
      .join(', '),
  );
  console.log(describeOutcome(await assertPublished(database, scheduled, members), members.length));

  const burst = await scheduleVersions(database, BURST);
  await untilShown(burst, members);
  console.log(
    `At one time: ${describeOutcome(await assertPublished(database, burst, members), members.length)}`,
  );
} finally {
  await scope.close();
}
