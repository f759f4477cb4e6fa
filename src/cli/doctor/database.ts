import { COMMAND } from '../../command-name.ts';
import type { Config } from '../../config.ts';
import { Refusal } from '../../errors.ts';
import type { Engine, Reader } from '../../store/engine/engine.ts';
import { describeFailure } from '../../store/engine/failures.ts';
import { engineOf } from '../../store/engine/open.ts';
import { type SchemaState, schemaState } from '../../store/migrate/migrate.ts';
import { otherProgramError } from '../../store/migrate/other-programs.ts';
import { CONTENT_ONLY } from '../cli.ts';
import { checkContent } from './content.ts';
import { type Finding, fail, note, pass, when } from './finding.ts';
import { checkReplica, notACopy, type PrimaryState, readPrimary } from './replicas.ts';

const CLOCK_OFF_MS_MAX = 30_000;

export async function checkDatabases(
  { databaseUrls, autoMigrate }: Config,
  nowMs: number,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  let primary: PrimaryState | null = null;
  for (const [index, url] of databaseUrls.entries()) {
    const engine = await engineOf(url);
    const name = engine.describe(url);
    const check = async (db: Reader) => {
      const [state, basics] = await checkBasics(engine, db, { name, autoMigrate });
      if (index > 0 && primary && (state === 'empty' || state === 'foreign')) return [notACopy(name)];
      if (index > 0)
        return [...basics, ...(state === 'current' && primary ? await checkReplica(db, name, primary) : [])];
      const writing = await checkWriting(engine, db, { name, nowMs });
      if (state !== 'current') return [...basics, ...writing];
      if (databaseUrls.length > 1) primary = await readPrimary(db);
      const canReadKeys = await engine.canReadKeys(db);
      return [
        ...basics,
        ...writing,
        ...when([!canReadKeys, note('permissions', `${name}: ${CONTENT_ONLY}`)]),
        ...(await checkContent(db, { now: new Date(nowMs).toISOString(), canReadKeys })),
      ];
    };
    findings.push(...(await withDatabase(engine, url, check)));
  }
  return findings;
}

async function withDatabase(
  engine: Engine,
  url: string,
  check: (db: Reader) => Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    const db = engine.openReader(url, {});
    try {
      return await check(db);
    } finally {
      await db.destroy();
    }
  } catch (error) {
    const failure = describeFailure(error);
    const reason =
      error instanceof Refusal
        ? error.message
        : `${engine.describe(url)}: ${failure ?? `${(error as Error).message}; check DATABASE_URL.`}`;
    return [fail('database', reason)];
  }
}

async function checkBasics(
  engine: Engine,
  db: Reader,
  { name, autoMigrate }: { name: string; autoMigrate: boolean },
): Promise<[SchemaState, Finding[]]> {
  const damage = await engine.checkIntegrity(db);
  const state = await schemaState(db);
  return [
    state,
    [
      damage === null
        ? pass('database', `${name} opens and is intact.`)
        : fail('database', `${name} is damaged: ${damage}. Restore a backup.`),
      schemaVerdict(state, autoMigrate)(
        'schema',
        state === 'foreign'
          ? (await otherProgramError(db, name)).message
          : `${name}: ${SCHEMA_MESSAGES[state]}`,
      ),
    ],
  ];
}

function schemaVerdict(state: SchemaState, autoMigrate: boolean): typeof pass {
  if (state === 'current') return pass;
  return (state === 'empty' || state === 'behind') && autoMigrate ? note : fail;
}

const SCHEMA_MESSAGES = {
  current: 'the schema is up to date.',
  empty: `the database has no tables of this program; \`${COMMAND} migrate\` creates them.`,
  behind: `the schema is older than this program; \`${COMMAND} migrate\` updates it.`,
  newer: 'the schema is newer than this program; use the newer program.',
};

async function checkWriting(
  engine: Engine,
  db: Reader,
  { name, nowMs }: { name: string; nowMs: number },
): Promise<Finding[]> {
  const hindrance = await engine.whyNotWritable(db);
  const clockMs = await engine.clockMs(db);
  const offMs = clockMs === null ? 0 : Math.abs(clockMs - nowMs);
  return when(
    [hindrance !== null, fail('permissions', `${name} cannot be written to: ${hindrance}.`)],
    [
      offMs > CLOCK_OFF_MS_MAX,
      fail(
        'clock',
        `The clocks of this machine and of ${name} are ${Math.round(offMs / 1_000)} s apart. Synchronise both with a time server.`,
      ),
    ],
  );
}
