// The short form of `npm run prove schedule`.
import { test } from 'node:test';
import { startFleet } from '../../proofs/schedule/fleet.ts';
import {
  assertPublished,
  type Database,
  describeOutcome,
  scheduleVersions,
  untilShown,
} from '../../proofs/schedule/schedule.ts';
import { seedWorld } from '../../support/content/world.ts';
import { databaseUrl, ENGINE, execute, query } from '../../support/databases/engine.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';
import type { Sandbox } from '../../support/program/command.ts';
import { nodeSettings } from '../../support/program/nodes.ts';

const VERSIONS = 40;

test('each scheduled version is published once, not early and at most two seconds late, while a node is killed', async (t) => {
  const sandbox: Sandbox = { folder: temporaryFolder(t) };
  await seedWorld(sandbox);
  const members = await startFleet(t, nodeSettings([databaseUrl(sandbox)]), [2, 1]);
  const database: Database = {
    engine: ENGINE,
    execute: (statement) => execute(sandbox, statement),
    query: (statement) => query(sandbox, statement),
    outages: [],
  };
  const scheduled = await scheduleVersions(database, { versions: VERSIONS, fromMs: 500, untilMs: 3_000 });
  await members[1]?.restart('SIGKILL');
  await untilShown(scheduled, members);
  t.diagnostic(describeOutcome(await assertPublished(database, scheduled, members), members.length));
});
