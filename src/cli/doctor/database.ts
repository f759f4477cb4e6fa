import { setTimeout as delay } from 'node:timers/promises';
import { COMMAND } from '../../command-name.ts';
import type { Config } from '../../config.ts';
import { presentAt } from '../../domain/content/future-date.ts';
import { DAY_MS, laterThan } from '../../domain/timestamp.ts';
import { Refusal } from '../../errors.ts';
import { baseUrlFor, listenUrl } from '../../http/urls.ts';
import { listAllDomains, listEnding, listFuture } from '../../store/catalogue/health.ts';
import type { Engine, Reader, Rights } from '../../store/engine/engine.ts';
import { describeFailure } from '../../store/engine/failures.ts';
import { engineOf } from '../../store/engine/open.ts';
import { findCursorKey, findRevision } from '../../store/engine/revisions.ts';
import { otherProgramError, type SchemaState, schemaState } from '../../store/migrate/migrate.ts';
import { listDue } from '../../store/read/due.ts';
import { whyNotServing } from '../cli.ts';
import { describeDates, NAMED_MAX, nameSome } from '../report/dates.ts';
import { type Finding, fail, note, pass, when } from './finding.ts';

/** A commit must be readable everywhere within this time (R29). */
const LAG_MS_MAX = 1_000;
const POLL_MS = 100;
const ENDING_DAYS = 14;
/** Less than other commands wait: whoever runs this suspects something. */
const CONNECT_MS_MAX = 5_000;

type Primary = Readonly<{ identity: string; revision: number }>;
type Check = (db: Reader, engine: Engine, name: string) => Promise<readonly Finding[]>;

export async function checkDatabases(config: Config, now: string): Promise<Finding[]> {
  const [first, ...replicas] = config.databaseUrls;
  let primary: Primary | null = null;
  const checkPrimary: Check = async (db, engine, name) => {
    const [state, basics] = await checkBasics(db, engine, name, config);
    const rights = await engine.rightsOf(db);
    const hindrance = rights.whyNotWritable;
    const text = `${name} cannot be written to: ${hindrance}.`;
    const findings = [...basics, ...when([hindrance !== null, fail('permissions', text)])];
    if (state !== 'current') return findings;
    const ownRights = checkRights(name, rights);
    findings.push(...ownRights);
    if (ownRights.some((finding) => finding.state === 'wrong')) return findings;
    if (replicas.length > 0)
      primary = { identity: await findCursorKey(db), revision: await findRevision(db) };
    if (!rights.unreadable.includes('api_keys')) findings.push(...(await checkKeys(db, now)));
    return [
      ...findings,
      ...(await checkDates(db, now)),
      ...(await checkDomains(db, baseUrlFor(config, listenUrl(null, config)))),
    ];
  };
  const checkReplica: Check = async (db, engine, name) => {
    const [state, basics] = await checkBasics(db, engine, name, config);
    if (primary === null) return basics;
    if (state !== 'empty' && state !== 'foreign' && (await findCursorKey(db)) === primary.identity)
      return [...basics, ...(await checkLag(db, name, primary))];
    const text = `${name} is not a copy of the first database. Correct that URL in DATABASE_URL.`;
    return [fail('replica', text)];
  };
  const findings = [...(await withDatabase(first, checkPrimary))];
  for (const url of replicas) findings.push(...(await withDatabase(url, checkReplica)));
  return findings;
}

async function withDatabase(url: string, check: Check): Promise<readonly Finding[]> {
  const engine = await engineOf(url);
  const name = engine.describe(url);
  try {
    await using db = engine.openReader(url, { connectMs: CONNECT_MS_MAX });
    return await check(db, engine, name);
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof Refusal) return [fail('database', message)];
    return [fail('database', `${name}: ${describeFailure(error) ?? `${message}; check DATABASE_URL.`}`)];
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

async function checkLag(db: Reader, name: string, { revision }: Primary): Promise<Finding[]> {
  const startedAt = performance.now();
  while ((await findRevision(db)) < revision) {
    if (performance.now() - startedAt > LAG_MS_MAX) {
      const text = `${name} is more than ${LAG_MS_MAX / 1_000} s behind the first database. Check its replication.`;
      return [fail('replica', text)];
    }
    await delay(POLL_MS);
  }
  return [];
}

async function checkKeys(db: Reader, now: string): Promise<Finding[]> {
  const ending = await listEnding(db, now, laterThan(now, ENDING_DAYS * DAY_MS));
  const named = nameSome(ending.map(({ id, team, time }) => `${id} of ${team} at ${time}`));
  const text = `keys that end soon: ${named}. \`${COMMAND} key rotate\` replaces a key.`;
  return when([ending.length > 0, note('keys', text)]);
}

/** Only notes: the dates may be intended. */
async function checkDates(db: Reader, now: string): Promise<Finding[]> {
  const notes = [
    ...describeDates('future', await listFuture(db, presentAt(now), NAMED_MAX)),
    ...describeDates('overdue', await listDue(db, { isLocked: false, limit: NAMED_MAX })),
    ...describeDates('locked', await listDue(db, { isLocked: true, limit: NAMED_MAX })),
  ];
  return notes.map((text) => note('content', text));
}

/** The domains of products (R60). Whether a certificate exists for one is the business of the proxy. */
async function checkDomains(db: Reader, baseUrl: string): Promise<Finding[]> {
  const domains = await listAllDomains(db);
  const ownHost = URL.parse(baseUrl)?.hostname;
  const others = domains.filter(({ domain }) => domain !== ownHost);
  const named = (isPublic: boolean) =>
    others
      .filter((each) => each.isPublic === isPublic)
      .map(({ domain, product }) => `${domain} (${product})`);
  const [served, hidden] = [named(true), named(false)];
  const notServed = `Not in use, because the product is not public: ${nameSome(hidden)}.`;
  return [
    ...domains
      .filter(({ domain }) => domain === ownHost)
      .map(({ domain, product }) =>
        fail(
          'domains',
          `${domain} is the domain of ${product} and the host of BASE_URL, so it leads to all changelogs and not to ${product}. Choose another: ${COMMAND} product set ${product} --domain NAME`,
        ),
      ),
    ...when(
      [served.length > 0, pass('domains', `In use: ${nameSome(served)}.`)],
      [hidden.length > 0, note('domains', notServed)],
    ),
  ];
}
