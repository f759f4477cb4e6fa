// The ids of new versions. They are random, but ordered where clients see their order: versions with the same
// `publishedAt` are listed by id (R12). Those of one document must be listed in its order, and those of a later document
// before them, because newer versions come first.
//
// So new published versions that share a date get a sorted random sample: from all ids or, if published versions have
// that date already, from the ids below the lowest of those. Drafts are left out. They get an unrelated random id and are
// never looked up, so hidden versions leave no trace in public ids (R9).
import { sql } from 'kysely';
import type { VersionContent } from '../../domain/content/content.ts';
import { batches } from '../engine/batches.ts';
import type { Writer } from '../engine/engine.ts';
import { type DrawDigits, drawDigits, formatId, ID_DIGITS, newId } from './ids.ts';

const ALL_IDS = 1n << 128n;
/** With fewer ids left below, two could collide; the order between documents is given up instead. */
const IDS_BELOW_MIN = 1n << 64n;

type IdOptions = Readonly<{
  now: string;
  /** The lowest id among the published versions that have a date already. */
  lowest?: ReadonlyMap<string, string>;
  draw?: DrawDigits;
}>;

/** An id for each new version of a document. */
export function idsOfNew(
  versions: readonly VersionContent[],
  { now, lowest = new Map(), draw = drawDigits }: IdOptions,
): string[] {
  const ids = versions.map(() => newId('version'));
  for (const [date, places] of Map.groupBy(ids.keys(), (place) => dateOf(versions[place], now))) {
    if (date === null) continue;
    const end = endBelow(lowest.get(date));
    const sample = places.map(() => {
      const id = (BigInt(`0x${draw()}`) * end) >> 128n;
      return formatId('version', id.toString(16).padStart(ID_DIGITS, '0'));
    });
    for (const [index, id] of sample.sort().entries()) ids[places[index] as number] = id;
  }
  return ids;
}

/** The date by which a version is listed, or null if its id is given or it is not public. */
function dateOf(version: VersionContent | undefined, now: string): string | null {
  if (version === undefined || version.id !== undefined || version.status !== 'published') return null;
  return version.publishedAt ?? now;
}

const RANDOM_ID = new RegExp(`^${formatId('version', `([0-9a-f]{${ID_DIGITS}})`)}$`);

/** The bound for ids that must sort before this one; the end of the range if there is too little space below it. */
function endBelow(id = ''): bigint {
  const [, digits] = RANDOM_ID.exec(id) ?? [];
  const end = digits === undefined ? ALL_IDS : BigInt(`0x${digits}`);
  return end < IDS_BELOW_MIN ? ALL_IDS : end;
}

/** The lowest id of the changelog for each date of new versions. */
export async function listLowestIds(
  trx: Writer,
  changelogId: string,
  versions: readonly VersionContent[],
  now: string,
): Promise<Map<string, string>> {
  const lowest = new Map<string, string>();
  const dates = new Set(versions.flatMap((version) => dateOf(version, now) ?? []));
  for (const some of batches(dates)) {
    const { rows } = await sql<{ date: string; id: string | null }>`
      with dates (date) as (values ${sql.join(some.map((date) => sql`(${date})`))})
      select date, (select id from versions where changelog_id = ${changelogId} and status = 'published'
        and published_at = date order by id limit 1) as id from dates`.execute(trx);
    for (const { date, id } of rows) if (id !== null) lowest.set(date, id);
  }
  return lowest;
}
