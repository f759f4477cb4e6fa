import { chmodSync, chownSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { COMMAND } from '../../../command-name.ts';
import { Refusal } from '../../../errors.ts';
import { carryOverDeliveries } from '../../../hooks/store/hooks.ts';
import { makeFolder } from '../../../make-folder.ts';
import { countAll } from '../../../store/catalogue/catalogue.ts';
import { asReader, type Engine, type Writer } from '../../../store/engine/engine.ts';
import { damageOf } from '../../../store/engine/failures.ts';
import { engineOf, loadCopies } from '../../../store/engine/open.ts';
import { advancePast, findRevision } from '../../../store/engine/revisions.ts';
import {
  migrate,
  prepareToMigrate,
  requireOwnTables,
  STEPS,
  schemaState,
} from '../../../store/migrate/migrate.ts';
import { listWorkingKeys } from '../../../store/write/keys.ts';
import { parseFileName, withExamples, withJson } from '../../arguments.ts';
import { type Cli, configOf, printResult } from '../../cli.ts';
import { confirm, formatCounts, notAgreedError } from '../../confirm.ts';
import { replaceFile, resolveTarget, withTemporaryFile } from '../../files/write-file.ts';
import { escapeName } from '../../terminal/plain.ts';
import { formatMib } from '../../terminal/progress.ts';
import { ownToolError, runCopy } from './copying.ts';

const OWNER_ONLY = 0o600;
const PERMISSIONS = 0o777;
const ROOT = 0;

type Counts = Awaited<ReturnType<typeof countAll>>;
type Restored = Readonly<{
  database: string;
  file: string;
  bytes: number;
  content: Counts;
  /** Keys that work now and did not before: they were disabled or deleted since the backup, or ended. */
  revivedKeys: readonly string[];
  /** Keys that worked before and are not in the backup, or do not work there. */
  lostKeys: readonly string[];
  /** The steps that updated the schema of the backup. */
  steps: readonly string[];
  /** Where the files of a damaged database are now. */
  kept: string | null;
}>;
/** Null as a description: nothing would be lost. Null as the keys that work: unknown, or none were ever made. */
type Present = Readonly<{ description: string | null; revision: number; keys: readonly string[] | null }>;
const NOTHING: Present = { description: null, revision: 0, keys: null };
/** How many keys are named. */
const NAMED_MAX = 5;

export function addRestore(program: Command, cli: Cli): void {
  withExamples(withJson(program.command('restore')), 'restore /backup/changelog.db')
    .description('put a backup in the place of the SQLite database, also while it is served')
    .argument('<file>', 'a copy that `backup` made', parseFileName)
    .option('--yes', 'do not ask; without a terminal, it never asks')
    .action(async (file: string, options: { yes?: boolean; json?: boolean }) => {
      // The command says what is wanted, and a script that puts a backup back must not fail.
      const flags = cli.ask === undefined ? { yes: true } : options;
      const restored = await restore(cli, file, flags);
      printResult(cli, options, restored, () => describe(restored));
    });
}

async function restore(cli: Cli, file: string, { yes = false }): Promise<Restored> {
  const { databaseUrls, autoMigrate } = configOf(cli);
  const [url] = databaseUrls;
  const engine = await engineOf(url);
  if (engine.ownTools !== null) throw ownToolError('restores', engine.ownTools.restore(url, file));
  const { isUsable, keepOld, openCopy, requireCopy, requireOwnSchema, writeContent } = await loadCopies();
  const backup = path.resolve(cli.folder, file);
  const database = engine.describe(url);
  requireCopy(database, backup, file);
  const agreed = await lookAt(cli, engine, url);
  if (agreed.description !== null && !yes) await confirm(cli, agreed.description, 'replace');

  const target = resolveTarget(cli.folder, database);
  const copying = { what: `restoring ${database}`, target: database, advice: '' };
  return await runCopy(cli, copying, async (onCopied) => {
    const prepare = async (copy: string) => {
      await copyFile(backup, copy);
      const { working, ...prepared } = await prepareCopy(engine, () => openCopy(copy), {
        name: file,
        autoMigrate,
        past: agreed.revision,
        url,
        now: cli.now(),
      });
      const statements = STEPS.flatMap(({ sqlite }) => sqlite);
      requireOwnSchema(copy, file, statements);
      const { description, keys } = await lookAt(cli, engine, url);
      if (!yes && description !== null && description !== agreed.description)
        throw notAgreedError(description, 'replace');
      const revivedKeys = keys === null ? [] : without(working, keys);
      const lostKeys = without(keys ?? [], working);
      return { database, file, bytes: statSync(copy).size, ...prepared, revivedKeys, lostKeys };
    };
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
      const kept = keepOld(database, `.damaged-${cli.now().replaceAll(/[-:]|\.\d+/g, '')}`);
      return { ...restored, kept };
    });
  });
}

