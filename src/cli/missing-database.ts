// A database file that does not exist is more often the wrong path than a wish for a new database.
import { COMMAND } from '../command-name.ts';
import { type Environment, SETTINGS, withDotEnv } from '../config.ts';
import { Refusal } from '../errors.ts';
import { escapeName } from './terminal/plain.ts';

const { variable: VARIABLE } = SETTINGS.databaseUrls;

type Place = Readonly<{ environment: Environment; folder: string }>;

/** Where `DATABASE_URL` is set; null if it is not. */
export function databaseUrlSource({ environment, folder }: Place): 'environment' | '.env' | null {
  if (environment[VARIABLE] !== undefined) return 'environment';
  return withDotEnv(environment, folder)[VARIABLE] === undefined ? null : '.env';
}

export function missingDatabaseError(place: Place, file: string, mayCreate: boolean): Refusal {
  const source = databaseUrlSource(place);
  const reason =
    source === null
      ? `the default in this directory, because ${VARIABLE} is not set`
      : `${VARIABLE} is set in ${source === '.env' ? '.env in this directory' : 'the environment'}`;
  const ways = mayCreate
    ? `\`${COMMAND} init\`, \`${COMMAND} migrate\` or \`${COMMAND} import --create\``
    : `\`${COMMAND} migrate\``;
  return new Refusal(
    `there is no database at ${file} (${reason}). If a server has one elsewhere, use the ${VARIABLE}, the directory and the user of that server; ${ways} would create a new one.`,
  );
}

/** Tells the user of a command that created a database. */
export function sayCreated({ say }: { say: (text: string) => void }): (database: string) => void {
  return (database) => say(`changelog: ${escapeName(describeCreated(database))}`);
}

export function describeCreated(database: string): string {
  return `created ${database}; was that meant? If there is another database, set ${VARIABLE} to it, or run this in its directory.`;
}
