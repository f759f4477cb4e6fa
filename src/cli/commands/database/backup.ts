// `backup` and `restore`, and what `copy` shares with them: progress, signals and a full disk.
import { chmodSync, chownSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { COMMAND } from '../../../command-name.ts';
import { isNoSpace, Refusal } from '../../../errors.ts';
import { carryOverDeliveries } from '../../../hooks/store/history.ts';
import { makeFolder } from '../../../make-folder.ts';
import { countAll } from '../../../store/catalogue/catalogue.ts';
import { asReader, type Engine, type Writer } from '../../../store/engine/engine.ts';
import { damageOf } from '../../../store/engine/failures.ts';
import { loadCopies } from '../../../store/engine/open.ts';
import { advancePast, findRevision } from '../../../store/engine/revisions.ts';
import * as schema from '../../../store/migrate/migrate.ts';
import { listWorkingKeys } from '../../../store/write/keys.ts';
import { argument, parseFileName } from '../../arguments.ts';
import { type Cli, configOf, type Place, primaryOf, requireDatabase } from '../../cli.ts';
import { command } from '../../command.ts';
import { confirm, formatCounts, notAgreedError } from '../../confirm.ts';
import { replaceFile, resolveTarget, withTemporaryFile } from '../../files/write-file.ts';
import { withStopSignals } from '../../stop-signals.ts';
import { escapeName, shellWord } from '../../terminal/plain.ts';
import { formatMib, type Progress, startProgress } from '../../terminal/progress.ts';

const OWNER_ONLY = 0o600;
const PERMISSIONS = 0o777;
const ROOT = 0;

export const backupCommand = command({
  name: 'backup',
  about: 'copy the SQLite database to a file, also while it is served',
  arguments: [argument('<file>', 'the copy; an older copy is replaced', parseTarget)],
  examples: ['backup /backup/changelog.db'],
  run: async (cli, _, file: string) => {
    const place = await primaryOf(cli);
    const { engine, url, name: database } = place;
    if (engine.ownTools !== null) throw ownToolError('copies', engine.ownTools.backup(url, file));
    requireDatabase(cli, place);
    {
      // An older schema can be copied, but an empty database must not replace an earlier backup.
      await using db = engine.openReader(url, {});
      await schema.requireOwnTables(db, database);
    }
    const target = resolveTarget(cli.folder, file);
    const { copyDatabase, requireReplaceable } = await loadCopies();
    requireReplaceable(database, target, file);
    const copying = { what: `copying to ${file}`, target: file, advice: ' or choose a file on another disk' };
    const bytes = await runCopy(cli, copying, (onCopied) =>
      replaceFile(target, async (temporary) => {
        await copyDatabase(database, temporary, onCopied);
        return statSync(temporary).size;
      }),
    );
    return { database, file, bytes };
  },
  text: ({ database, file, bytes }) =>
    `Copied ${escapeName(database)} to ${escapeName(file)} (${formatMib(bytes)}).`,
});

function parseTarget(text: string): string {
  if (text === '-') throw new InvalidArgumentError('A copy cannot go to standard output; name a file.');
  if (text.includes('://')) throw new InvalidArgumentError('A copy is a file; name one on this machine.');
  return parseFileName(text);
}

export const restoreCommand = command({
  name: 'restore',
  about: 'put a backup in the place of the SQLite database',
  arguments: [argument('<file>', 'a copy that `backup` made', parseFileName)],
  // The command says what is wanted, and a script that puts a backup back must not fail.
  yes: 'do not ask; without a terminal, it never asks',
  examples: ['restore /backup/changelog.db'],
  run: async (cli, { yes = cli.ask === undefined }: { yes?: boolean }, file: string) => {
    const place = await primaryOf(cli);
    const { engine, url, name: database } = place;
    if (engine.ownTools !== null) throw ownToolError('restores', engine.ownTools.restore(url, file));
    const { isUsable, keepOld, openCopy, requireCopy, requireOwnSchema, writeContent } = await loadCopies();
    const backup = path.resolve(cli.folder, file);
    requireCopy(database, backup, file);
    const agreed = await lookAt(cli, place);
    if (agreed.description !== null && !yes) await confirm(cli, agreed.description, 'replace');

    const prepare = async (copy: string) => {
      await copyFile(backup, copy);
      const prepared = await prepareCopy(cli, place, () => openCopy(copy), file, agreed.revision);
      const statements = schema.STEPS.flatMap(({ sqlite }) => sqlite);
      requireOwnSchema(copy, file, statements);
      const { description, keys } = await lookAt(cli, place);
      if (!yes && description !== null && description !== agreed.description)
        throw notAgreedError(description, 'replace');
      const { working, ...restored } = prepared;
      return {
        ...{ database, file, bytes: statSync(copy).size, ...restored },
        // Disabled or deleted since the backup, or ended.
        revivedKeys: working.filter((id) => keys?.includes(id) === false),
        lostKeys: (keys ?? []).filter((id) => !working.includes(id)),
      };
    };
    const target = resolveTarget(cli.folder, database);
    const copying = { what: `restoring ${database}`, target: database, advice: '' };
    return await runCopy(cli, copying, async (onCopied) => {
      if (isUsable(database))
        return await withTemporaryFile(target, async (copy) => {
          const restored = await prepare(copy);
          await writeContent(database, copy, onCopied);
          return { ...restored, kept: null };
        });
      makeFolder(path.dirname(target), 0o700);
      return await replaceFile(target, async (copy) => {
        const restored = await prepare(copy);
        takeOwner(copy, target);
        // The files of the damaged database.
        const kept = keepOld(database, `.damaged-${cli.now().replaceAll(/[-:]|\.\d+/g, '')}`);
        return { ...restored, kept };
      });
    });
  },
  text: ({ database, file, bytes, content, steps, kept, revivedKeys, lostKeys }) => {
    const counts = formatContent(content);
    return [
      `Restored ${escapeName(database)} from ${escapeName(file)} (${formatMib(bytes)})${counts && `: ${counts}`}.`,
      steps.length > 0 && `Updated the schema: ${steps.join(', ')}.`,
      revivedKeys.length > 0 &&
        `Keys that did not work before, and work now: ${revivedKeys.join(', ')}. \`${COMMAND} key disable ID\` disables one.`,
      lostKeys.length > 0 && `Keys that no longer work: ${lostKeys.join(', ')}.`,
      kept !== null && `Kept the damaged database as ${escapeName(kept)}.`,
    ]
      .filter(Boolean)
      .join('\n');
  },
});

/** Null as a description: nothing would be lost. Null as the keys that work: unknown, or none were ever made. */
type Present = Readonly<{ description: string | null; revision: number; keys: readonly string[] | null }>;
const NOTHING: Present = { description: null, revision: 0, keys: null };

async function lookAt(cli: Cli, { engine, url, name }: Place): Promise<Present> {
  if (!engine.exists(url)) return NOTHING;
  try {
    await using db = engine.openReader(url, {});
    if ((await schema.schemaState(db)) === 'empty') return NOTHING;
    // A database of another program must not be replaced.
    await schema.requireOwnTables(db, name);
    const counts = formatContent(await countAll(db));
    const description = counts === '' ? null : `${name} (${counts})`;
    return { description, revision: await findRevision(db), keys: await listWorkingKeys(db, cli.now()) };
  } catch (error) {
    const damage = damageOf(error);
    if (damage === null) throw error;
    return { ...NOTHING, description: `${name} (damaged: ${damage})` };
  }
}

/** Brings the copy up to date, beyond the revision of the database that it replaces. */
async function prepareCopy(cli: Cli, place: Place, open: () => Writer, name: string, revision: number) {
  try {
    await using db = open();
    await requireRestorable(cli, db, place.engine, name);
    return await db.transaction().execute(async (trx) => {
      const steps = await schema.migrate(trx, { database: name });
      await advancePast(trx, revision);
      await keepAnnounced(place, trx);
      const content = await countAll(asReader(trx));
      return { steps, content, working: await listWorkingKeys(trx, cli.now()) };
    });
  } catch (error) {
    const damage = damageOf(error);
    throw damage === null ? error : damagedError(name, damage);
  }
}

/** Throws unless this version of the program can serve the copy, if need be after an update of its schema. */
async function requireRestorable(cli: Cli, db: Writer, engine: Engine, name: string): Promise<void> {
  const damage = await engine.checkIntegrity(asReader(db));
  if (damage !== null) throw damagedError(name, damage);
  const state = await schema.schemaState(db);
  if (state === 'empty' || state === 'foreign')
    throw new Refusal(`${name} has no tables of this program; name a file that \`backup\` made.`);
  if (state === 'newer')
    throw new Refusal(
      `${name} was made by a newer version of this program: restore it with that version or a later one.`,
    );
  if (state === 'behind' && !configOf(cli).autoMigrate)
    throw new Refusal(
      `${name} has an older schema, and AUTO_MIGRATE is false: restore it with AUTO_MIGRATE=true, which updates the schema.`,
    );
  await schema.prepareToMigrate(db, { database: name });
}

const damagedError = (name: string, damage: string) =>
  new Refusal(`${name} is damaged: ${damage}. Restore an older backup.`);

/** Not from a database that is damaged or has another schema. */
async function keepAnnounced({ engine, url }: Place, trx: Writer): Promise<void> {
  if (!engine.exists(url)) return;
  try {
    await using present = engine.openReader(url, {});
    if ((await schema.schemaState(present)) === 'current') await carryOverDeliveries(present, trx);
  } catch (error) {
    if (damageOf(error) === null) throw error;
  }
}

/** The server must be able to open a file that root has put there. */
function takeOwner(copy: string, target: string): void {
  const old = statSync(target, { throwIfNoEntry: false });
  const { uid, gid } = old ?? statSync(path.dirname(target));
  if (process.getuid?.() === ROOT) chownSync(copy, uid, gid);
  chmodSync(copy, old === undefined ? OWNER_ONLY : old.mode & PERMISSIONS);
}

function formatContent({ teams, products, versions, keys }: Awaited<ReturnType<typeof countAll>>): string {
  return formatCounts({ team: teams, product: products, version: versions, 'API key': keys });
}

type Copying = Readonly<{
  /** `copying to copy.db` */
  what: string;
  /** What is written, as the user calls it. */
  target: string;
  /** What to do on a full disk. */
  advice: string;
  format?: (amount: number) => string;
}>;

/** Runs a copy that a signal stops between two steps. `copy` leaves the target as it was if it fails. */
export async function runCopy<T>(
  cli: Cli,
  { what, target, advice, format = formatMib }: Copying,
  copy: (onCopied: (amount: number, whole: number) => void) => Promise<T>,
): Promise<T> {
  let progress: Progress | undefined;
  try {
    return await withStopSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], (signal) =>
      copy((amount, whole) => {
        if (signal.aborted) throw new Refusal(`stopped by ${signal.reason}; ${target} was left as it was.`);
        progress ??= startProgress(cli, { what, whole, format });
        progress.done(amount);
      }),
    );
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const isFull = code === 'SQLITE_FULL' || isNoSpace(error);
    if (!isFull && !code.startsWith('SQLITE_IOERR')) throw error;
    const reason = isFull
      ? 'the disk is full'
      : `${message}: the disk is full or failing, or a limit on the size of files is reached`;
    throw new Refusal(
      `the copy cannot be written: ${reason}; ${target} was left as it was. Free some space${advice}.`,
      { cause: error },
    );
  } finally {
    progress?.end();
  }
}

function ownToolError(verb: string, words: readonly string[]): Refusal {
  return new Refusal(
    `this command ${verb} only SQLite databases; for PostgreSQL run \`${words.map(shellWord).join(' ')}\`, which asks for the password or takes it from PGPASSWORD.`,
  );
}
