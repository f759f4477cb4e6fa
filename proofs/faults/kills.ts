// `changelog apply` and `import` are killed: at any time, the database has either all of the old content or all of the
// new, and the same command can be run again immediately.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeContent } from '../../src/content/write.ts';
import { withContent } from '../../src/store/catalogue/content.ts';
import { engineOf } from '../../src/store/engine/open.ts';
import { databaseUrl, ENGINE, query } from '../../support/databases/engine.ts';
import { deadline } from '../../support/processes/busy.ts';
import { until } from '../../support/processes/poll.ts';
import { type Scope, temporaryFolder } from '../../support/processes/scope.ts';
import { runOk, type Sandbox } from '../../support/program/command.ts';
import { spawnProgram } from '../../support/program/process.ts';

export type Side = 'before' | 'after';

export const JOBS = ['apply', 'import'] as const;
type Job = (typeof JOBS)[number];

/** When the process is killed. A number is the time since it opened the database, in milliseconds. */
type KillTime = 'at its start' | 'at the opening' | number | 'at its last word';

type Setup = Readonly<{
  scope: Scope;
  job: Job;
  sandbox: Sandbox;
  /** The content of the database before and after a complete run. */
  contents: Record<Side, string>;
  /** How long a complete run takes after it has opened the database. */
  openMs: number;
}>;

const WAL = 'changelog.db-wal';
/** Less than a writer waits for a lock. */
const AGAIN_MS_MAX = 20_000;

type Size = Readonly<{ versions: number; changesAVersion: number }>;

export async function setUp(scope: Scope, job: Job, { versions, changesAVersion }: Size): Promise<Setup> {
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  for (const side of ['before', 'after'] as const) {
    const document = writeDocument(side, side === 'before' ? 0 : versions / 2, versions, changesAVersion);
    writeFileSync(path.join(sandbox.folder, fileOf(job, side)), WRITERS[job](document));
  }
  if (job === 'import') await runOk(sandbox, ['apply', '-'], JSON.stringify(writeDocument('before', 0, 0)));
  await run(sandbox, job, 'after');
  const after = await readWhole(sandbox, job);
  await run(sandbox, job, 'before');
  const before = await readWhole(sandbox, job);
  assert.notEqual(before, after);

  const { opened, exited } = await start(scope, sandbox, job);
  await opened;
  const openedAt = performance.now();
  assert.deepEqual(await exited, { code: 0, signal: null });
  const openMs = performance.now() - openedAt;
  assert.equal(await readWhole(sandbox, job), after);
  return { scope, job, sandbox, contents: { before, after }, openMs };
}

/** Kills the command once; returns whether that was before or after the commit. */
export async function killOnce(setup: Setup, killAt: KillTime): Promise<Side> {
  const { scope, job, sandbox, contents } = setup;
  await run(sandbox, job, 'before');
  assert.ok(
    (await readWhole(sandbox, job)) === contents.before,
    'the database does not have its first content',
  );
  const { child, opened, spoken, exited } = await start(scope, sandbox, job);
  if (killAt === 'at the opening') await opened;
  if (killAt === 'at its last word') await spoken;
  if (typeof killAt === 'number') await opened.then(() => delay(killAt));
  child.kill('SIGKILL');
  await exited;

  const found = await readWhole(sandbox, job);
  const side = found === contents.before ? 'before' : 'after';
  assert.ok(found === contents[side], 'the database has neither document completely');
  const startedAt = performance.now();
  await run(sandbox, job, 'after');
  assert.ok(performance.now() - startedAt < deadline(AGAIN_MS_MAX), 'the next run waited for a lock');
  assert.ok(
    (await readWhole(sandbox, job)) === contents.after,
    'running the command again did not repair the database',
  );
  return side;
}

const fileOf = (job: Job, side: Side) => (job === 'apply' ? `${side}.json` : `${side}.md`);

const argumentsOf = (job: Job, side: Side) =>
  job === 'apply'
    ? ['apply', fileOf(job, side), '--prune', '--yes']
    : ['import', 'acme/rocket', fileOf(job, side), '--prune', '--force', '--yes'];

