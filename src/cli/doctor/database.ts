import { COMMAND } from '../../command-name.ts';
import type { Config } from '../../config.ts';
import { presentAt } from '../../domain/content/future-date.ts';
import { Refusal } from '../../errors.ts';
import { listFuture } from '../../store/catalogue/health.ts';
import type { Engine, Reader } from '../../store/engine/engine.ts';
import { describeFailure } from '../../store/engine/failures.ts';
import { engineOf } from '../../store/engine/open.ts';
import { findCursorKey } from '../../store/engine/revisions.ts';
import { otherProgramError, type SchemaState, schemaState } from '../../store/migrate/migrate.ts';
import { whyNotServing } from '../cli.ts';
import { describeDates, NAMED_MAX } from '../report/dates.ts';
import { type Finding, fail, note, pass } from './finding.ts';

/** Less than other commands wait: whoever runs this suspects something. */
const CONNECT_MS_MAX = 5_000;

type Open = Readonly<{ db: Reader; engine: Engine; name: string }>;

export async function* checkDatabases(config: Config, now: string): AsyncGenerator<Finding> {
  const [first, ...replicas] = config.databaseUrls;
  let identity: string | null = null;
  yield* withDatabase(first, async function* (open) {
    const state = yield* checkBasics(open, config);
    const isServable = yield* checkRights(open, state);
    if (state !== 'current' || !isServable) return;
    identity = await findCursorKey(open.db);
    // Only notes: the dates may be intended.
    const future = await listFuture(open.db, presentAt(now), NAMED_MAX);
    for (const text of describeDates('future', future)) yield note('content', text);
  });
  for (const url of replicas)
    yield* withDatabase(url, async function* (open) {
      const state = yield* checkBasics(open, config);
      if (identity === null) return;
      if (state === 'empty' || state === 'foreign' || (await findCursorKey(open.db)) !== identity)
        yield fail(
          'replica',
          `${open.name} is not a copy of the first database. Correct that URL in DATABASE_URL.`,
        );
    });
}

async function* withDatabase(
  url: string,
  check: (open: Open) => AsyncGenerator<Finding>,
): AsyncGenerator<Finding> {
  const engine = await engineOf(url);
  const name = engine.describe(url);
  try {
    await using db = engine.openReader(url, { connectMs: CONNECT_MS_MAX });
    yield* check({ db, engine, name });
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof Refusal) yield fail('database', message);
    else yield fail('database', `${name}: ${describeFailure(error) ?? `${message}; check DATABASE_URL.`}`);
  }
}

async function* checkBasics(
  { db, engine, name }: Open,
  { autoMigrate }: Config,
): AsyncGenerator<Finding, SchemaState> {
  const damage = await engine.checkIntegrity(db);
  yield damage === null
    ? pass('database', `${name} opens and is intact.`)
    : fail('database', `${name} is damaged: ${damage}. Restore a backup with \`${COMMAND} restore\`.`);
  const state = await schemaState(db);
  const message =
    state === 'foreign' ? (await otherProgramError(db, name)).message : `${name}: ${SCHEMA_MESSAGES[state]}`;
  const isMigrated = (state === 'empty' || state === 'behind') && autoMigrate;
  yield (state === 'current' ? pass : isMigrated ? note : fail)('schema', message);
  return state;
}

const SCHEMA_MESSAGES = {
  current: 'the schema is up to date.',
  empty: `the database has no tables of this program; \`${COMMAND} migrate\` creates them.`,
  behind: `the schema is older than this program; \`${COMMAND} migrate\` updates it.`,
  newer: 'the schema is newer than this program; use the newer program.',
};

/** A user for CI cannot serve, and one for servers cannot write content: that is their purpose. */
async function* checkRights(
  { db, engine, name }: Open,
  state: SchemaState,
): AsyncGenerator<Finding, boolean> {
  const rights = await engine.rightsOf(db);
  const { whyNotWritable, mayWriteContent } = rights;
  if (whyNotWritable !== null) yield fail('permissions', `${name} cannot be written to: ${whyNotWritable}.`);
  if (state !== 'current') return false;
  const hindrance = whyNotServing(rights);
  if (hindrance !== null) yield (mayWriteContent ? note : fail)('permissions', `${name}: ${hindrance}`);
  else if (!mayWriteContent)
    yield note('permissions', `${name}: this user can serve, but not use commands that write.`);
  return hindrance === null || mayWriteContent;
}
