import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { ID_PREFIXES, type IdKind } from '../domain/model.ts';

/** A new identifier: its kind, and a UUIDv7, whose rising order keeps inserts at one end of an index. */
export function newId(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}_${v7().replaceAll('-', '')}`;
}

const MOMENT_DIGITS = 12;
const PLACE_DIGITS = 8;
const RANDOM_BYTES = 6;
/** In 2109. Halved, what is left until then comes before the ids that were made up by the time itself. */
const LAST_MOMENT_MS = 2 ** 42;

/**
 * Makes the ids of the versions of one document. Where two are published at the same moment, the order of their ids
 * decides (R12): those of a document stand in its order, and those of a later one before them, as what is newer should.
 */
export function versionIds(now: string): () => string {
  const moment = digits(Math.floor((LAST_MOMENT_MS - Date.parse(now)) / 2), MOMENT_DIGITS);
  let place = 0;
  return () =>
    `${ID_PREFIXES.version}_${moment}${digits(place++, PLACE_DIGITS)}${randomBytes(RANDOM_BYTES).toString('hex')}`;
}

function digits(number: number, length: number): string {
  return number.toString(16).padStart(length, '0');
}
