import { existsSync } from 'node:fs';
import path from 'node:path';

/** The folder of this package. The sources and a bundle of them are not at the same depth below it. */
export const ROOT = findRoot(import.meta.dirname);

function findRoot(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : findRoot(path.dirname(folder));
}
