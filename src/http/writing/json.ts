// Long records are written in parts: up to the list at their end, then its items, then what closes them.
import type { Version } from '../../present/records.ts';
import type { BodyWriter } from '../cache/body.ts';

export const CLOSE_ENVELOPE = ']}}';
const CLOSE_VERSION = ']}';

/** The list at the end must be empty. */
export function openEnvelope(envelope: Readonly<{ data: object }>): string {
  return JSON.stringify(envelope).slice(0, -CLOSE_ENVELOPE.length);
}

/** One change at a time: a version may have very many, and other requests are served in between. */
export async function writeVersion(out: BodyWriter, { changes, ...version }: Version): Promise<void> {
  await out.add(JSON.stringify({ ...version, changes: [] }).slice(0, -CLOSE_VERSION.length));
  await out.addList(changes, (change) => JSON.stringify(change));
  await out.add(CLOSE_VERSION);
}
