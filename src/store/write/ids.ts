// Ids are random: clients see them, so an id must not reveal when it was created, or how many hidden things were created
// between two others (R9, R14). But versions with the same `publishedAt` are listed by id (R12): those of one document in
// its order, and those of a later document before them, because newer versions come first.
//
// So new published versions that share a date get a sorted random sample: from all ids or, if published versions have
// that date already, from the ids below the lowest of those. Drafts are left out: hidden versions leave no trace in
// public ids.
import { randomFillSync } from 'node:crypto';
import type { VersionContent } from '../../domain/content/content.ts';
import { ID_PREFIXES, type IdKind } from '../../domain/model.ts';

export const ID_DIGITS = 32;
const ALL_IDS = 1n << 128n;
/** With fewer ids left below, two could collide; the order between documents is given up instead. */
const IDS_BELOW_MIN = 1n << 64n;

export function newId(kind: IdKind): string {
  return formatId(kind, drawDigits());
}

export function formatId(kind: IdKind, digits: string): string {
  return `${ID_PREFIXES[kind]}_${digits}`;
}

const BYTES_AN_ID = ID_DIGITS / 2;
/** One system call per id would take 20 times as long. */
const block = Buffer.alloc(256 * BYTES_AN_ID);
let used = block.length;

/** 128 random bits, as 32 hexadecimal digits. */
function drawDigits(): string {
  if (used === block.length) {
    randomFillSync(block);
    used = 0;
  }
  used += BYTES_AN_ID;
  return block.toString('hex', used - BYTES_AN_ID, used);
}

type Existing = Readonly<{ id: string; status: string; published_at: string | null }>;

/** An id for each new version of a document. */
export function idsOfNew(
  versions: readonly VersionContent[],
  existing: readonly Existing[],
  now: string,
  draw = drawDigits,
): string[] {
  const ids = versions.map(() => newId('version'));
  const lowest = new Map<string | null, string>();
  for (const { id, status, published_at: date } of existing)
    if (status === 'published' && id < (lowest.get(date) ?? '~')) lowest.set(date, id);
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
