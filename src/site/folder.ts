// The folder of a site: writes what changed, removes what the last build wrote and this one does not, and never touches what
// is not ours. Until it is done, the folder has files of both builds.
import {
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
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
  /** They are never replaced. */
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
    const folder = new SiteFolder(directory, name, files);
    folder.requireNoSource(sources);
    await folder.requireOwn();
    const removed = folder.removeGone();
    let [written, bytes] = [0, 0];
    for (const [index, [file, write]] of files.entries()) {
      const body = Buffer.from(await write());
      bytes += body.length;
      written += Number(folder.put(file, body));
      onFile(index + 1);
      await yieldToEventLoop();
    }
    folder.finish();
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

/** Whether it has files of an earlier build. */
export const hasSite = (directory: string) =>
  statSync(path.join(directory, MANIFEST), { throwIfNoEntry: false }) !== undefined;

type FolderState = 'folder' | 'missing' | 'in the way';

class SiteFolder {
  readonly #root: string;
  readonly #name: string;
  readonly #files: readonly SiteFile[];
  readonly #paths: readonly string[];
  /** The manifest of the last build; null if there is none. */
  readonly #before: string | null;
  readonly #ours: readonly string[];
  /** In lower case: some file systems do not tell them apart. */
  readonly #keys: ReadonlySet<string>;
  readonly #folders = new Map<string, FolderState>();
  readonly #sizes = new Map<string, number | 'not a file' | null>();
  #isChanging = false;

  constructor(directory: string, name: string, files: readonly SiteFile[]) {
    const stat = statSync(directory, { throwIfNoEntry: false });
    if (stat?.isDirectory() === false)
      throw new Refusal(`${name} is a file, not a folder; ${CHOOSE_ANOTHER} ${NOTHING_CHANGED}`);
    this.#root = stat === undefined ? path.resolve(directory) : realpathSync(directory);
    this.#folders.set('.', stat === undefined ? 'missing' : 'folder');
    this.#name = name;
    this.#files = files;
    this.#paths = files.map(([file]) => file);
    const own = path.join(name, MANIFEST);
    const size = this.#sizeOf(MANIFEST);
    if (size === 'not a file' || (size ?? 0) > MANIFEST_BYTES_MAX)
      throw new Refusal(`${own} is not a file of a build; ${WHAT_TO_DO}`);
    this.#before = size === null ? null : readFileSync(this.#at(MANIFEST), 'utf8');
    this.#ours = this.#before === null ? [] : parseManifest(this.#before, own);
    this.#keys = new Set(this.#ours.map(keyOf));
  }

  requireNoSource(sources: readonly Source[]): void {
    const keys = new Set([...this.#keys, ...this.#paths.map(keyOf)]);
    for (const source of sources) {
      // The file, and the one that it leads to.
      const [folder, base] = [path.dirname(source.path), path.basename(source.path)];
      for (const place of [path.join(realPathOf(folder), base), realPathOf(source.path)])
        if (keys.has(keyOf(path.relative(this.#root, place).replaceAll(path.sep, '/'))))
          throw new Refusal(`${source.name} is the file to build from; ${CHOOSE_ANOTHER} ${NOTHING_CHANGED}`);
    }
  }

  /** Before anything is written. If the manifest was lost, an identical file is taken as ours. */
  async requireOwn(): Promise<void> {
    const found = new Set(this.#ours.filter((file) => this.#sizeOf(file) === 'not a file'));
    for (const [file, write] of this.#files) {
      const size = this.#sizeOf(file);
      if (size === null || (size !== 'not a file' && this.#keys.has(keyOf(file)))) continue;
      if (size === 'not a file' || !this.#has(file, Buffer.from(await write()))) found.add(file);
    }
    if (found.size === 0) return;
    const named = [...found].slice(0, NAMED_MAX).map((file) => path.join(this.#name, file));
    if (found.size > NAMED_MAX) named.push(`${found.size - NAMED_MAX} more`);
    const list = new Intl.ListFormat('en-GB').format(named);
    const [exists, was, it] = found.size === 1 ? ['exists', 'was', 'it'] : ['exist', 'were', 'them'];
    const why = this.#before === null ? `there is no ${MANIFEST} that lists` : `${MANIFEST} does not list`;
    throw new Refusal(
      `${list} already ${exists} and ${was} not written by an earlier build (${why} ${it}); choose an empty folder with --out, or delete ${it} ${NOTHING_CHANGED}`,
    );
  }

  /** Returns how many. First of all: where names that differ in case are one file, it would be removed with the old name. */
  removeGone(): number {
    const kept = new Set(this.#paths);
    const listed = this.#ours.filter((file) => !kept.has(file));
    const gone = listed.filter((file) => this.#sizeOf(file) !== null);
    if (gone.length > 0) this.#change();
    for (const file of gone) unlinkSync(this.#at(file));
    if (gone.length > 0) this.#sizes.clear();
    const folders = new Set(listed.flatMap(foldersOf));
    for (const folder of [...folders].sort().reverse()) {
      if (this.#stateOf(folder) !== 'folder' || readdirSync(this.#at(folder)).length > 0) continue;
      rmdirSync(this.#at(folder));
      this.#folders.set(folder, 'missing');
    }
    return gone.length;
  }

  /** Returns whether it had to be written. */
  put(file: string, body: Buffer): boolean {
    if (this.#has(file, body)) return false;
    this.#change();
    const folder = path.posix.dirname(file);
    if (this.#stateOf(folder) === 'missing') {
      makeFolder(this.#at(folder));
      for (const each of [folder, ...foldersOf(folder)]) this.#folders.set(each, 'folder');
    }
    writeFileSync(this.#at(file), body);
    return true;
  }

  finish(): void {
    const text = formatManifest(this.#paths);
    if (this.#isChanging || text !== this.#before) this.#list(text);
  }

  /** From the first change on, the manifest lists the files of both builds: one that is cut off must find them again. */
  #change(): void {
    if (this.#isChanging) return;
    this.#isChanging = true;
    this.#list(formatManifest([...new Set([...this.#paths, ...this.#ours])]));
  }

  #list(text: string): void {
    makeFolder(this.#root);
    this.#folders.set('.', 'folder');
    // In one step: without it, no file would be ours any more.
    writeFileSync(this.#at(`${MANIFEST}~`), text);
    renameSync(this.#at(`${MANIFEST}~`), this.#at(MANIFEST));
  }

  #has(file: string, body: Buffer): boolean {
    return this.#sizeOf(file) === body.length && readFileSync(this.#at(file)).equals(body);
  }

  /** Null if there is no such file. Looks at each file once. */
  #sizeOf(file: string): number | 'not a file' | null {
    const known = this.#sizes.get(file);
    if (known !== undefined) return known;
    const state = this.#stateOf(path.posix.dirname(file));
    const stat = state === 'folder' ? lstatSync(this.#at(file), { throwIfNoEntry: false }) : undefined;
    const isMissing = stat === undefined && state !== 'in the way';
    const size = isMissing ? null : stat?.isFile() ? stat.size : 'not a file';
    this.#sizes.set(file, size);
    return size;
  }

  /** Looks at each folder once. No symbolic link below the root is followed. */
  #stateOf(folder: string): FolderState {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    let state = this.#stateOf(path.posix.dirname(folder));
    if (state === 'folder') {
      const stat = lstatSync(this.#at(folder), { throwIfNoEntry: false });
      state = stat === undefined ? 'missing' : stat.isDirectory() ? 'folder' : 'in the way';
    }
    this.#folders.set(folder, state);
    return state;
  }

  #at(file: string): string {
    return `${this.#root}/${file}`;
  }
}

/** From the inner ones to the outer ones, without the root. */
function foldersOf(file: string): string[] {
  const folder = path.posix.dirname(file);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}

/** Standard input and URLs have none. */
function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

const keyOf = (file: string) => file.toLowerCase();

/** The list of a site's files, which a build leaves in the folder for the next one. */
export const MANIFEST = '.changelog-site.json';
const MANIFEST_BYTES_MAX = 64 * 1024 * 1024;
const FORMAT = 1;
const ABOUT = 'changelog build wrote these files, and replaces and removes no others.';
const WHAT_TO_DO = `delete the files of the earlier build, or ${CHOOSE_ANOTHER} ${NOTHING_CHANGED}`;

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
