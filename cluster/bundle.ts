import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const { BUILDER, findBundle } = createRequire(import.meta.url)('../bin/bundle.cjs') as {
  BUILDER: string;
  findBundle: () => string | null;
};

/** Makes the bundle of this checkout, so that the program starts quickly. Without one, it runs the sources. */
export async function ensureBundle(): Promise<void> {
  if (findBundle() === null)
    await once(spawn(process.execPath, [BUILDER], { cwd: ROOT, stdio: 'ignore' }), 'close');
}
