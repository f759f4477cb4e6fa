// The folder of a site: writes what changed, removes what the last build wrote and this one does not, and never touches what
// is not ours. Until it is done, the folder has files of both builds.
import {
  type Dirent,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { MaybePromise } from '../domain/maybe-promise.ts';
import { CHANGE_TYPES, SLUG_PATTERN } from '../domain/model.ts';
import { isNoSpace, Refusal } from '../errors.ts';
import { yieldToEventLoop } from '../event-loop.ts';
import { makeFolder } from '../make-folder.ts';

/** The path is relative to the folder, with slashes. */
export type SiteFile = readonly [path: string, write: () => MaybePromise<string>];

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
    const stat = statSync(directory, { throwIfNoEntry: false });
    if (stat?.isDirectory() === false)
      throw new Refusal(`${name} is a file, not a folder; ${CHOOSE_ANOTHER} ${NOTHING_CHANGED}`);
    const root = stat === undefined ? path.resolve(directory) : realpathSync(directory);
    const paths = files.map(([file]) => file);
    const before = readManifest(root, name);
    const ours = before === null ? [] : parseManifest(before, path.join(name, MANIFEST));
    requireNoSource(root, [...ours, ...paths], sources);
    const found = entriesIn(root, new Set([...ours, ...paths].flatMap(foldersOf)));
    const others = findOthers(found, ours, paths);
    if (others.length > 0) throw inTheWayError(others, name, before !== null);

    // A build that is cut off must find the files of both again.
    if (before !== formatManifest(paths)) writeManifest(root, [...paths, ...ours]);
    const removed = removeGone(root, found, ours, new Set(paths));
    let [written, bytes] = [0, 0];
    const made = new Set<string>();
    for (const [index, [file, write]] of files.entries()) {
      const body = Buffer.from(await write());
      bytes += body.length;
      const place = `${root}/${file}`;
      if (!found.has(keyOf(file)) || !readFileSync(place).equals(body)) {
        const folder = path.dirname(place);
        if (!made.has(folder)) makeFolder(folder);
        made.add(folder);
        writeFileSync(place, body);
        written += 1;
      }
      onFile(index + 1);
      await yieldToEventLoop();
    }
    if (before !== formatManifest(paths)) writeManifest(root, paths);
    return { files: files.length, bytes, written, unchanged: files.length - written, removed };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new Refusal(describeError(error as NodeJS.ErrnoException, name), { cause: error });
  }
}

function describeError(error: NodeJS.ErrnoException, name: string): string {
  const { code, path: place = name } = error;
  const what = isNoSpace(error)
    ? 'the disk is full; free some space'
    : `${place} is not writable; change its permissions or ${CHOOSE_ANOTHER}`;
  return `${name} cannot be written (${code}): ${what}, then run this again`;
}

/** In lower case: some file systems do not tell them apart. */
const keyOf = (file: string) => file.toLowerCase();

/** From the inner ones to the root, which is `.`. */
function foldersOf(file: string): string[] {
  const folder = path.posix.dirname(file);
  return folder === '.' ? [folder] : [folder, ...foldersOf(folder)];
}

type Entries = Map<string, Dirent>;

/** What is in these folders, by its key. No symbolic link below the root is followed. */
function entriesIn(root: string, folders: ReadonlySet<string>): Entries {
  const found: Entries = new Map();
  // A folder comes before those in it.
  for (const folder of [...folders].sort())
    if (folder === '.' ? existsSync(root) : found.get(keyOf(folder))?.isDirectory())
      for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true }))
        found.set(keyOf(path.posix.join(folder, entry.name)), entry);
  return found;
}

function requireNoSource(root: string, files: readonly string[], sources: readonly Source[]): void {
  const keys = new Set(files.map(keyOf));
  for (const source of sources) {
    // Standard input and URLs have no path.
    if (!existsSync(source.path)) continue;
    // The file, and the one that it leads to.
    const own = path.join(realpathSync(path.dirname(source.path)), path.basename(source.path));
    for (const place of [own, realpathSync(source.path)])
      if (keys.has(keyOf(path.relative(root, place).replaceAll(path.sep, '/'))))
        throw new Refusal(`${source.name} is the file to build from; ${CHOOSE_ANOTHER} ${NOTHING_CHANGED}`);
  }
}

/** Files that we did not write, and what has taken the place of one that we wrote, or of its folder. */
function findOthers(found: Entries, ours: readonly string[], paths: readonly string[]): string[] {
  const keys = new Set(ours.map(keyOf));
  return [...new Set([...ours, ...paths])].filter((file) => {
    const entry = found.get(keyOf(file));
    const isOther = entry !== undefined && !(entry.isFile() && keys.has(keyOf(file)));
    return isOther || foldersOf(file).some((folder) => found.get(keyOf(folder))?.isDirectory() === false);
  });
}

