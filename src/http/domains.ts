// What is known of public products without a read for each request: their host names, so that a request's `Host` chooses
// a product (R60), and the languages of their errors. Hidden products have neither here, like ones that nobody declared.
import { LRUCache } from 'lru-cache';
import { visibleRows } from '../domain/access/visibility.ts';
import { DEFAULT_LANGUAGE } from '../domain/content/appearance.ts';
import { andThen, type MaybePromise } from '../domain/maybe-promise.ts';
import { touchesOn } from '../store/engine/touches.ts';
import { type DeclaredDomain, listDomains } from '../store/read/lists/listing.ts';
import { findLanguage, type ProductPath } from '../store/read/reads.ts';
import type { Source } from '../store/source/source.ts';

type Declared = ReadonlyMap<string, DeclaredDomain>;

/** No product can take the host of `BASE_URL`, where everything else is. */
export function createDomains(source: Source, baseUrl: () => string) {
  let declared: Declared = new Map();
  let readAt: number | null = null;
  let reading: Promise<Declared> | null = null;
  let own = { url: '', host: '', hostname: '' };
  const writes = countPublicWrites(source);

  /** Parsed once: a URL makes its parts each time that they are read. */
  function ownHost(): typeof own {
    const url = baseUrl();
    if (url === own.url) return own;
    const { host = '', hostname = '' } = URL.parse(url) ?? {};
    own = { url, host, hostname };
    return own;
  }

  /** Reads them, unless they are known: one query after a public write, for all requests that wait for it. */
  async function load(): Promise<Declared> {
    await source.isConfirmed();
    if (readAt === writes()) return declared;
    reading ??= read().finally(() => {
      reading = null;
    });
    return await reading;
  }

  async function read(): Promise<Declared> {
    const startedAt = writes();
    const revision = source.revision('public');
    try {
      const rows = await source.read(listDomains);
      declared = new Map((rows.found ?? []).map((row) => [row.domain, row]));
      // Rows from before a known write do not count as current.
      readAt = rows.revision >= revision ? startedAt : null;
    } catch {
      // The last ones known still count while the database is down (R30).
    }
    return declared;
  }

  const findLater = async (name: string) => (await load()).get(name) ?? null;

  return {
    load,
    /** Null for a host that no public product declares: it is the instance's own. */
    find: (host: string | undefined): MaybePromise<DeclaredDomain | null> => {
      if (host === undefined || host === ownHost().host) return null;
      const name = nameOf(host);
      if (name === null || name === own.hostname) return null;
      return andThen(source.isConfirmed(), () =>
        readAt === writes() ? (declared.get(name) ?? null) : findLater(name),
      );
    },
  };
}

/** The name in a `Host` with or without a port. Addresses and names of one label cannot be declared. */
const DOMAIN = /^((?=[\d.]*[a-z-])[a-z\d-]+(?:\.[a-z\d-]+)+)(?::\d*)?$/i;

/** Null for a host that no product can declare. */
const nameOf = (host: string) => DOMAIN.exec(host)?.[1]?.toLowerCase() ?? null;

/** Changes with each public write. A revision would not: another database in its place may have the same one. */
function countPublicWrites(source: Source): () => number {
  let writes = 0;
  source.onTouched((touches) => {
    if (touchesOn('public', touches).length > 0) writes++;
  });
  return () => writes;
}

const PUBLIC_ROWS = visibleRows('public');

export type Languages = ReturnType<typeof createLanguages>;

export function createLanguages(source: Source) {
  /** After each one, nothing is known. */
  const writes = countPublicWrites(source);
  /** No language is the empty one. */
  const known = new LRUCache<string, string>({ max: 1_000 });
  const keyAt = (at: number, { team, product }: ProductPath) => `${at} ${team}/${product}`;
  return {
    /** English unless it is known, without a read. */
    of: (path: ProductPath): string => known.get(keyAt(writes(), path)) || DEFAULT_LANGUAGE,
    /** Takes note of what a read found that began after this many public writes. */
    note: (path: ProductPath, language: string, at: number) => void known.set(keyAt(at, path), language),
    writes,
    /** Reads it if it is not known. A hidden product takes as long as none, and has no language either (R9). */
    learn: async (path: ProductPath): Promise<void> => {
      const key = keyAt(writes(), path);
      if (known.has(key)) return;
      try {
        known.set(key, (await source.read((db) => findLanguage(db, path, PUBLIC_ROWS))) ?? '');
      } catch {
        // The error is what matters; it is in English then.
      }
    },
  };
}
