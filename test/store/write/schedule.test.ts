// Every command that publishes or schedules, on a version in every state, below every lock (R16, R50).
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { Refusal } from '../../../src/errors.ts';
import type { Writer } from '../../../src/store/engine/engine.ts';
import { publishDue } from '../../../src/store/write/publish-due.ts';
import { deleteVersion, scheduleVersion, setVersionStatus } from '../../../src/store/write/writes.ts';
import { databaseUrl, execute, provideMigrated } from '../../../support/databases/engine.ts';
import { openWriter } from '../../../support/databases/open.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import type { Sandbox } from '../../../support/program/command.ts';

const NOW = '2026-06-01T08:00:00.000Z';
const DATE = '2025-05-05T00:00:00.000Z';
const PAST = '2026-01-02T03:04:05.678Z';
const FUTURE = '2999-01-01T00:00:00.000Z';
const OTHER = '2998-01-01T00:00:00.000Z';

type State = Readonly<{ status: string; published_at: string | null; publish_at: string | null }>;

const DRAFTS: readonly State[] = [null, DATE].flatMap((published_at) =>
  [null, PAST, FUTURE].map((publish_at) => ({ status: 'draft', published_at, publish_at })),
);
const STATES: readonly State[] = [...DRAFTS, { status: 'published', published_at: DATE, publish_at: null }];

/** Each has its own product. */
const LOCKS = { none: 'nothing', product: 'the product', changelog: 'the changelog' } as const;
type Lock = keyof typeof LOCKS;

type Command = Readonly<{
  run: (trx: Writer, path: { team: string; product: string }) => Promise<unknown>;
  /** What becomes of the version; null if it is deleted. */
  expected: (state: State, lock: Lock) => State | 'refused' | null;
}>;

const unlessLocked =
  (expected: (state: State) => State | 'refused' | null): Command['expected'] =>
  (state, lock) =>
    lock === 'none' ? expected(state) : 'refused';

const COMMANDS: Readonly<Record<string, Command>> = {
  'version publish': {
    run: (trx, path) => setVersionStatus(trx, path, '1.0.0', { to: 'published', now: NOW }),
    expected: unlessLocked(({ published_at }) => ({
      status: 'published',
      published_at: published_at ?? NOW,
      publish_at: null,
    })),
  },
  'version publish --at': {
    run: (trx, path) => scheduleVersion(trx, path, '1.0.0', OTHER),
    expected: unlessLocked((state) =>
      state.status === 'published' ? 'refused' : { ...state, publish_at: OTHER },
    ),
  },
  'version unschedule': {
    run: (trx, path) => scheduleVersion(trx, path, '1.0.0', null),
    expected: unlessLocked((state) =>
      state.status === 'published' ? 'refused' : { ...state, publish_at: null },
    ),
  },
  'version unpublish': {
    run: (trx, path) => setVersionStatus(trx, path, '1.0.0', { to: 'draft', now: NOW }),
    expected: unlessLocked((state) => ({ ...state, status: 'draft', publish_at: null })),
  },
  'version delete': {
    run: (trx, path) => deleteVersion(trx, path, '1.0.0'),
    expected: unlessLocked(() => null),
  },
  'publish-due': {
    run: (trx) => publishDue(trx),
    expected: (state, lock) =>
      lock === 'none' && state.publish_at === PAST
        ? { status: 'published', published_at: PAST, publish_at: null }
        : state,
  },
};

class RollBack extends Error {}

describe('a version that may be scheduled', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  let db: Writer;
  before(async () => {
    await provideMigrated(sandbox);
    for (const statement of [
      `insert into teams (id, slug, name, visibility, plan) values (1, 'acme', 'Acme', 'public', 'paid')`,
      `insert into products (id, team_id, slug, name, status) values (1, 1, 'none', 'A', 'published'),
        (2, 1, 'product', 'B', 'locked'), (3, 1, 'changelog', 'C', 'published')`,
      `insert into changelogs (id, product_id, name, status) values ('cl_none', 1, 'A', 'published'),
        ('cl_product', 2, 'B', 'published'), ('cl_changelog', 3, 'C', 'locked')`,
    ])
      await execute(sandbox, statement);
    db = await openWriter(databaseUrl(sandbox), { create: false });
    scope.after(() => db.destroy());
  });

  const publicRevision = async (trx: Writer) => {
    const { rows } = await sql<{ last: number }>`select max(public_revision) as last from touches`.execute(
      trx,
    );
    return Number(rows[0]?.last);
  };

  /** Runs the command on a version in this state, and takes everything back. */
  async function outcomeOf({ run }: Command, state: State, lock: Lock) {
    let outcome: unknown;
    let isPublicTouched = false;
    await db
      .transaction()
      .execute(async (trx) => {
        const row = { id: 'ver_1', label: '1.0.0', title: '', yanked: 0, created_order: 1 } as const;
        await trx
          .insertInto('versions')
          .values({ ...row, ...state, changelog_id: `cl_${lock}` } as never)
          .execute();
        // The insert has touched the same row in the same transaction.
        await sql`update touches set public_revision = 0`.execute(trx);
        try {
          await run(trx, { team: 'acme', product: lock });
          const columns = ['status', 'published_at', 'publish_at'] as const;
          outcome = (await trx.selectFrom('versions').select(columns).executeTakeFirst()) ?? null;
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          outcome = 'refused';
        }
        isPublicTouched = (await publicRevision(trx)) > 0;
        throw new RollBack();
      })
      .catch((error: unknown) => {
        if (!(error instanceof RollBack)) throw error;
      });
    return { outcome, isPublicTouched };
  }

  for (const [name, command] of Object.entries(COMMANDS))
    for (const lock of Object.keys(LOCKS) as Lock[])
      it(`${name} does what it says in every state while ${LOCKS[lock]} is locked`, async () => {
        for (const state of STATES) {
          const expected = command.expected(state, lock);
          const { outcome, isPublicTouched } = await outcomeOf(command, state, lock);
          assert.deepEqual(outcome, expected, JSON.stringify(state));
          const isWritten = expected !== 'refused' && expected !== state;
          const isPublic = state.status === 'published' || (expected as State | null)?.status === 'published';
          assert.equal(isPublicTouched, isWritten && isPublic, `public touches of ${JSON.stringify(state)}`);
        }
      });
});
