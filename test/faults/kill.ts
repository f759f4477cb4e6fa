// `changelog apply`, killed: whatever the moment, the database holds all of what was there or all of what was to come.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeContent } from '../../src/content/write.ts';
import { withContent } from '../../src/store/content.ts';
import { engineOf } from '../../src/store/open.ts';
import { runOk, type Workplace } from '../support/command.ts';
import { databaseUrl } from '../support/engine.ts';
import { type Scope, temporaryFolder } from '../support/folder.ts';
import { spawnProgram } from '../support/process.ts';

export type Side = 'before' | 'after';

/** When the process dies. A number is the time since it opened the database, in milliseconds. */
export type Moment = 'at its start' | 'at the opening' | number | 'at its last word';

export type Stage = Readonly<{
  scope: Scope;
  folder: string;
  /** What the database holds before and after a whole `apply`. */
  contents: Record<Side, string>;
  /** How long a run that nobody kills goes on after it has opened the database. */
  openMs: number;
}>;

const CHANGES_A_VERSION = 5;
const DATABASE = 'changelog.db';
const WAL = `${DATABASE}-wal`;

export async function setStage(scope: Scope, versions: number): Promise<Stage> {
  const folder = temporaryFolder(scope);
  writeFileSync(path.join(folder, 'before.json'), JSON.stringify(writeDocument('before', 0, versions)));
  writeFileSync(
    path.join(folder, 'after.json'),
    JSON.stringify(writeDocument('after', versions / 2, versions)),
  );
  await runOk({ folder }, ['apply', 'before.json']);
  const before = await readWhole({ folder });

  const whole = copyWorkplace(folder, 'whole');
  const { opened, exited } = await startApply(scope, whole);
  await opened;
  const openedAt = performance.now();
  assert.deepEqual(await exited, { code: 0, signal: null });
  const openMs = performance.now() - openedAt;
  return { scope, folder, contents: { before, after: await readWhole(whole) }, openMs };
}

/** One round on a copy of the database: says on which side of the commit the process died. */
export async function killOnce(
  { scope, folder, contents }: Stage,
  name: string,
  moment: Moment,
): Promise<Side> {
  const workplace = copyWorkplace(folder, name);
  const { child, opened, spoken, exited } = await startApply(scope, workplace);
  if (moment === 'at the opening') await opened;
  if (moment === 'at its last word') await spoken;
  if (typeof moment === 'number') await opened.then(() => delay(moment));
  child.kill('SIGKILL');
  await exited;

  const found = await readWhole(workplace);
  const side = found === contents.before ? 'before' : 'after';
  assert.ok(found === contents[side], `${name}: the database holds neither document as a whole`);
  await runOk(workplace, ['apply', 'after.json', '--prune']);
  assert.ok((await readWhole(workplace)) === contents.after, `${name}: the same apply does not mend it`);
  return side;
}

async function startApply(scope: Scope, workplace: Workplace) {
  const watcher = watch(workplace.folder);
  const started = await spawnProgram(scope, workplace, ['apply', 'after.json', '--prune']);
  const exited = started.exited.finally(() => watcher.close());
  const opened = new Promise((resolve) => {
    watcher.on('change', () => existsSync(path.join(workplace.folder, WAL)) && resolve(undefined));
  });
  // A process that has ended is past waiting for.
  const orEnd = (event: Promise<unknown>) => Promise.race([event, exited]);
  return { ...started, exited, opened: orEnd(opened), spoken: orEnd(once(started.child.stdout, 'data')) };
}

function copyWorkplace(folder: string, name: string): Workplace {
  const copy = path.join(folder, name);
  mkdirSync(copy);
  for (const file of [DATABASE, 'after.json']) cpSync(path.join(folder, file), path.join(copy, file));
  return { folder: copy };
}

/** Everything in the database, in one text, read as the service would read it right after a crash. */
async function readWhole(workplace: Workplace): Promise<string> {
  const url = databaseUrl(workplace);
  const engine = await engineOf(url);
  const db = engine.openReader(url, {});
  try {
    assert.equal(await engine.checkIntegrity(db), null);
    const texts = await withContent(db, 'acme', (content) =>
      content === undefined ? Promise.resolve([]) : Array.fromAsync(writeContent(content, 'json')),
    );
    return texts.join('\n');
  } finally {
    await db.destroy();
  }
}

/** Two of these, half a document apart, share half of their versions: an apply inserts, changes and deletes. */
function writeDocument(word: string, first: number, count: number) {
  const versions = Array.from({ length: count }, (_, index) => writeVersion(word, first + index));
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

function writeVersion(word: string, number: number) {
  return {
    id: `ver_${number}`,
    version: `1.${number}.0`,
    title: `Number ${number} ${word}`,
    status: 'published',
    publishedAt: new Date(number * 86_400_000).toISOString(),
    description: word.repeat(100),
    changes: Array.from({ length: CHANGES_A_VERSION }, (_, index) => ({
      id: `chg_${number}-${index}`,
      type: 'added',
      text: `${word} ${index} `.repeat(20),
    })),
  };
}
