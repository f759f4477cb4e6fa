import { existsSync } from 'node:fs';
import path from 'node:path';

/** This package's folder. Sources and the bundle are at different depths below it. */
export const ROOT = findRoot(import.meta.dirname);

function findRoot(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : findRoot(path.dirname(folder));
}
