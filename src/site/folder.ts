// The folder of a site: writes what changed, removes what the last build wrote and this one does not, and never touches what
// is not ours. Until it is done, the folder has files of both builds.
import {
  existsSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { isNoSpace, Refusal } from '../errors.ts';
import { yieldToEventLoop } from '../event-loop.ts';
import { makeFolder, removeEmptyFolder } from '../make-folder.ts';

/** The path is relative to the folder, with slashes. */
export type SiteFile = readonly [path: string, write: () => string | Promise<string>];

/** A file that the site is made of. The name is for messages. */
export type Source = Readonly<{ path: string; name: string }>;

type FolderOptions = Readonly<{
  /** The folder as the user wrote it. */
  name: string;
  /** Never replaced. */
  sources: readonly Source[];
  onFile: (count: number) => void;
}>;

const CHOOSE_ANOTHER = 'choose another folder with --out';
const NOTHING_CHANGED = '(nothing was changed)';
const NAMED_MAX = 5;

export type FolderReport = Awaited<ReturnType<typeof writeFolder>>;

export async function writeFolder(directory: string, files: readonly SiteFile[], options: FolderOptions) {
  const { name, sources, onFile } = options;
  try {
    const root = existsSync(directory) ? realpathSync(directory) : path.resolve(directory);
    const paths = files.map(([file]) => file);
    const ours = readManifest(root, name);
    requireNoSource(root, [...ours, ...paths], sources);
    requireOurs(root, name, ours, paths);

    // A build that is cut off must find the files of both again.
    writeManifest(root, [...paths, ...ours]);
    // First of all: where names that differ in case are one file, it would be removed with the old name.
    const removed = removeFiles(root, [...new Set(ours).difference(new Set(paths))]);
    let [written, bytes] = [0, 0];
    for (const [index, [file, write]] of files.entries()) {
      const body = Buffer.from(await write());
      bytes += body.length;
      const place = `${root}/${file}`;
      if (!existsSync(place) || !readFileSync(place).equals(body)) {
        makeFolder(path.dirname(place));
        writeFileSync(place, body);
        written += 1;
      }
      onFile(index + 1);
      await yieldToEventLoop();
    }
    writeManifest(root, paths);
    return { files: files.length, bytes, written, unchanged: files.length - written, removed };
  } catch (error) {
    const { code, path: place = name } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const what = isNoSpace(error)
      ? 'the disk is full; free some space'
      : `${place} is not writable; change its permissions or ${CHOOSE_ANOTHER}`;
    throw new Refusal(`${name} cannot be written (${code}): ${what}, then run this again`, { cause: error });
  }
}

/** In lower case: some file systems do not tell them apart. */
const keyOf = (file: string) => file.toLowerCase();

/** Those around a file and below the root, from the inner ones to the outer. */
function foldersOf(file: string): string[] {
  const folder = path.posix.dirname(file);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}

/** Standard input and URLs have no path. A link to a file is in the way like any other. */
function requireNoSource(root: string, files: readonly string[], sources: readonly Source[]): void {
  const keys = new Set(files.map((file) => keyOf(path.join(root, file))));
  for (const source of sources)
    if (existsSync(source.path) && keys.has(keyOf(realpathSync(source.path))))
      throw new Refusal(`${source.name} is the file to build from; ${CHOOSE_ANOTHER} ${NOTHING_CHANGED}`);
}

/** Nothing of others is in the way: no symbolic link is followed, and no file replaced that an earlier build did not write. */
function requireOurs(root: string, name: string, ours: readonly string[], paths: readonly string[]): void {
  const keys = new Set(ours.map(keyOf));
  const all = [...new Set([...ours, ...paths])];
  const entryAt = (file: string) => lstatSync(`${root}/${file}`, { throwIfNoEntry: false });
  const isOther = (file: string) => {
    const entry = entryAt(file);
    return entry !== undefined && !(entry.isFile() && keys.has(keyOf(file)));
  };
  const folders = [...new Set(all.flatMap(foldersOf))];
  const blocked = folders.filter((folder) => entryAt(folder)?.isDirectory() === false);
  const others = blocked.length > 0 ? blocked : all.filter(isOther);
  if (others.length === 0) return;
  const named = others.slice(0, NAMED_MAX).map((file) => path.join(name, file));
  if (others.length > NAMED_MAX) named.push(`${others.length - NAMED_MAX} more`);
  throw new Refusal(
    `these were not written by an earlier build (${MANIFEST} does not list them): ${named.join(', ')}; choose an empty folder with --out, or delete them ${NOTHING_CHANGED}`,
  );
}

/** With the folders that become empty. Returns how many were there. */
function removeFiles(root: string, files: readonly string[]): number {
  const found = files.filter((file) => existsSync(`${root}/${file}`));
  for (const file of found) rmSync(`${root}/${file}`, { force: true });
  const folders = [...new Set(files.flatMap(foldersOf))].sort().reverse();
  for (const folder of folders) removeEmptyFolder(`${root}/${folder}`);
  return found.length;
}

/** The list of a site's files, which a build leaves in the folder for the next one. */
export const MANIFEST = '.changelog-site.json';
const FORMAT = 1;
const ABOUT = 'changelog build wrote these files, and replaces and removes no others.';

/** In one step: without it, no file would be ours any more. */
function writeManifest(root: string, files: readonly string[]): void {
  const place = `${root}/${MANIFEST}`;
  const manifest = { about: ABOUT, format: FORMAT, files: [...new Set(files)].sort() };
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  if (existsSync(place) && readFileSync(place, 'utf8') === text) return;
  makeFolder(root);
  writeFileSync(`${place}~`, text);
  renameSync(`${place}~`, place);
}

/** Nobody guards the manifest, so that what it says is checked like any input. Empty if there is none. */
function readManifest(root: string, name: string): string[] {
  const place = `${root}/${MANIFEST}`;
  if (!existsSync(place)) return [];
  let found: { format?: unknown; files?: unknown } = {};
  try {
    found = JSON.parse(readFileSync(place, 'utf8')) ?? {};
  } catch {}
  const { format, files } = found;
  const isOurs = (file: unknown) => typeof file === 'string' && SITE_FILE.test(file);
  if (format === FORMAT && Array.isArray(files) && files.every(isOurs)) return files;
  throw new Refusal(
    `${path.join(name, MANIFEST)} is damaged, or of a later version of this program; delete the files of the earlier build, or ${CHOOSE_ANOTHER} ${NOTHING_CHANGED}`,
  );
}

/**
 * What a build may write: a manifest that comes with a stranger's repository must not make a build replace or remove files
 * outside of the folder, hidden ones, or those of other kinds.
 */
const SITE_FILE =
  /^(?:\.nojekyll|(?:[\w+][\w.+-]*\/){0,5}[\w+][\w.+-]*\.(?:html|css|js|json|md|txt|xml|svg|atom|rss))$/;
