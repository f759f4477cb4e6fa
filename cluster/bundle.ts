import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);

/** Makes the bundle of a checkout, so that the program starts quickly. Without one, it runs the sources. */
export async function ensureBundle(root = ROOT): Promise<void> {
  const { BUILDER, findBundle } = require(path.join(root, 'bin/bundle.cjs')) as {
    BUILDER: string;
    findBundle: () => string | null;
  };
  if (findBundle() === null)
    await once(spawn(process.execPath, [BUILDER], { cwd: root, stdio: 'ignore' }), 'close');
}
