import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** This package's folder. Sources and the bundle are at different depths below it. */
export const ROOT = findRoot(import.meta.dirname);

export const PACKAGE: Readonly<{ name: string; version: string; license: string }> = JSON.parse(
  readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
);

function findRoot(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : findRoot(path.dirname(folder));
}
