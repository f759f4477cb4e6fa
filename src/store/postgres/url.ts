// What the URL of a database says besides where it is.

/** The schema of our tables, in a database that an application shares. By default, the user's `search_path` decides. */
export function schemaOf({ searchParams }: URL): string | null {
  return searchParams.get('schema') || null;
}

/** With it, a connection uses that schema and no other. */
export function schemaSetting(url: string): Readonly<Record<string, string>> {
  const schema = schemaOf(new URL(url));
  return schema === null ? {} : { search_path: quoteName(schema) };
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Without credentials. */
export function describeUrl(text: string): string {
  const url = new URL(text);
  const { hostname, port, pathname } = url;
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
