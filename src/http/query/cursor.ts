// Where a page ended, as clients carry it to the next one: sealed, so that none is made up or taken elsewhere.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FeedPosition } from '../../domain/feed-query.ts';

export type Cursor = Readonly<{ position: FeedPosition; signatureOf: Buffer }>;

const SEAL_BYTES = 12;
/** Stands in no part of a position. */
const SEPARATOR = ' ';
/** Whatever else bytes can say, a NUL for instance, is nothing that a database should be asked for. */
const POSITION = /^([!-~]+) ([!-~]+)$/;

/** `context` is what the cursor is good for: the path and what versions must pass. */
export function formatCursor(key: string, context: string, { sortKey, id }: FeedPosition): string {
  const position = Buffer.from(sortKey + SEPARATOR + id);
  return Buffer.concat([sealOf(key, context, position), position]).toString('base64url');
}

/** What a cursor says, or undefined if it says nothing; whether it is one of ours is another question. */
export function parseCursor(text: string): Cursor | undefined {
  const bytes = Buffer.from(text, 'base64url');
  // Several spellings have the same bytes, and only one of them is ours.
  if (bytes.length <= SEAL_BYTES || bytes.toString('base64url') !== text) return undefined;
  const [, sortKey, id] = POSITION.exec(bytes.toString('latin1', SEAL_BYTES)) ?? [];
  if (sortKey === undefined || id === undefined) return undefined;
  return { position: { sortKey, id }, signatureOf: bytes.subarray(0, SEAL_BYTES) };
}

export function isSigned(
  { position: { sortKey, id }, signatureOf }: Cursor,
  key: string,
  context: string,
): boolean {
  return timingSafeEqual(signatureOf, sealOf(key, context, Buffer.from(sortKey + SEPARATOR + id)));
}

function sealOf(key: string, context: string, position: Buffer): Buffer {
  return createHmac('sha256', key).update(`${context}\n`).update(position).digest().subarray(0, SEAL_BYTES);
}
