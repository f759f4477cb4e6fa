import { readFileSync } from 'node:fs';
import path from 'node:path';
import { decideAccess } from '../../domain/access/access.ts';
import { hashApiKey } from '../../domain/access/api-key.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { findKey, type ProductPath } from '../../store/read/reads.ts';

export const DATA_FOLDER = 'data';
export const KEY_FILE = `${DATA_FOLDER}/changelog.key`;

/** The key in the file may belong to another team or another database. */
export async function existingKeyReads(db: Reader, folder: string, product: ProductPath): Promise<boolean> {
  const key = readKey(path.join(folder, KEY_FILE));
  if (key === null) return false;
  const { found } = await findKey(db, hashApiKey(key));
  return decideAccess(found, product) === 'allowed';
}

function readKey(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
