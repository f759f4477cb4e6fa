// A database file that does not exist is more often the wrong path than a wish for a new database.
import { COMMAND } from '../command-name.ts';
import { type Environment, findSetting, SETTINGS, withDotEnv } from '../config.ts';
import { Refusal } from '../errors.ts';
import { escapeName } from './terminal/plain.ts';

const { variable: VARIABLE } = SETTINGS.databaseUrls;

type Place = Readonly<{ environment: Environment; folder: string }>;

/** The variable that sets the database, and where; null if none does. */
export function databaseUrlSource({ environment, folder }: Place) {
  const found = findSetting(withDotEnv(environment, folder), VARIABLE);
  if (found === null) return null;
  return { ...found, place: environment[found.name] === undefined ? '.env' : 'environment' } as const;
}

export function missingDatabaseError(place: Place, file: string, mayCreate: boolean): Refusal {
  const source = databaseUrlSource(place);
  const reason =
    source === null
      ? `the default in this directory, because ${VARIABLE} is not set`
      : `${source.name} is set in ${source.place === '.env' ? '.env in this directory' : 'the environment'}`;
  const ways = mayCreate
    ? `\`${COMMAND} init\`, \`${COMMAND} migrate\` or \`${COMMAND} import --create\``
    : `\`${COMMAND} migrate\``;
  return new Refusal(
    `there is no database at ${file} (${reason}). If a server has one elsewhere, use the ${VARIABLE}, the directory and the user of that server; ${ways} would create a new one.`,
  );
}

export function sayCreated({ say }: { say: (text: string) => void }): (database: string) => void {
  return (database) => say(`changelog: ${escapeName(describeCreated(database))}`);
}

export function describeCreated(database: string): string {
  return `created ${database}; was that meant? If there is another database, set ${VARIABLE} to it, or run this in its directory.`;
}
