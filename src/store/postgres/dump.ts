// Arguments of `pg_dump`.

/** Without the password. */
export function dumpOptions({ hostname, port, username, pathname, searchParams }: URL): string[] {
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
