// Arguments of `pg_dump`.
import { quoteName, schemaOf } from './url.ts';

/** Without the password. */
export function dumpOptions(url: URL): string[] {
  const { hostname, port, username, pathname, searchParams } = url;
  const schema = schemaOf(url);
  // A host in the query is the directory of a socket.
  const host = searchParams.get('host') ?? hostname.replaceAll(/[[\]]/g, '');
  const options = {
    format: 'custom',
    host,
    port: searchParams.get('port') ?? port,
    username: searchParams.get('user') ?? decodeName(username),
    dbname: decodeName(pathname.slice(1)),
    // A pattern, unless it is quoted.
    schema: schema === null ? '' : quoteName(schema),
  };
  return Object.entries(options)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `--${name}=${value}`);
}

/** Like the driver, which takes a % that encodes nothing for itself. */
function decodeName(text: string): string {
  return decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, '%25'));
}
