// The ids of new versions. They are random, but ordered where clients see their order: versions with the same
// `publishedAt` are listed by id (R12). Those of one document must be listed in its order, and those of a later document
// before them, because newer versions come first.
//
// So new published versions that share a date get a sorted random sample: from all ids or, if published versions have
// that date already, from the ids below the lowest of those. Drafts are left out. They get an unrelated random id and are
// never looked up, so hidden versions leave no trace in public ids (R9).
import { sql } from 'kysely';
import type { VersionContent } from '../../domain/content/content.ts';
import type { Writer } from '../engine/engine.ts';
import { type DrawDigits, drawDigits, formatId, ID_DIGITS, newId } from './ids.ts';

const ALL_IDS = 1n << 128n;
/** With fewer ids left below, two could collide; the order between documents is given up instead. */
const IDS_BELOW_MIN = 1n << 64n;

/** Ids for the new versions of one document, in two passes: announce every version, then draw their ids. */
export class VersionIds {
  readonly #now: string;
  readonly #draw: DrawDigits;
  /** Of the announced versions. A million take 8 MB. */
  #dates: Float64Array;
  #announced = 0;
  /** How many versions share a date, for dates with more than one. Computed with the first id. */
  #shared: Map<number, number> | null = null;
  /** Samples with ids left. */
  readonly #samples = new Map<number, SortedSample>();
  #ends = new Map<number, bigint>();

  constructor(now: string, versionsMax: number, draw: DrawDigits = drawDigits) {
    this.#now = now;
    this.#dates = new Float64Array(versionsMax);
    this.#draw = draw;
  }

  announce(version: VersionContent): void {
    const date = this.#dateOf(version);
    if (date !== null) this.#dates[this.#announced++] = Date.parse(date);
  }

  /** Looks up the ids below which those of these versions must be. Versions after `createdBefore` are this document's. */
  async lookUp(
    trx: Writer,
    changelogId: string,
    createdBefore: number,
    versions: readonly VersionContent[],
  ): Promise<void> {
    const dates = new Set(versions.flatMap((version) => this.#dateOf(version) ?? []));
    const fresh = [...dates].filter((date) => !this.#samples.has(Date.parse(date)));
    const lowest = await listLowest(trx, changelogId, createdBefore, fresh);
    this.#ends = new Map(lowest.map(({ date, id }) => [Date.parse(date), endBelow(id)]));
  }

  next(version: VersionContent): string {
    const date = this.#dateOf(version);
    if (date === null) return newId('version');
    return formatId('version', this.#sampleOf(Date.parse(date)).next());
  }

  /** The date by which a version is listed, or null if its id is given or it is not public. */
  #dateOf({ id, status, publishedAt }: VersionContent): string | null {
    return id === undefined && status === 'published' ? (publishedAt ?? this.#now) : null;
  }

  #sampleOf(date: number): SortedSample {
    const started = this.#samples.get(date);
    if (started !== undefined) {
      if (started.left === 1) this.#samples.delete(date);
      return started;
    }
    this.#shared ??= this.#countShared();
    const count = this.#shared.get(date) ?? 1;
    const sample = new SortedSample(count, this.#ends.get(date) ?? ALL_IDS, this.#draw);
    if (count > 1) this.#samples.set(date, sample);
    return sample;
  }

  /** Sorts, because a map of all dates would take ten times the memory, and few dates are shared. */
  #countShared(): Map<number, number> {
    const sorted = this.#dates.subarray(0, this.#announced).sort();
    const shared = new Map<number, number>();
    for (let index = 1; index < sorted.length; index++) {
      const date = sorted[index] as number;
      if (date === sorted[index - 1]) shared.set(date, (shared.get(date) ?? 1) + 1);
    }
    this.#dates = new Float64Array();
    return shared;
  }
}

const RANDOM_ID = new RegExp(`^${formatId('version', `([0-9a-f]{${ID_DIGITS}})`)}$`);

/** The bound for ids that must sort before this one; the end of the range if there is too little space below it. */
function endBelow(id: string): bigint {
  const [, digits] = RANDOM_ID.exec(id) ?? [];
  const end = digits === undefined ? ALL_IDS : BigInt(`0x${digits}`);
  return end < IDS_BELOW_MIN ? ALL_IDS : end;
}

/** The lowest id among the versions that had each date before this document. */
async function listLowest(
  trx: Writer,
  changelogId: string,
  createdBefore: number,
  dates: readonly string[],
): Promise<readonly { date: string; id: string }[]> {
  if (dates.length === 0) return [];
  const { rows } = await sql<{ date: string; id: string | null }>`
    with dates (date) as (values ${sql.join(dates.map((date) => sql`(${date})`))})
    select date, (select id from versions where changelog_id = ${changelogId} and status = 'published'
      and published_at = date and created_order <= ${createdBefore} order by id limit 1) as id from dates`.execute(
    trx,
  );
  return rows.flatMap(({ date, id }) => (id === null ? [] : { date, id }));
}

const SHARE_DIGITS = 13;
const SHARE_BITS = SHARE_DIGITS * 4;

/**
 * A sorted random sample of `count` ids below `end`, drawn one by one without storing it: the lowest of n random numbers
 * between 0 and 1 is 1 - u^(1/n) for a random u, and the others are a sample of the range above it.
 */
class SortedSample {
  left: number;
  readonly #end: bigint;
  readonly #draw: DrawDigits;
  #last = -1n;

  constructor(count: number, end: bigint, draw: DrawDigits) {
    this.left = count;
    this.#end = end;
    this.#draw = draw;
  }

  next(): string {
    // Leaves at least one id for each later draw.
    const room = this.#end - BigInt(this.left) - this.#last;
    const u = (Number.parseInt(this.#draw().slice(0, SHARE_DIGITS), 16) + 1) / 2 ** SHARE_BITS;
    const share = BigInt(Math.floor((1 - u ** (1 / this.left)) * 2 ** SHARE_BITS));
    // The 52 bits of `share` choose roughly where; the lower bits are drawn separately.
    const within = (room * BigInt(`0x${this.#draw()}`)) >> 128n;
    this.#last += 1n + ((room * share + within) >> BigInt(SHARE_BITS));
    this.left--;
    return this.#last.toString(16).padStart(ID_DIGITS, '0');
  }
}
