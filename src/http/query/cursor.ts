// Where a page ended, for requesting the next one: signed, so that no cursor is forged or used for another URL.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FeedPosition } from '../../domain/feed-query.ts';
import { FEED_PARAMETERS, ParameterError } from './parameters.ts';

export type Cursor = Readonly<{ position: FeedPosition; signature: Buffer }>;

const SIGNATURE_BYTES = 12;
/** Appears in no part of a position. */
const SEPARATOR = ' ';
/** Other bytes, such as NUL, must not reach a database. */
const POSITION = /^([!-~]+) ([!-~]+)$/;

/** `context` is what the cursor is valid for: the path and the filter. */
export function formatCursor(key: string, context: string, { sortKey, id }: FeedPosition): string {
  const position = Buffer.from(sortKey + SEPARATOR + id);
  return Buffer.concat([sign(key, context, position), position]).toString('base64url');
}

/** Undefined for text that cannot be a cursor. `isSigned` checks whether this server issued it. */
export function parseCursor(text: string): Cursor | undefined {
  const bytes = Buffer.from(text, 'base64url');
  // Several encodings decode to the same bytes, but only one is issued.
  if (bytes.length <= SIGNATURE_BYTES || bytes.toString('base64url') !== text) return undefined;
  const [, sortKey, id] = POSITION.exec(bytes.toString('latin1', SIGNATURE_BYTES)) ?? [];
  if (sortKey === undefined || id === undefined) return undefined;
  return { position: { sortKey, id }, signature: bytes.subarray(0, SIGNATURE_BYTES) };
}

export function isSigned({ position: { sortKey, id }, signature }: Cursor, key: string, context: string) {
  return timingSafeEqual(signature, sign(key, context, Buffer.from(sortKey + SEPARATOR + id)));
}

/** A cursor is valid only for the path and the filter it was issued for. */
export const contextOf = (path: string, { filterText }: Readonly<{ filterText: string }>) =>
  `${path}?${filterText}`;

type CursorRequest = Readonly<{
  path: string;
  query: Readonly<{ cursor: Cursor | null; filterText: string }>;
}>;

export function requireOwnCursor(
  { path, query }: CursorRequest,
  { cursorKey }: Readonly<{ cursorKey: string }>,
): void {
  if (query.cursor !== null && !isSigned(query.cursor, cursorKey, contextOf(path, query)))
    throw new ParameterError('cursor', FEED_PARAMETERS.cursor);
}

function sign(key: string, context: string, position: Buffer): Buffer {
  return createHmac('sha256', key)
    .update(`${context}\n`)
    .update(position)
    .digest()
    .subarray(0, SIGNATURE_BYTES);
}
