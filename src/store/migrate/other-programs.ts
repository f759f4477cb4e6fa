// Tables of other programs: a database may belong to an application that the user did not mean to share.
import { COMMAND } from '../../command-name.ts';
import { Refusal } from '../../errors.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Reader, Writer } from '../engine/engine.ts';
import { STEPS } from './steps.ts';

const NAMES_SHOWN = 5;
const CREATED = /\bcreate (?:or replace |unique |virtual )?(?:table|view|index|trigger|function) "?(\w+)/g;

/** The names of everything that a step creates, even if a later one drops it. */
function namesOfSteps(engine: 'sqlite' | 'postgres'): string[] {
  return STEPS.flatMap((step) => step[engine]).flatMap((statement) =>
    [...statement.matchAll(CREATED)].map(([, name = '']) => name),
  );
}

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

/** Throws if a name that the steps need is taken. */
export async function requireFreeNames(
  db: Reader | Writer,
  database: string,
  more: readonly string[],
): Promise<void> {
  const { engine, catalogue } = dialectOf(db);
  const { rows } = await catalogue.names.execute(db as Writer);
  const created = new Set([...namesOfSteps(engine), ...more]);
  const taken = [...new Set(rows.map(({ name }) => name))].filter((name) => created.has(name));
  if (taken.length === 0) return;
  const place = catalogue.place === null ? '' : ', or a schema of its own (?schema=NAME in the URL)';
  throw new Refusal(
    `${database} already has ${formatNames(taken)} of another program, and this one needs the same names; nothing was changed. Use another database${place}.`,
  );
}

function formatNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN);
  const more = names.length - shown.length;
  return new Intl.ListFormat('en-GB').format([...shown, ...(more > 0 ? [`${more} more`] : [])]);
}
