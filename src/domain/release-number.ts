// The integers by which clients of Gitea know releases (R57).
import { hash } from 'node:crypto';
import { ID_PREFIXES } from './model.ts';

const RANDOM_ID = new RegExp(`^${ID_PREFIXES.version}_[0-9a-f]{19}([0-9a-f]{13})$`);
/** Greater than any number of 13 hexadecimal digits. */
const OTHERS_START = 2 ** 52;
const HASH_DIGITS = 12;

/**
 * At most 2^53 - 1. A random id gives its last digits: the first ones are alike in ids that are counted up or made from the
 * time. Any other id gives a hash.
 */
export function releaseNumber(versionId: string): number {
  const [, digits] = RANDOM_ID.exec(versionId) ?? [];
  if (digits !== undefined) return Number.parseInt(digits, 16);
  return OTHERS_START + Number.parseInt(hash('sha256', versionId).slice(0, HASH_DIGITS), 16);
}
