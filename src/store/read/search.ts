// The versions of a changelog with some words (R32). The full-text index has the published texts of a public changelog.
// What it does not have is read and compared: drafts, hidden changelogs, and words of scripts without spaces.
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { type FeedPosition, type FeedQuery, hasWords, type SearchWords } from '../../domain/feed-query.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import { batches } from '../engine/batches.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import {
  type ChangelogIndex,
  chooseVersions,
  type IndexedVersion,
  indexesOf,
  requireSameState,
} from './index.ts';
import { type AtState, lastWrite, type ProductPath, prepareAt } from './reads.ts';

const COMPARED_VERSIONS = 100;
/** Read at a time, because a version may have thousands of changes: other requests are served in between. */
const READ_VERSIONS = 20;

/** Not complete if there were too many texts to compare. */
type Searched = Readonly<{ versions: IndexedVersion[]; isComplete: boolean }>;

type SearchOptions = Readonly<{
  /** How many versions to find at most. */
  limit: number;
  /** How many versions to compare at most. */
  comparedMax?: number;
}>;

/** The versions that pass all filters, in the order of the changelog, up to a limit. */
export async function searchVersions(
  db: Reader,
  { team, product }: ProductPath,
  visible: VisibleRows,
  index: ChangelogIndex,
  query: FeedQuery & Readonly<{ words: SearchWords }>,
  { limit, comparedMax = Number.POSITIVE_INFINITY }: SearchOptions,
): Promise<Searched> {
  const { words } = query;
  const versions: IndexedVersion[] = [];
  if (words.phrases.length + words.within.length === 0) return { versions, isComplete: true };
  const path = { team, product };
  const found = index.isSearchable ? await findPhrases(db, path, visible, index, words.phrases) : null;
  const isIndexed = (version: IndexedVersion) => found !== null && version.isPublished;
  const isKnown = (version: IndexedVersion) => words.within.length === 0 && isIndexed(version);
  const mayHave = (version: IndexedVersion) =>
    !isIndexed(version) || found?.every((ids) => ids.has(version.id)) === true;
  const options = { limit: COMPARED_VERSIONS, mayHave };
  let compared = 0;
  for (let after: FeedPosition | null = query.after; ; ) {
    const part: IndexedVersion[] = chooseVersions(index, { ...query, after }, options);
    const unknown = part.filter((version) => !isKnown(version));
    compared += unknown.length;
    const matching = new Set(unknown.length === 0 ? [] : await withWords(db, unknown, words));
    versions.push(...part.filter((version) => isKnown(version) || matching.has(version)));
    const isEnd = part.length < COMPARED_VERSIONS || versions.length >= limit || compared >= comparedMax;
    if (isEnd) return { versions: versions.slice(0, limit), isComplete: compared < comparedMax };
    after = part.at(-1) ?? null;
  }
}

/** The ids of the published versions with each phrase, those of the rarest one first. */
async function findPhrases(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
  index: ChangelogIndex,
  phrases: readonly (readonly string[])[],
): Promise<Ids[]> {
  const { formatPhrase, parts, sliceRows } = dialectOf(db).search;
  const indexes = indexesOf.get(db);
  const known = foundBefore.get(index) ?? keptFor(index);
  foundBefore.set(index, known);
  const found: Ids[] = [];
  for (const words of phrases) {
    const before = known.get(words.join(' '));
    if (before !== undefined) {
      found.push(before);
      continue;
    }
    const ids = new Set<string>();
    for (const part of parts.keys()) {
      for (let after = 0, isWhole = false; !isWhole; ) {
        const values = { ...path, phrase: formatPhrase(words), after };
        const { found: read } = await readMatches(db, values, visible, { part });
        if (indexes !== undefined) indexes.slices++;
        const { matches } = requireSameState(index, read);
        const rows = JSON.parse(matches) as { place: number; id: string }[];
        for (const { id } of rows) ids.add(id);
        after = rows.at(-1)?.place ?? 0;
        isWhole = sliceRows === null || rows.length < sliceRows;
        if (!isWhole) await yieldToEventLoop();
      }
    }
    known.set(words.join(' '), ids);
    found.push(ids);
  }
  return found.sort((one, other) => one.size - other.size);
}

/** Pages and their count look for the same. They count as part of the index: as two ids for each version. */
const keptFor = ({ versions }: ChangelogIndex) =>
  new LRUCache<string, Ids>({ maxSize: 2 * versions.length + 50, sizeCalculation: ({ size }) => size + 2 });
const foundBefore = new WeakMap<ChangelogIndex, LRUCache<string, Ids>>();
type Ids = ReadonlySet<string>;

type MatchValues = ProductPath & Readonly<{ phrase: string; after: number }>;
type FoundMatches = AtState & Readonly<{ matches: string }>;

const readMatches = prepareAt<MatchValues, FoundMatches, Readonly<{ part: number }>>(
  (db, { phrase, after }, visible, { part }) => {
    const { search, rowsAsJson } = dialectOf(db);
    const matches = search.parts[part]?.(sql`${phrase}`, sql`${after}`) ?? sql``;
    return {
      matches: rowsAsJson(
        { place: 'matches.place', id: 'matches.version_id' },
        sql`from (${matches}) matches`,
      ),
      writtenAt: lastWrite(db, visible),
    };
  },
);

/** Those of some versions, which may be read, whose texts have the words. A version's own texts are one. */
export async function withWords<T extends Readonly<{ id: string }>>(
  db: Reader,
  versions: readonly T[],
  words: SearchWords,
): Promise<T[]> {
  const texts = new Map<string, string[]>(versions.map(({ id }) => [id, []]));
  for (const some of batches(texts.keys(), READ_VERSIONS)) {
    for (const { id, text } of await selectTexts(db, { ids: JSON.stringify(some) }))
      texts.get(id)?.push(text);
    await yieldToEventLoop();
  }
  return versions.filter(({ id }) => hasWords(texts.get(id) ?? [], words));
}

const selectTexts = prepare((db, { ids }: Readonly<{ ids: string }>) => {
  const wanted = dialectOf(db).textsOf(sql`${ids}`);
  return sql<{
    id: string;
    text: string;
  }>`select v.id, v.label || ${sql.lit('\n')} || v.title || ${sql.lit('\n')}
      || coalesce(v.description, '') as text
    from ${wanted} wanted cross join versions v where v.id = wanted.value
    union all select c.version_id, c.text
    from ${wanted} wanted cross join changes c where c.version_id = wanted.value`;
});
