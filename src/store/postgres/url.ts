// What the URL of a database says besides where it is, and the commands of PostgreSQL's own tools for it.

/** The schema of our tables, in a database that an application shares. By default, the user's `search_path` decides. */
function schemaOf(url: string): string | null {
  return new URL(url).searchParams.get('schema') || null;
}

/** With it, a connection uses that schema and no other. */
export function schemaSetting(url: string): Readonly<Record<string, string>> {
  const schema = schemaOf(url);
  return schema === null ? {} : { search_path: quoteName(schema) };
}

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Without credentials. */
export function describeUrl(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  const schema = schemaOf(url);
  return `${hostname || 'localhost'}:${port || 5432}${pathname}${schema === null ? '' : `?schema=${schema}`}`;
}

/** Gives `sslmode` the meaning that it has for other clients, instead of the library's own with a warning. */
export function withUsualSsl(url: string): string {
  const { searchParams } = new URL(url);
  return searchParams.has('sslmode') && !searchParams.has('uselibpqcompat')
    ? `${url}&uselibpqcompat=true`
    : url;
}

/** Without the password, like the next. */
export function dumpCommand(url: string, file: string): string[] {
  const schema = schemaOf(url);
  // A pattern, unless it is quoted.
  const ofSchema = schema === null ? [] : [`--schema=${quoteName(schema)}`];
  return ['pg_dump', ...databaseOptions(url), ...ofSchema, `--file=${file}`];
}

/** Replaces the tables, or changes nothing. */
export function restoreCommand(url: string, file: string): string[] {
  return ['pg_restore', ...databaseOptions(url), '--clean', '--if-exists', '--single-transaction', file];
}

function databaseOptions(url: string): string[] {
  const { hostname, port, username, pathname, searchParams } = new URL(url);
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
