// The commands of PostgreSQL's own tools, without the password.
import { quoteName, schemaOf } from './url.ts';

export function dumpCommand(url: URL, file: string): string[] {
  const schema = schemaOf(url);
  // A pattern, unless it is quoted.
  const ofSchema = schema === null ? [] : [`--schema=${quoteName(schema)}`];
  return ['pg_dump', ...databaseOptions(url), ...ofSchema, `--file=${file}`];
}

/** Replaces the tables, or changes nothing. */
export function restoreCommand(url: URL, file: string): string[] {
  return ['pg_restore', ...databaseOptions(url), '--clean', '--if-exists', '--single-transaction', file];
}

function databaseOptions({ hostname, port, username, pathname, searchParams }: URL): string[] {
  // A host in the query is the directory of a socket.
  const host = searchParams.get('host') ?? hostname.replaceAll(/[[\]]/g, '');
  const options = {
    format: 'custom',
    host,
    port: searchParams.get('port') ?? port,
    username: searchParams.get('user') ?? decodeName(username),
    dbname: decodeName(pathname.slice(1)),
  };
  return Object.entries(options)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `--${name}=${value}`);
}

/** Like the driver, which takes a % that encodes nothing for itself. */
function decodeName(text: string): string {
  return decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, '%25'));
}