function inTheWayError(inTheWay: readonly string[], name: string, hasManifest: boolean): Refusal {
  const named = inTheWay.slice(0, NAMED_MAX).map((file) => path.join(name, file));
  if (inTheWay.length > NAMED_MAX) named.push(`${inTheWay.length - NAMED_MAX} more`);
  const list = new Intl.ListFormat('en-GB').format(named);
  const [exists, was, it] = inTheWay.length === 1 ? ['exists', 'was', 'it'] : ['exist', 'were', 'them'];
  const why = hasManifest ? `${MANIFEST} does not list` : `there is no ${MANIFEST} that lists`;
  return new Refusal(
    `${list} already ${exists} and ${was} not written by an earlier build (${why} ${it}); choose an empty folder with --out, or delete ${it} ${NOTHING_CHANGED}`,
  );
}

/** Returns how many. First of all: where names that differ in case are one file, it would be removed with the old name. */
function removeGone(root: string, found: Entries, ours: readonly string[], kept: ReadonlySet<string>) {
  const listed = ours.filter((file) => !kept.has(file));
  const gone = listed.filter((file) => found.has(keyOf(file)));
  for (const file of gone) {
    rmSync(`${root}/${file}`, { force: true });
    found.delete(keyOf(file));
  }
  const folders = new Set(listed.flatMap(foldersOf).filter((folder) => found.has(keyOf(folder))));
  for (const folder of [...folders].sort().reverse())
    if (readdirSync(`${root}/${folder}`).length === 0) rmdirSync(`${root}/${folder}`);
  return gone.length;
}

/** The list of a site's files, which a build leaves in the folder for the next one. */
export const MANIFEST = '.changelog-site.json';
const FORMAT = 1;
const ABOUT = 'changelog build wrote these files, and replaces and removes no others.';
const WHAT_TO_DO = `delete the files of the earlier build, or ${CHOOSE_ANOTHER} ${NOTHING_CHANGED}`;

/** Null if there is none. */
function readManifest(root: string, name: string): string | null {
  const stat = statSync(`${root}/${MANIFEST}`, { throwIfNoEntry: false });
  if (stat?.isFile() === false)
    throw new Refusal(`${path.join(name, MANIFEST)} is not a file of a build; ${WHAT_TO_DO}`);
  return stat === undefined ? null : readFileSync(`${root}/${MANIFEST}`, 'utf8');
}

/** In one step: without it, no file would be ours any more. */
function writeManifest(root: string, files: readonly string[]): void {
  makeFolder(root);
  writeFileSync(`${root}/${MANIFEST}~`, formatManifest([...new Set(files)]));
  renameSync(`${root}/${MANIFEST}~`, `${root}/${MANIFEST}`);
}

export function formatManifest(files: readonly string[]): string {
  return `${JSON.stringify({ about: ABOUT, format: FORMAT, files: files.toSorted() }, null, 1)}\n`;
}

/** Nobody guards the manifest, so that what it says is checked like any input. */
function parseManifest(text: string, name: string): string[] {
  let found: { format?: unknown; files?: unknown } = {};
  try {
    found = JSON.parse(text) ?? {};
  } catch {}
  const { format, files } = found;
  if (format !== FORMAT || !Array.isArray(files))
    throw new Refusal(`${name} is damaged, or of a later version of this program; ${WHAT_TO_DO}`);
  const unknown = files.find((file) => typeof file !== 'string' || !SITE_FILE.test(file));
  if (unknown === undefined) return files;
  throw new Refusal(
    `${name} lists ${JSON.stringify(unknown)}, which \`build\` never creates; restore it, or build into an empty folder ${NOTHING_CHANGED}`,
  );
}

const NAME = '[A-Za-z0-9_+][A-Za-z0-9._+-]{0,99}';
const SLUG = SLUG_PATTERN.slice(1, -1);
const AT_ROOT = [
  ...['\\.nojekyll', '404\\.html', 'robots\\.txt', 'llms\\.txt', 'sitemap\\.xml', 'widget\\.js'],
  '(?:style|notes)(?:-[0-9a-f]{6})?\\.css',
];
const OF_PRODUCT = [
  'index\\.(?:html|md)',
  'page-\\d+\\.html',
  `(?:type-(?:${CHANGE_TYPES.join('|')})|year-\\d{1,4})(?:-\\d+)?\\.html`,
  '(?:changelog|recent|badge)\\.json',
  'feed\\.(?:atom|rss|json)',
  'CHANGELOG\\.md',
  'releases\\.xml',
  'latest\\.txt',
  'badge\\.svg',
  `versions/${NAME}(?:\\.(?:html|json|md)|/notes\\.(?:md|txt|html))`,
  `changes/(?:after-${NAME}|${NAME}\\.{3}${NAME})\\.html`,
];
/**
 * What a build may write, or an earlier release's build did. A manifest that comes with a stranger's repository must not
 * make a build replace or remove anything else.
 */
const SITE_FILE = new RegExp(`^(?:${AT_ROOT.join('|')}|(?:${SLUG}/){0,2}(?:${OF_PRODUCT.join('|')}))$`);
