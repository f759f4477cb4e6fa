// What the URL of a database says besides where it is, and the commands of PostgreSQL's own tools for it.
import pg from 'pg';

/** The schema of our tables, in a database that an application shares. By default, the user's `search_path` decides. */
const schemaOf = (url: string) => new URL(url).searchParams.get('schema') ?? '';

/** With it, a connection uses that schema and no other. */
export const schemaSetting = (url: string) => schemaOf(url) && { search_path: quoteName(schemaOf(url)) };

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Without credentials. */
export function describeUrl(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  const schema = schemaOf(url);
  return `${hostname || 'localhost'}:${port || 5432}${pathname}${schema && `?schema=${schema}`}`;
}

/** Gives `sslmode` the meaning that it has for other clients, instead of the library's own with a warning. */
export const withUsualSsl = (url: string) => `${url}${url.includes('?') ? '&' : '?'}uselibpqcompat=true`;

/** Without the password, like the next. */
export function dumpCommand(url: string, file: string): string[] {
  const schema = schemaOf(url);
  // A pattern, unless it is quoted.
  const ofSchema = schema === '' ? [] : [`--schema=${quoteName(schema)}`];
  return ['pg_dump', ...databaseOptions(url), ...ofSchema, `--file=${file}`];
}

/** Replaces the tables, or changes nothing. */
export function restoreCommand(url: string, file: string): string[] {
  return ['pg_restore', ...databaseOptions(url), '--clean', '--if-exists', '--single-transaction', file];
}

function databaseOptions(url: string): string[] {
  const { host, port, user, database } = new pg.Client(withUsualSsl(url));
  const options = { format: 'custom', host, port, username: user, dbname: database };
  return Object.entries(options).flatMap(([name, value]) => (value ? `--${name}=${value}` : []));
}