async function run(sandbox: Sandbox, job: Job, side: Side): Promise<void> {
  await runOk(sandbox, argumentsOf(job, side));
}

async function start(scope: Scope, sandbox: Sandbox, job: Job) {
  const noticed = await watchOpening(sandbox);
  const started = await spawnProgram(scope, sandbox, argumentsOf(job, 'after'));
  const exited = started.exited.finally(noticed.stop);
  // Never wait for an event of a process that has exited.
  const orEnd = (event: Promise<unknown>) => Promise.race([event, exited]);
  const opened = noticed.opened();
  return { ...started, exited, opened: orEnd(opened), spoken: orEnd(once(started.child.stdout, 'data')) };
}

/** SQLite has a WAL file while a writer is active; PostgreSQL lists its connections. */
async function watchOpening(sandbox: Sandbox) {
  if (ENGINE === 'sqlite') {
    const watcher = watch(sandbox.folder);
    const isOpen = () => existsSync(path.join(sandbox.folder, WAL));
    return {
      opened: () => new Promise<void>((resolve) => watcher.on('change', () => isOpen() && resolve())),
      stop: () => watcher.close(),
    };
  }
  let isOver = false;
  const isOpen = async () => isOver || (await query(sandbox, CONNECTED)).length > 0;
  return {
    opened: async () => void (await until('the command is connected', isOpen)),
    stop: () => {
      isOver = true;
    },
  };
}

const CONNECTED = `select 1 from pg_stat_activity
  where application_name = 'changelog' and datname = current_database() and xact_start is not null`;

/** The whole content as one text, read as the service would read it after a crash. */
async function readWhole(sandbox: Sandbox, job: Job): Promise<string> {
  const url = databaseUrl(sandbox);
  const engine = await engineOf(url);
  const db = engine.openReader(url, {});
  try {
    assert.equal(await engine.checkIntegrity(db), null);
    const texts = await withContent(db, 'acme', (content) =>
      content === undefined ? Promise.resolve([]) : Array.fromAsync(writeContent(content, 'json')),
    );
    // A version that a run changes has the time of that run.
    const text = texts.join('\n').replaceAll(/^\s*"updatedAt": .*\n/gm, '');
    // An import creates random ids for new versions and changes.
    return job === 'apply' ? text : text.replaceAll(/"(?:ver|chg)_[^"]+"/g, '"id"');
  } finally {
    await db.destroy();
  }
}

type Document = ReturnType<typeof writeDocument>;

/** Two documents that share half of their versions, so that a run inserts, changes and deletes. */
function writeDocument(word: string, first: number, count: number, changesAVersion = 0) {
  const versions = Array.from({ length: count }, (_, index) =>
    writeVersion(word, first + index, changesAVersion),
  );
  return {
    team: { slug: 'acme', name: `Acme ${word}`, visibility: 'public', plan: 'paid' },
    products: [
      {
        slug: 'rocket',
        name: `Rocket ${word}`,
        status: 'published',
        changelog: { id: 'cl_rocket', status: 'published', versions },
      },
      { slug: `only-${word}`, name: word, status: 'draft' },
    ],
  };
}

function writeVersion(word: string, number: number, changes: number) {
  return {
    id: `ver_${number}`,
    version: `1.${number}.0`,
    title: `Number ${number} ${word}`,
    status: 'published',
    publishedAt: new Date(number * 86_400_000).toISOString(),
    description: word.repeat(100),
    changes: Array.from({ length: changes }, (_, index) => ({
      id: `chg_${number}-${index}`,
      type: 'added',
      text: `${word} ${index} `.repeat(20).trim(),
    })),
  };
}

const WRITERS: Record<Job, (document: Document) => string> = {
  apply: (document) => JSON.stringify(document),
  import: ({ products }) => {
    const versions = products[0]?.changelog?.versions.toReversed() ?? [];
    const sections = versions.map(
      ({ version, publishedAt, description, changes }) =>
        `## [${version}] - ${publishedAt.slice(0, 10)}\n\n${description}\n\n### Added\n\n${changes
          .map(({ text }) => `- ${text}\n`)
          .join('')}`,
    );
    return `# Changelog\n\n${sections.join('\n')}`;
  },
};
