// Makes the bundle of this checkout. `bin/bundle.cjs` starts it in the background.
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bundleProgram } from './bundle.ts';

const { BUILDING, FOLDER, MANIFEST, listSources } = createRequire(import.meta.url)(
  '../../bin/bundle.cjs',
) as {
  BUILDING: string;
  FOLDER: string;
  MANIFEST: string;
  listSources: () => string;
};

/** Two changes within one tick of the file system's clock look like one. That of FAT takes two seconds. */
const SETTLED_MS = 2_010;
/** A server that was started from an earlier bundle may load more of it. */
const KEPT_MAX = 10;

// Other users run the program, too.
process.umask(0o022);
mkdirSync(FOLDER, { recursive: true });
for (const folder of [path.dirname(FOLDER), FOLDER]) chmodSync(folder, 0o755);
const sources = await settledSources();
const name = `${Date.now().toString(36)}-${process.pid}`;
try {
  await bundleProgram(path.join(FOLDER, name));
  syncFiles(path.join(FOLDER, name));
} catch (error) {
  // On a full disk, every attempt would leave some more.
  rmSync(path.join(FOLDER, name), { recursive: true, force: true });
  throw error;
}
// The bundle may contain some of a change that was made in the meantime.
if (listSources() === sources) replaceManifest(`${name}\n${sources}`);
removeOld();
// Not after a failure: the next start would fail to make the same bundle.
rmSync(BUILDING, { force: true });

/** The sources after a pause in which none has changed. */
async function settledSources(): Promise<string> {
  for (;;) {
    const sources = listSources();
    await delay(SETTLED_MS);
    if (listSources() === sources) return sources;
  }
}

/** After a power failure, the manifest must not name a bundle with empty files. */
function syncFiles(folder: string): void {
  for (const file of readdirSync(folder)) {
    const descriptor = openSync(path.join(folder, file), 'r+');
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

function replaceManifest(text: string): void {
  const file = `${MANIFEST}.${process.pid}`;
  writeFileSync(file, text);
  renameSync(file, MANIFEST);
}

function removeOld(): void {
  const folders = readdirSync(FOLDER)
    .map((name) => path.join(FOLDER, name))
    .filter((file) => statSync(file).isDirectory())
    .sort();
  for (const folder of folders.slice(0, -KEPT_MAX)) rmSync(folder, { recursive: true, force: true });
}
