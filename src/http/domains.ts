// The host names of public products, so that a request's `Host` chooses a product (R60). Hidden products have none here:
// theirs are as unknown as one that nobody declared.
import { andThen, type MaybePromise, orElse } from '../domain/maybe-promise.ts';
import { type DeclaredDomain, listDomains } from '../store/read/lists/listing.ts';
import type { Source } from '../store/source/source.ts';
import { countPublicWrites } from './public-writes.ts';

export type Domains = Readonly<{
  /** Null for a host that no public product declares: it is the instance's own. */
  find: (host: string | undefined) => MaybePromise<DeclaredDomain | null>;
  /** Reads them, unless they are known. */
  load: () => MaybePromise<Declared>;
}>;

type Declared = ReadonlyMap<string, DeclaredDomain>;

/** No product can take the host of `BASE_URL`, where everything else is. */
export function createDomains(source: Source, baseUrl: () => string): Domains {
  let declared: Declared = new Map();
  let readAt: number | null = null;
  let reading: Promise<Declared> | null = null;
  const own = createOwnHost(baseUrl);
  const writes = countPublicWrites(source);

  /** One query after a public write, for all requests that wait for it. */
  function current(): MaybePromise<Declared> {
    const startedAt = writes();
    if (readAt === startedAt) return declared;
    if (reading !== null) return reading;
    const revision = source.revision('public');
    const read = orElse(
      () =>
        andThen(source.read(listDomains), (rows) => {
          declared = new Map((rows.found ?? []).map((row) => [row.domain, row]));
          // Rows from before a known write do not count as current.
          readAt = rows.revision >= revision ? startedAt : null;
          return declared;
        }),
      // The last ones known still count while the database is down (R30).
      () => declared,
    );
    if (!(read instanceof Promise)) return read;
    reading = read.finally(() => {
      reading = null;
    });
    return reading;
  }

  const load = () => andThen(source.isConfirmed(), current);

  return {
    load,
    find: (host) => {
      if (host === undefined || own.isExactly(host)) return null;
      const name = nameOf(host);
      if (name === null || own.hasName(name)) return null;
      return andThen(load(), (known) => known.get(name) ?? null);
    },
  };
}

/** The name in a `Host` with or without a port. Addresses and names of one label cannot be declared. */
const DOMAIN = /^((?=[\d.]*[a-z-])[a-z\d-]+(?:\.[a-z\d-]+)+)(?::\d*)?$/i;

function nameOf(host: string): string | null {
  return DOMAIN.exec(host)?.[1]?.toLowerCase() ?? null;
}

function createOwnHost(baseUrl: () => string) {
  let parsedFrom: string | null = null;
  let url: URL | null = null;
  const current = () => {
    const text = baseUrl();
    if (text !== parsedFrom) url = URL.parse(text);
    parsedFrom = text;
    return url;
  };
  return {
    isExactly: (host: string) => host === current()?.host,
    hasName: (name: string) => name === current()?.hostname,
  };
}
