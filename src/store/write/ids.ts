import { randomFillSync } from 'node:crypto';
import { ID_PREFIXES, type IdKind } from '../../domain/model.ts';

export const ID_DIGITS = 32;

/** Returns 128 random bits, as 32 hexadecimal digits. */
export type DrawDigits = () => string;

/**
 * A new id: its kind and 128 random bits. Clients see ids, so an id must not reveal when it was created, or how many
 * hidden things were created between two others (R9, R14).
 */
export function newId(kind: IdKind): string {
  return formatId(kind, drawDigits());
}

export function formatId(kind: IdKind, digits: string): string {
  return `${ID_PREFIXES[kind]}_${digits}`;
}

const BYTES_AN_ID = ID_DIGITS / 2;
const BLOCK_BYTES = 256 * BYTES_AN_ID;

export const drawDigits: DrawDigits = drawInBlocks();

/** One system call per id would take 20 times as long. */
function drawInBlocks(): DrawDigits {
  const block = Buffer.alloc(BLOCK_BYTES);
  let used = BLOCK_BYTES;
  return () => {
    if (used === BLOCK_BYTES) {
      randomFillSync(block);
      used = 0;
    }
    used += BYTES_AN_ID;
    return block.toString('hex', used - BYTES_AN_ID, used);
  };
}
