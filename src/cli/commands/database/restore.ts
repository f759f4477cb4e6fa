import { chmodSync, chownSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { COMMAND } from '../../../command-name.ts';
import { Refusal } from '../../../errors.ts';
import { carryOverDeliveries } from '../../../hooks/store/hooks.ts';
import { makeFolder } from '../../../make-folder.ts';
import { countAll } from '../../../store/catalogue/catalogue.ts';
import { asReader, type Engine, type Writer } from '../../../store/engine/engine.ts';
import { damageOf } from '../../../store/engine/failures.ts';
import { loadCopies } from '../../../store/engine/open.ts';
import { advancePast, findRevision } from '../../../store/engine/revisions.ts';
import {
  migrate,
  prepareToMigrate,
  requireOwnTables,
  STEPS,
  schemaState,
} from '../../../store/migrate/migrate.ts';
import { listWorkingKeys } from '../../../store/write/keys.ts';
import { argument, parseFileName } from '../../arguments.ts';
import { type Cli, configOf, type Place, primaryOf } from '../../cli.ts';
import { command } from '../../command.ts';
import { confirm, formatCounts, notAgreedError } from '../../confirm.ts';
import { replaceFile, resolveTarget, withTemporaryFile } from '../../files/write-file.ts';
import { escapeName } from '../../terminal/plain.ts';
import { formatMib } from '../../terminal/progress.ts';
import { ownToolError, runCopy } from './copying.ts';

const OWNER_ONLY = 0o600;
const PERMISSIONS = 0o777;
const ROOT = 0;

/** Null as a description: nothing would be lost. Null as the keys that work: unknown, or none were ever made. */
type Present = Readonly<{ description: string | null; revision: number; keys: readonly string[] | null }>;
const NOTHING: Present = { description: null, revision: 0, keys: null };

export const restoreCommand = command({
  name: 'restore',
  about: 'put a backup in the place of the SQLite database',
  arguments: [argument('<file>', 'a copy that `backup` made', parseFileName)],
  // The command says what is wanted, and a script that puts a backup back must not fail.
  yes: 'do not ask; without a terminal, it never asks',
  examples: ['restore /backup/changelog.db'],
  run: async (cli, flags: { yes?: boolean }, file: string) => {
    const place = await primaryOf(cli);
    const { engine, url, name: database } = place;
    if (engine.ownTools !== null) throw ownToolError('restores', engine.ownTools.restore(url, file));
    const { isUsable, keepOld, openCopy, requireCopy, requireOwnSchema, writeContent } = await loadCopies();
    const backup = path.resolve(cli.folder, file);
    requireCopy(database, backup, file);
    const asks = !flags.yes && cli.ask !== undefined;
    const agreed = await lookAt(cli, place);
    if (agreed.description !== null && asks) await confirm(cli, agreed.description, 'replace');

    const prepare = async (copy: string) => {
      await copyFile(backup, copy);
      const prepared = await withDamage(file, async () => {
        await using db = openCopy(copy);
        await requireRestorable(cli, db, engine, file);
        return await db.transaction().execute(async (trx) => {
          const steps = await migrate(trx, { database: file });
          await advancePast(trx, agreed.revision);
          await keepAnnounced(place, trx);
          const content = await countAll(asReader(trx));
          return { steps, content, working: await listWorkingKeys(trx, cli.now()) };
        });
      });
      const statements = STEPS.flatMap(({ sqlite }) => sqlite);
      requireOwnSchema(copy, file, statements);
      const { description, keys } = await lookAt(cli, place);
      if (asks && description !== null && description !== agreed.description)
        throw notAgreedError(description, 'replace');
      const { steps, content, working } = prepared;
      return {
        database,
        file,
        bytes: statSync(copy).size,
        content,
        // Disabled or deleted since the backup, or ended.
        revivedKeys: working.filter((id) => keys?.includes(id) === false),
        lostKeys: (keys ?? []).filter((id) => !working.includes(id)),
        steps,
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
    const restored = `Restored ${escapeName(database)} from ${escapeName(file)} (${formatMib(bytes)})`;
    return [
      `${restored}${counts && `: ${counts}`}.`,
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

async function lookAt(cli: Cli, { engine, url, name }: Place): Promise<Present> {
  if (!engine.exists(url)) return NOTHING;
  try {
    await using db = engine.openReader(url, {});
    if ((await schemaState(db)) === 'empty') return NOTHING;
    // A database of another program must not be replaced.
    await requireOwnTables(db, name);
    const counts = formatContent(await countAll(db));
    const description = counts === '' ? null : `${name} (${counts})`;
    return { description, revision: await findRevision(db), keys: await listWorkingKeys(db, cli.now()) };
  } catch (error) {
    const damage = damageOf(error);
    if (damage === null) throw error;
    return { ...NOTHING, description: `${name} (damaged: ${damage})` };
  }
}

/** Throws unless this version of the program can serve the copy, if need be after an update of its schema. */
async function requireRestorable(cli: Cli, db: Writer, engine: Engine, name: string): Promise<void> {
  const damage = await engine.checkIntegrity(asReader(db));
  if (damage !== null) throw damagedError(name, damage);
  const state = await schemaState(db);
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
  await prepareToMigrate(db, { database: name });
}

async function withDamage<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const damage = damageOf(error);
    throw damage === null ? error : damagedError(name, damage);
  }
}

const damagedError = (name: string, damage: string) =>
  new Refusal(`${name} is damaged: ${damage}. Restore an older backup.`);

/** Not from a database that is damaged or has another schema. */
async function keepAnnounced({ engine, url }: Place, trx: Writer): Promise<void> {
  if (!engine.exists(url)) return;
  try {
    await using present = engine.openReader(url, {});
    if ((await schemaState(present)) === 'current') await carryOverDeliveries(present, trx);
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
