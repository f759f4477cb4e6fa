// The full run, on both engines, or only on TEST_ENGINE: VERSIONS become public, and KILLS hit nodes, workers and the
// receiver. In between, nodes stop and reload, and PostgreSQL is restarted and its tables are locked.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../../cluster/postgres.ts';
import { openScope, temporaryFolder } from '../../cluster/scope.ts';
import { seedWorld } from '../../support/content/world.ts';
import { onEachEngine } from '../../support/databases/each-engine.ts';
import type { EngineName } from '../../support/databases/engines.ts';
import type { Scope } from '../../support/processes/scope.ts';
import { databaseUrls, provideDatabase } from '../../support/program/nodes.ts';
import { countFor } from '../arguments.ts';
import { during, type Outage } from '../schedule/fleet.ts';
import { type Fleet, startFleet, TARGETS } from './fleet.ts';
import { assertAnnounced, describeOutcome, publish } from './hooks.ts';
import { type Instance, openPublications } from './publications.ts';

const SIZE = { nodes: 3, workers: 2 };
const PAUSE_MS_MAX = 200;
/** Longer than it takes until a version is sent. */
const KILL_AFTER_MS_MAX = 3_000;
const LOCKED_MS = 5_000;

type Faults = readonly (readonly [name: string, happen: () => Promise<unknown>])[];
type Opened = Readonly<{ instance: Instance; outages: readonly Outage[]; faults: Faults }>;

const OPEN: Record<EngineName, (scope: Scope) => Promise<Opened>> = {
  sqlite: async (scope) => {
    const { databaseUrl, execute, query } = await import('../../support/databases/engine.ts');
    const sandbox = { folder: temporaryFolder(scope) };
    await seedWorld(sandbox);
    const instance: Instance = {
      sandbox,
      databaseUrl: databaseUrl(sandbox),
      execute: (statement) => execute(sandbox, statement),
      query: (statement) => query(sandbox, statement),
    };
    return { instance, outages: [], faults: [] };
  },
  postgres: async (scope) => {
    const server = await startPostgres(scope);
    const sandbox = await provideDatabase(scope, server);
    await seedWorld(sandbox);
    const [databaseUrl] = databaseUrls(server);
    const query = async <T>(...statements: readonly string[]) => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      try {
        let rows: unknown[] = [];
        for (const statement of statements) ({ rows } = await client.query(statement));
        return rows as T[];
      } finally {
        await client.end();
      }
    };
    const outages: Outage[] = [];
    const restart = (mode: 'fast' | 'immediate') => () =>
      during(outages, async () => {
        await server.stop(mode);
        await server.start();
      });
    const lock = (table: string) => () =>
      query('begin', `lock table ${table}`, `select pg_sleep(${LOCKED_MS / 1_000})`, 'commit');
    return {
      instance: { sandbox, databaseUrl, execute: query, query },
      outages,
      faults: [
        ['PostgreSQL restarted', restart('fast')],
        ['PostgreSQL crashed', restart('immediate')],
        ['hook_deliveries locked for 5 s', lock('hook_deliveries')],
      ],
    };
  },
};

const versions = countFor('hooks');
const kills = countFor('hooks', 1);
await onEachEngine(
  import.meta.filename,
  () => [String(versions), String(kills)],
  async (engine) => {
    const scope = openScope();
    try {
      const { instance, outages, faults: ofDatabase } = await OPEN[engine](scope);
      const fleet = await startFleet(scope, instance, SIZE);
      const publications = await openPublications(instance);
      const faults: Faults = [
        ['node stopped', fleet.stopNode],
        ['workers replaced', fleet.reloadNode],
        ...ofDatabase,
      ];
      const happened: Record<string, number> = {};
      for (let round = 0; round < kills; round++) {
        const count = Math.floor(((round + 1) * versions) / kills) - Math.floor((round * versions) / kills);
        await Promise.all([publish(publications, count, PAUSE_MS_MAX), killAny(fleet, round)]);
        if (round % 4 !== 3) continue;
        const [name, happen] = faults[Math.floor(round / 4) % faults.length] as Faults[number];
        await happen();
        happened[name] = (happened[name] ?? 0) + 1;
      }
      const outcome = await assertAnnounced(instance, publications, fleet, { count: versions, outages });
      console.log(`${engine}, ${SIZE.nodes} nodes with ${SIZE.workers} workers each`);
      console.log(
        Object.entries(happened)
          .map(([name, count]) => `${name}: ${count}`)
          .join(', '),
      );
      console.log(describeOutcome(outcome, fleet.kills));
    } finally {
      await scope.close();
    }
  },
);

/** Half of them hit a message on its way, the others any time. */
async function killAny({ kill }: Fleet, round: number): Promise<void> {
  const target = TARGETS[round % TARGETS.length] as (typeof TARGETS)[number];
  if (Math.floor(round / TARGETS.length) % 2 === 0) return await kill(target, { whileDead: async () => {} });
  await delay(Math.random() * KILL_AFTER_MS_MAX);
  await kill(target, 'now');
}
