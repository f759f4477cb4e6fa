// Hidden content never leaves (R65): every state of a version and of what is above it, and every change from one to another.
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import type { AnnouncementHook } from '../../src/domain/hook.ts';
import { PUBLICATION_STATES, VERSION_STATES, VISIBILITIES } from '../../src/domain/model.ts';
import { deliverDue, findPublicVersion } from '../../src/hooks/deliver.ts';
import { addDeliveries, setUpHooks } from '../../src/hooks/store/deliveries.ts';
import { asReader, type Writer } from '../../src/store/engine/engine.ts';
import { engineOf } from '../../src/store/engine/open.ts';
import { databaseUrl, execute, provideMigrated } from '../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import type { Sandbox } from '../../support/program/command.ts';

const HOOK: AnnouncementHook = {
  name: 'all',
  kind: 'command',
  command: ['true'],
  hiddenVariables: [],
  only: {},
  maxAgeHours: 72,
};

type State = Readonly<{ visibility: string; product: string; changelog: string; version: string }>;

const STATES: readonly State[] = VISIBILITIES.flatMap((visibility) =>
  PUBLICATION_STATES.flatMap((product) =>
    PUBLICATION_STATES.flatMap((changelog) =>
      VERSION_STATES.map((version) => ({ visibility, product, changelog, version })),
    ),
  ),
);

const isPublic = ({ visibility, product, changelog, version }: State) =>
  visibility === 'public' && [product, changelog, version].every((state) => state === 'published');

/** A team with a product, a changelog and a version. */
type Pair = Readonly<{ id: number; first: State; second: State }>;

const PAIRS: readonly Pair[] = STATES.flatMap((first) => STATES.map((second) => ({ first, second }))).map(
  (pair, index) => ({
    ...pair,
    id: index + 1,
  }),
);

const NOW = new Date().toISOString();
const rows = (row: (pair: Pair) => string) => PAIRS.map(row).join(', ');

const EMPTY = ['delete from hook_deliveries', 'delete from teams'];
const FIRST = [
  `insert into teams (id, slug, name, visibility, plan)
    values ${rows(({ id, first }) => `(${id}, 't${id}', 'T', '${first.visibility}', 'paid')`)}`,
  `insert into products (id, team_id, slug, name, status)
    values ${rows(({ id, first }) => `(${id}, ${id}, 'p', 'P', '${first.product}')`)}`,
  `insert into changelogs (id, product_id, name, status)
    values ${rows(({ id, first }) => `('cl_${id}', ${id}, 'C', '${first.changelog}')`)}`,
  `insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order)
    values ${rows(({ id, first }) => `('ver_${id}', 'cl_${id}', '1', 'V', '${first.version}', '${NOW}', 0, 1)`)}`,
];

const TABLES = {
  visibility: { table: 'teams', column: 'visibility', idOf: (id: number) => String(id) },
  product: { table: 'products', column: 'status', idOf: (id: number) => String(id) },
  changelog: { table: 'changelogs', column: 'status', idOf: (id: number) => `'cl_${id}'` },
  version: { table: 'versions', column: 'status', idOf: (id: number) => `'ver_${id}'` },
} as const;
const FIELDS = Object.keys(TABLES) as (keyof State)[];

/** Brings one field of every pair to its second state. */
function changes(field: keyof State): string[] {
  const { table, column, idOf } = TABLES[field];
  return [...Map.groupBy(PAIRS, ({ second }) => second[field])].map(
    ([value, pairs]) =>
      `update ${table} set ${column} = '${value}' where id in (${pairs.map(({ id }) => idOf(id)).join()})`,
  );
}

/** Each field changes first, second, third and last. */
const ORDERS = FIELDS.map((_, start) => [...FIELDS.slice(start), ...FIELDS.slice(0, start)]);

describe('hidden content', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  let db: Writer;
  before(async () => {
    await provideMigrated(sandbox);
    const { openRecorder } = await engineOf(databaseUrl(sandbox));
    db = openRecorder(databaseUrl(sandbox));
    scope.after(() => db.destroy());
  });
  const execAll = async (statements: readonly string[]) => {
    for (const statement of statements) await execute(sandbox, statement);
  };

  beforeEach(async () => {
    await execAll(EMPTY);
    await setUpHooks(db, [HOOK]);
    await execAll(FIRST);
  });

  /** The numbers of the versions that leave. */
  async function announced(): Promise<number[]> {
    const sent: number[] = [];
    await addDeliveries(db, HOOK, 0);
    await deliverDue(HOOK, {
      run: (write) => write(db),
      send: async (_, delivery) => {
        const found = await findPublicVersion(asReader(db), delivery, delivery.about);
        if (found !== null) sent.push(Number(found.version.id.slice(4)));
        return found !== null;
      },
      onOutcome: () => {},
    });
    return sent.sort((one, other) => one - other);
  }

  for (const order of ORDERS) {
    it(`leaves only while it is public, and once: ${order.join(', ')}`, async () => {
      const sent = new Set<number>();
      const now = new Map(PAIRS.map(({ id, first }) => [id, first]));
      for (const field of [null, ...order]) {
        if (field !== null) {
          await execAll(changes(field));
          for (const { id, second } of PAIRS)
            now.set(id, { ...(now.get(id) as State), [field]: second[field] });
        }
        const expected = PAIRS.flatMap(({ id }) =>
          isPublic(now.get(id) as State) && !sent.has(id) ? [id] : [],
        );
        assert.deepEqual(await announced(), expected);
        for (const id of expected) sent.add(id);
      }
    });

    it(`what was pending is sent only if it is still public: ${order.join(', ')}`, async () => {
      await addDeliveries(db, HOOK, 0);
      for (const field of order) {
        await execAll(changes(field));
        await addDeliveries(db, HOOK, 0);
      }
      const expected = PAIRS.flatMap(({ id, second }) => (isPublic(second) ? [id] : []));
      assert.deepEqual(await announced(), expected);
    });
  }
});
