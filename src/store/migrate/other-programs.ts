// Tables of other programs: a database may belong to an application that the user did not mean to share.
import { COMMAND } from '../../command-name.ts';
import { Refusal } from '../../errors.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Reader, Writer } from '../engine/engine.ts';
import { STEPS } from './steps.ts';

const NAMES_SHOWN = 5;
const CREATED = /\bcreate (?:or replace |unique |virtual )?(?:table|view|index|trigger|function) "?(\w+)/g;

export async function listTables(db: Reader | Writer): Promise<string[]> {
  const { rows } = await dialectOf(db).catalogue.names.execute(db as Writer);
  return rows.filter(({ isTable }) => isTable).map(({ name }) => name);
}

export async function otherProgramError(db: Reader | Writer, database: string): Promise<Refusal> {
  const place =
    dialectOf(db).catalogue.place === null ? '' : 'a schema of its own (?schema=NAME in the URL) or ';
  return new Refusal(
    `${database} has tables of another program (${formatNames(await listTables(db))}) and none of this one; nothing was changed. Set CHANGELOG_DATABASE_URL to another database, or, to share that one, use ${place}\`${COMMAND} migrate --into-existing\`.`,
  );
}

/** Throws if new tables have no place, or if a name is taken that the steps need, even if a later one drops it again. */
export async function requireRoom(db: Writer, database: string, stepsTable: string): Promise<void> {
  const { engine, catalogue } = dialectOf(db);
  const { schema, path } = (await catalogue.place?.execute(db))?.rows[0] ?? {};
  if (schema === null)
    throw new Refusal(
      `${database} has no schema ${path}: create it with \`create schema\`, or correct DATABASE_URL.`,
    );
  const statements = STEPS.flatMap((step) => step[engine]);
  const created = statements.flatMap((text) => [...text.matchAll(CREATED)].map(([, name = '']) => name));
  const { rows } = await catalogue.names.execute(db);
  const taken = new Set(rows.map(({ name }) => name)).intersection(new Set([...created, stepsTable]));
  if (taken.size === 0) return;
  const place = catalogue.place === null ? '' : ', or a schema of its own (?schema=NAME in the URL)';
  throw new Refusal(
    `${database} already has ${formatNames([...taken])} of another program, and this one needs the same names; nothing was changed. Use another database${place}.`,
  );
}

function formatNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN);
  const more = names.length - shown.length;
  return new Intl.ListFormat('en-GB').format([...shown, ...(more > 0 ? [`${more} more`] : [])]);
}
