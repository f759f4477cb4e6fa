// `backup` and `restore`, and what `copy` shares with them: progress and signals.
import { statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { Refusal } from '../../../errors.ts';
import { carryOverDeliveries } from '../../../hooks/store/history.ts';
import { makeFolder } from '../../../make-folder.ts';
import { countAll } from '../../../store/catalogue/catalogue.ts';
import { asReader, type Writer } from '../../../store/engine/engine.ts';
import { damageOf } from '../../../store/engine/failures.ts';
import { loadCopies } from '../../../store/engine/open.ts';
import { advancePast, findRevision } from '../../../store/engine/revisions.ts';
import * as schema from '../../../store/migrate/migrate.ts';
import { argument, parseFileName } from '../../arguments.ts';
import { type Cli, configOf, type Place, primaryOf, requireDatabase } from '../../cli.ts';
import { command } from '../../command.ts';
import { confirm, formatCounts } from '../../confirm.ts';
import { replaceFile, resolveTarget, withTemporaryFile } from '../../files/write-file.ts';
import { withStopSignals } from '../../stop-signals.ts';
import { type Done, formatMib, withProgress } from '../../terminal/progress.ts';
import { escapeName, shellWord } from '../../terminal/text.ts';

export const backupCommand = command({
  name: 'backup',
  about: 'copy the SQLite database to a file, also while it is served',
  arguments: [argument('<file>', 'the copy; an older copy is replaced', parseTarget)],
  examples: ['backup /backup/changelog.db'],
  run: async (cli, _, file: string) => {
    const place = await primaryOf(cli);
    const { engine, url, name: database } = place;
    if (engine.ownTools !== null) throw ownToolError('copies', engine.ownTools.backup(url, file));
    requireDatabase(place);
    {
      // An older schema can be copied, but an empty database must not replace an earlier backup.
      await using db = engine.openReader(url, {});
      await schema.requireOwnTables(db, database);
    }
    const target = resolveTarget(cli.folder, file);
    const { copyDatabase, requireReplaceable } = await loadCopies();
    requireReplaceable(database, target, file);
    const bytes = await runCopy(cli, file, (onCopied) =>
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

/** A URL is refused before its password is in the path of a file, and so in messages. */
function parseTarget(text: string): string {
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
    const { openCopy, requireCopy, requireOwnSchema, writeContent } = await loadCopies();
    const backup = path.resolve(cli.folder, file);
    requireCopy(database, backup, file);
    const { lost, revision } = await lookAt(place);
    if (lost !== '' && !yes) await confirm(cli, `${database} (${lost})`, 'replace');

    const prepare = async (copy: string) => {
      await copyFile(backup, copy);
      const prepared = await prepareCopy(cli, place, () => openCopy(copy), file, revision);
      const statements = schema.STEPS.flatMap(({ sqlite }) => sqlite);
      requireOwnSchema(copy, file, statements);
      return { database, file, bytes: statSync(copy).size, ...prepared };
    };
    const target = resolveTarget(cli.folder, database);
    return await runCopy(cli, database, async (onCopied) => {
      if (engine.exists(url))
        return await withTemporaryFile(target, async (copy) => {
          const restored = await prepare(copy);
          await writeContent(database, copy, onCopied);
          return restored;
        });
      makeFolder(path.dirname(target), 0o700);
      return await replaceFile(target, prepare);
    });
  },
  text: ({ database, file, bytes, content, steps }) => {
    const counts = formatContent(content);
    const what = `${escapeName(database)} from ${escapeName(file)} (${formatMib(bytes)})`;
    return [
      `Restored ${what}${counts && `: ${counts}`}. Keys and states are those of the backup.`,
      ...(steps.length > 0 ? [`Updated the schema: ${steps.join(', ')}.`] : []),
    ].join('\n');
  },
});

/** What would be lost, and the revision beyond which the backup must begin. */
async function lookAt({ engine, url, name }: Place): Promise<Readonly<{ lost: string; revision: number }>> {
  if (!engine.exists(url)) return { lost: '', revision: 0 };
  try {
    await using db = engine.openReader(url, {});
    if ((await schema.schemaState(db)) === 'empty') return { lost: '', revision: 0 };
    // A database of another program must not be replaced.
    await schema.requireOwnTables(db, name);
    return { lost: formatContent(await countAll(db)), revision: await findRevision(db) };
  } catch (error) {
    const damage = damageOf(error);
    if (damage === null) throw error;
    throw new Refusal(
      `${name} is damaged: ${damage}. Move it away, with ${name}-wal and ${name}-shm, and run this again.`,
      { cause: error },
    );
  }
}

/** Brings the copy up to date, beyond the revision of the database that it replaces. */
async function prepareCopy(cli: Cli, place: Place, open: () => Writer, name: string, revision: number) {
  try {
    await using db = open();
    const damage = await place.engine.checkIntegrity(asReader(db));
    if (damage !== null) throw damagedError(name, damage);
    const state = await schema.schemaState(db);
    if (state === 'empty' || state === 'foreign')
      throw new Refusal(`${name} has no tables of this program; name a file that \`backup\` made.`);
    if (state === 'behind' && !configOf(cli).autoMigrate)
      throw new Refusal(
        `${name} has an older schema, and AUTO_MIGRATE is false: restore it with AUTO_MIGRATE=true, which updates the schema.`,
      );
    await schema.prepareToMigrate(db, { database: name });
    return await db.transaction().execute(async (trx) => {
      const steps = await schema.migrate(trx, { database: name });
      await advancePast(trx, revision);
      await keepAnnounced(place, trx);
      return { steps, content: await countAll(asReader(trx)) };
    });
  } catch (error) {
    const damage = damageOf(error);
    throw damage === null ? error : damagedError(name, damage);
  }
}

const damagedError = (name: string, damage: string) =>
  new Refusal(`${name} is damaged: ${damage}. Restore an older backup.`);

/** Not from a database that has another schema. */
async function keepAnnounced({ engine, url }: Place, trx: Writer): Promise<void> {
  if (!engine.exists(url)) return;
  await using present = engine.openReader(url, {});
  if ((await schema.schemaState(present)) === 'current') await carryOverDeliveries(present, trx);
}

function formatContent({ teams, products, versions, keys }: Awaited<ReturnType<typeof countAll>>): string {
  return formatCounts({ team: teams, product: products, version: versions, 'API key': keys });
}

/** Runs a copy that a signal stops between two steps. `copy` leaves the target as it was if it fails. */
export async function runCopy<T>(
  cli: Cli,
  target: string,
  copy: (onCopied: Done) => Promise<T>,
  format = formatMib,
): Promise<T> {
  return await withProgress(cli, { what: `writing ${target}`, format }, (done) =>
    withStopSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], (signal) =>
      copy((amount, whole) => {
        if (signal.aborted) throw new Refusal(`stopped by ${signal.reason}; ${target} was left as it was.`);
        done(amount, whole);
      }),
    ),
  );
}

function ownToolError(verb: string, words: readonly string[]): Refusal {
  return new Refusal(
    `this command ${verb} only SQLite databases; for PostgreSQL run \`${words.map(shellWord).join(' ')}\`, which asks for the password or takes it from PGPASSWORD.`,
  );
}