async function lookAt(cli: Cli, engine: Engine, url: string): Promise<Present> {
  const database = engine.describe(url);
  if (!engine.exists(url)) return NOTHING;
  try {
    await using db = engine.openReader(url, {});
    if ((await schemaState(db)) === 'empty') return NOTHING;
    // A database of another program must not be replaced.
    await requireOwnTables(db, database);
    const counts = formatContent(await countAll(db));
    const description = counts === '' ? null : `${database} (${counts})`;
    return { description, revision: await findRevision(db), keys: await listWorkingKeys(db, cli.now()) };
  } catch (error) {
    const damage = damageOf(error);
    if (damage === null) throw error;
    return { ...NOTHING, description: `${database} (damaged: ${damage})` };
  }
}

type Preparation = Readonly<{ name: string; autoMigrate: boolean; past: number; url: string; now: string }>;

/** Throws unless the copy can be served by this version of the program, if need be after an update of its schema. */
async function prepareCopy(
  engine: Engine,
  open: () => Writer,
  { name, autoMigrate, past, url, now }: Preparation,
) {
  try {
    await using db = open();
    const damage = await engine.checkIntegrity(asReader(db));
    if (damage !== null) throw damagedError(name, damage);
    const state = await schemaState(db);
    if (state === 'empty' || state === 'foreign')
      throw new Refusal(`${name} has no tables of this program; name a file that \`backup\` made.`);
    if (state === 'newer')
      throw new Refusal(
        `${name} was made by a newer version of this program: restore it with that version or a later one.`,
      );
    if (state === 'behind' && !autoMigrate)
      throw new Refusal(
        `${name} has an older schema, and AUTO_MIGRATE is false: restore it with AUTO_MIGRATE=true, which updates the schema.`,
      );
    await prepareToMigrate(db, { database: name });
    return await db.transaction().execute(async (trx) => {
      const steps = await migrate(trx, { database: name });
      await advancePast(trx, past);
      await keepAnnounced(engine, url, trx);
      return { steps, content: await countAll(asReader(trx)), working: await listWorkingKeys(trx, now) };
    });
  } catch (error) {
    const damage = damageOf(error);
    throw damage === null ? error : damagedError(name, damage);
  }
}

/** Not from a database that is damaged or has another schema. */
async function keepAnnounced(engine: Engine, url: string, trx: Writer): Promise<void> {
  if (!engine.exists(url)) return;
  try {
    await using present = engine.openReader(url, {});
    if ((await schemaState(present)) === 'current') await carryOverDeliveries(present, trx);
  } catch (error) {
    if (damageOf(error) === null) throw error;
  }
}

const damagedError = (name: string, damage: string) =>
  new Refusal(`${name} is damaged: ${damage}. Restore an older backup.`);

/** The server must be able to open a file that root has put there. */
function takeOwner(copy: string, target: string): void {
  const old = statSync(target, { throwIfNoEntry: false });
  const { uid, gid } = old ?? statSync(path.dirname(target));
  if (process.getuid?.() === ROOT) chownSync(copy, uid, gid);
  chmodSync(copy, old === undefined ? OWNER_ONLY : old.mode & PERMISSIONS);
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  const rest = new Set(ids).difference(new Set(others));
  return [...rest];
}

function describe({ database, file, bytes, content, steps, kept, ...keys }: Restored): string {
  const counts = formatContent(content);
  return [
    `Restored ${escapeName(database)} from ${escapeName(file)} (${formatMib(bytes)})${counts === '' ? '' : `: ${counts}`}.`,
    ...(steps.length === 0 ? [] : [`Updated the schema: ${steps.join(', ')}.`]),
    ...(keys.revivedKeys.length === 0
      ? []
      : [
          `Keys that did not work before, and work now: ${nameKeys(keys.revivedKeys)}. \`${COMMAND} key disable ID\` disables one.`,
        ]),
    ...(keys.lostKeys.length === 0 ? [] : [`Keys that no longer work: ${nameKeys(keys.lostKeys)}.`]),
    ...(kept === null ? [] : [`Kept the damaged database as ${escapeName(kept)}.`]),
  ].join('\n');
}

function nameKeys(ids: readonly string[]): string {
  const more = ids.length - NAMED_MAX;
  return ids.slice(0, NAMED_MAX).join(', ') + (more > 0 ? ` and ${more.toLocaleString('en')} more` : '');
}

function formatContent({ teams, products, versions, keys }: Counts): string {
  return formatCounts({ team: teams, product: products, version: versions, 'API key': keys });
}
