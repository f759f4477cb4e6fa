// The short form of `npm run prove hooks`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFleet, type Target } from '../../proofs/hooks/fleet.ts';
import { assertAnnounced, describeOutcome, hurry, publish } from '../../proofs/hooks/hooks.ts';
import { type Instance, openPublications, WAYS } from '../../proofs/hooks/publications.ts';
import { seedWorld } from '../../support/content/world.ts';
import { databaseUrl, execute, query } from '../../support/databases/engine.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';

test('every version is announced, and none twice but after a kill of its sender or the receiver', async (t) => {
  const sandbox = { folder: temporaryFolder(t) };
  await seedWorld(sandbox);
  const instance: Instance = {
    sandbox,
    databaseUrl: databaseUrl(sandbox),
    execute: (statement) => execute(sandbox, statement),
    query: (statement) => query(sandbox, statement),
  };
  const fleet = await startFleet(t, instance, { nodes: 1, workers: 2 });
  const publications = await openPublications(instance);
  const killWhileSending = async (target: Target, whileDead: (id: string) => Promise<void>) => {
    const killed = fleet.kill(target, { whileDead: ({ id }) => whileDead(id) });
    await publish(publications, WAYS.length, 0);
    await killed;
  };
  await killWhileSending('receiver', async () => {});
  await killWhileSending('worker', (id) => hurry(instance, [id]));
  await killWhileSending('node', () => hurry(instance, 'all'));
  await hurry(instance);
  const outcome = await assertAnnounced(instance, publications, fleet, {
    count: fleet.kills.length * WAYS.length,
    claimMs: 0,
  });
  t.diagnostic(describeOutcome(outcome, fleet.kills));
  const { sender, receiver } = outcome.repeats;
  assert.ok(
    sender >= 1 && receiver >= 1 && sender + receiver >= fleet.kills.length,
    'the kills came too late',
  );
});
