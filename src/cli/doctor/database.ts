import { setTimeout as delay } from 'node:timers/promises';
import { COMMAND } from '../../command-name.ts';
import type { Config } from '../../config.ts';
import { presentAt } from '../../domain/content/future-date.ts';
import { DAY_MS, laterThan } from '../../domain/timestamp.ts';
import { Refusal } from '../../errors.ts';
import { baseUrlFor, listenUrl } from '../../http/urls.ts';
import { listEnding, listFuture } from '../../store/catalogue/health.ts';
import type { Engine, Reader, Rights } from '../../store/engine/engine.ts';
import { describeFailure } from '../../store/engine/failures.ts';
import { engineOf } from '../../store/engine/open.ts';
import { findCursorKey, findRevision } from '../../store/engine/revisions.ts';
import { otherProgramError, type SchemaState, schemaState } from '../../store/migrate/migrate.ts';
import { listDue } from '../../store/read/due.ts';
import { whyNotServing } from '../cli.ts';
import { describeFuture, describeLocked, describeOverdue, NAMED_MAX } from '../report/dates.ts';
import { checkDomains } from './domains.ts';
import { type Finding, fail, note, pass, when } from './finding.ts';

/** A commit must be readable everywhere within this time (R29). */
const LAG_MS_MAX = 1_000;
const POLL_MS = 100;
const ENDING_DAYS = 14;
/** Less than other commands wait: whoever runs this suspects something. */
const CONNECT_MS_MAX = 5_000;

type PrimaryState = Readonly<{ identity: string; revision: number }>;

export async function checkDatabases(config: Config, now: string): Promise<Finding[]> {
  const [first, ...replicas] = config.databaseUrls;
  let primary: PrimaryState | null = null;
  const findings = await withDatabase(first, async (db, engine) => {
    const name = engine.describe(first);
    const [state, basics] = await checkBasics(db, engine, name, config);
    const rights = await engine.rightsOf(db);
    const hindrance = rights.whyNotWritable;
    const common = [
      ...basics,
      ...when([hindrance !== null, fail('permissions', `${name} cannot be written to: ${hindrance}.`)]),
    ];
    if (state !== 'current') return common;
    const findings = checkRights(name, rights);
    if (findings.some((finding) => finding.state === 'wrong')) return [...common, ...findings];
    if (replicas.length > 0)
      primary = { identity: await findCursorKey(db), revision: await findRevision(db) };
    return [
      ...common,
      ...findings,
      ...(rights.unreadable.includes('api_keys') ? [] : await checkKeys(db, now)),
      ...(await checkDates(db, now)),
      ...(await checkDomains(db, baseUrlFor(config, listenUrl(null, config)))),
    ];
  });
  for (const url of replicas)
    findings.push(
      ...(await withDatabase(url, async (db, engine) => {
        const name = engine.describe(url);
        const [state, basics] = await checkBasics(db, engine, name, config);
        if (primary === null) return basics;
        const isCopy =
          state !== 'empty' && state !== 'foreign' && (await findCursorKey(db)) === primary.identity;
        if (!isCopy)
          return [
            fail('replica', `${name} is not a copy of the first database. Correct that URL in DATABASE_URL.`),
          ];
        return [...basics, ...(await checkLag(db, name, primary))];
      })),
    );
  return findings;
}

async function withDatabase(
  url: string,
  check: (db: Reader, engine: Engine) => Promise<Finding[]>,
): Promise<Finding[]> {
  const engine = await engineOf(url);
  try {
    await using db = engine.openReader(url, { connectMs: CONNECT_MS_MAX });
    return await check(db, engine);
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
  db: Reader,
  engine: Engine,
  name: string,
  { autoMigrate }: Config,
): Promise<[SchemaState, Finding[]]> {
  const damage = await engine.checkIntegrity(db);
  const state = await schemaState(db);
  const message =
    state === 'foreign' ? (await otherProgramError(db, name)).message : `${name}: ${SCHEMA_MESSAGES[state]}`;
  const isMigrated = (state === 'empty' || state === 'behind') && autoMigrate;
  const verdict = state === 'current' ? pass : isMigrated ? note : fail;
  return [
    state,
    [
      damage === null
        ? pass('database', `${name} opens and is intact.`)
        : fail('database', `${name} is damaged: ${damage}. Restore a backup with \`${COMMAND} restore\`.`),
      verdict('schema', message),
    ],
  ];
}

const SCHEMA_MESSAGES = {
  current: 'the schema is up to date.',
  empty: `the database has no tables of this program; \`${COMMAND} migrate\` creates them.`,
  behind: `the schema is older than this program; \`${COMMAND} migrate\` updates it.`,
  newer: 'the schema is newer than this program; use the newer program.',
};

/** A user for CI cannot serve, and one for servers cannot write content: that is their purpose. */
function checkRights(name: string, rights: Rights): Finding[] {
  const { mayWriteContent } = rights;
  const hindrance = whyNotServing(rights);
  if (hindrance !== null) return [(mayWriteContent ? note : fail)('permissions', `${name}: ${hindrance}`)];
  return when([
    !mayWriteContent,
    note('permissions', `${name}: this user can serve, but not use commands that write.`),
  ]);
}

async function checkLag(db: Reader, name: string, { revision }: PrimaryState): Promise<Finding[]> {
  const startedAt = performance.now();
  while ((await findRevision(db)) < revision) {
    if (performance.now() - startedAt > LAG_MS_MAX)
      return [
        fail(
          'replica',
          `${name} is more than ${LAG_MS_MAX / 1_000} s behind the first database. Check its replication.`,
        ),
      ];
    await delay(POLL_MS);
  }
  return [];
}

async function checkKeys(db: Reader, now: string): Promise<Finding[]> {
  const ending = await listEnding(db, now, laterThan(now, ENDING_DAYS * DAY_MS));
  if (ending.length === 0) return [];
  const named = ending.slice(0, NAMED_MAX).map(({ id, team, time }) => `${id} of ${team} at ${time}`);
  const more = ending.length > NAMED_MAX ? `, and ${ending.length - NAMED_MAX} more` : '';
  const text = `keys that end soon: ${named.join(', ')}${more}. \`${COMMAND} key rotate\` replaces a key.`;
  return [note('keys', text)];
}

/** Only notes: the dates may be intended. */
async function checkDates(db: Reader, now: string): Promise<Finding[]> {
  const notes = [
    ...describeFuture(await listFuture(db, presentAt(now), NAMED_MAX)),
    ...describeOverdue(await listDue(db, { isLocked: false, limit: NAMED_MAX })),
    ...describeLocked(await listDue(db, { isLocked: true, limit: NAMED_MAX })),
  ];
  return notes.map((text) => note('content', text));
}
