// The folder of a static site. What changed is staged, and `finish` moves it into place, so that an error changes nothing
// and a kill leaves every file whole. Only files that the manifest of an earlier build lists are replaced or removed.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Refusal } from '../errors.ts';
import { makeFolder, removeEmptyFolder, removeEmptyFolders } from '../make-folder.ts';
import { CHOOSE_ANOTHER, type Place, withFileErrors } from './file-errors.ts';
import { formatManifest, isSiteFile, MANIFEST, type Manifest, readManifest } from './manifest.ts';
import { createStaging, requireNoOtherBuild } from './staging.ts';

const NAMED_MAX = 5;
/** Of one UTF-16 code unit. */
const UTF8_BYTES_MAX = 3;
const NOTHING_CHANGED = '(nothing was changed)';

/** Its parts follow each other. */
export type Body = string | Buffer | readonly (string | Buffer)[];

export type OutputReport = Readonly<{
  files: number;
  bytes: number;
  written: number;
  unchanged: number;
  removed: number;
}>;

/** The file that a site is made of. The name is for messages. */
export type Source = Readonly<{ path: string; name: string }>;

type Changes = Readonly<{
  files: readonly string[];
  /** Of the last build, and not of this one. */
  gone: readonly string[];
  /** Those of them that are still there. */
  removed: readonly string[];
}>;
type FileState = 'changed' | 'unchanged' | 'in the way';
type FolderState = 'folder' | 'missing' | 'in the way';

/**
 * The name is for messages: the folder as the user wrote it. Nothing is created before the first `put`. The source is never
 * replaced.
 */
export function openOutputFolder(directory: string, name = directory, source?: Source): OutputFolder {
  return withFileErrors({ root: directory, name }, NOTHING_CHANGED, () => {
    const file = fileAtOrAbove(directory, name);
    if (file !== null)
      throw new Refusal(`${file} is a file, not a folder; ${CHOOSE_ANOTHER} ${NOTHING_CHANGED}`);
    if (!existsSync(directory)) return new OutputFolder(path.resolve(directory), name, source);
    const root = realpathSync(directory);
    requireNoOtherBuild(root, name);
    return new OutputFolder(root, name, source);
  });
}

/** Whether it has files of an earlier build. */
export function hasSite(directory: string): boolean {
  return existsSync(path.join(directory, MANIFEST));
}

/** Null if every part of the path that exists is a folder. */
function fileAtOrAbove(place: string, name: string): string | null {
  const stat = statSync(place, { throwIfNoEntry: false });
  if (stat === undefined) return fileAtOrAbove(path.dirname(place), path.dirname(name));
  return stat.isDirectory() ? null : name === '.' ? place : name;
}

/**
 * All calls are synchronous: ten thousand small files take a fraction of the processor time of promises, and no body waits
 * in memory for its turn.
 */
class OutputFolder {
  readonly #here: Place;
  readonly #source: Source | undefined;
  readonly #sourceKeys: readonly string[];
  readonly #manifest: Manifest;
  /** Of this build, by their names in lower case: some file systems do not tell them apart. */
  readonly #files = new Map<string, string>();
  readonly #folderKeys = new Set<string>();
  /** As they were before this build. */
  readonly #folders = new Map<string, FolderState>();
  /** A staged file is named by its index here. */
  readonly #staged: string[] = [];
  readonly #inTheWay: string[] = [];
  #oursByKey: ReadonlyMap<string, string> | undefined;
  #staging: string | undefined;
  /** The outermost folder that this build has created. */
  #created: string | undefined;
  #bytes = 0;
  readonly #buffer = Buffer.alloc(64 * 1024);
  #encoded = Buffer.alloc(0);

  constructor(root: string, name: string, source?: Source) {
    this.#here = { root, name };
    this.#source = source;
    this.#sourceKeys = source === undefined ? [] : keysIn(root, source.path);
    this.#manifest = readManifest(root, name);
    for (const file of this.#manifest.files) this.#requireNotSource(file);
  }

  /** The path is relative to the folder, with slashes. */
  put(file: string, body: Body): void {
    this.#add(file);
    const bytes = body instanceof Uint8Array ? body : this.#encode(typeof body === 'string' ? [body] : body);
    this.#bytes += bytes.length;
    withFileErrors(this.#here, NOTHING_CHANGED, () => {
      const state = this.#compare(file, bytes);
      if (state === 'in the way') this.#inTheWay.push(file);
      // What will be refused needs no space on the disk.
      else if (state === 'changed' && this.#inTheWay.length === 0) this.#stage(file, bytes);
    });
  }

  /** Into the same memory each time: thousands of buffers would wait for the garbage collector. */
  #encode(parts: readonly (string | Uint8Array)[]): Uint8Array {
    const bytesMax = parts.reduce(
      (sum, part) => sum + part.length * (typeof part === 'string' ? UTF8_BYTES_MAX : 1),
      0,
    );
    if (this.#encoded.length < bytesMax) this.#encoded = Buffer.allocUnsafeSlow(bytesMax * 2);
    let end = 0;
    for (const part of parts)
      if (typeof part === 'string') end += this.#encoded.write(part, end);
      else {
        this.#encoded.set(part, end);
        end += part.length;
      }
    return this.#encoded.subarray(0, end);
  }

  /** The only step that changes what is visible. */
  finish(): OutputReport {
    const files = [...this.#files.values()];
    const gone = [...this.#manifest.files].filter((file) => this.#files.get(keyOf(file)) !== file);
    const removed = withFileErrors(this.#here, NOTHING_CHANGED, () =>
      gone.filter((file) => this.#isRemovable(file)),
    );
    this.#requireNothingInTheWay();
    if (this.#staged.length > 0 || formatManifest(files) !== this.#manifest.text)
      this.#change({ files, gone, removed });
    this.#created = undefined;
    this.discard();
    const written = this.#staged.length;
    return {
      files: files.length,
      bytes: this.#bytes,
      written,
      unchanged: files.length - written,
      removed: removed.length,
    };
  }

  /** Leaves the folder as it was, and does nothing after `finish`. */
  discard(): void {
    if (this.#staging !== undefined) rmSync(this.#staging, { recursive: true, force: true });
    this.#staging = undefined;
    if (this.#created !== undefined) removeEmptyFolders(this.#here.root, this.#created);
    this.#created = undefined;
  }

  [Symbol.dispose](): void {
    this.discard();
  }

  #add(file: string): void {
    const key = keyOf(file);
    const other = this.#files.get(key);
    if (other !== undefined) throw new Error(`two files of one site: ${other} and ${file}`);
    if (!isSiteFile(file)) throw new Error(`not a file of a site: ${file}`);
    if (this.#folderKeys.has(key)) throw new Error(`a file and a folder of one site: ${file}`);
    this.#requireNotSource(file);
    this.#files.set(key, file);
    for (const folder of foldersOf(key)) {
      if (this.#folderKeys.has(folder)) break;
      if (this.#files.has(folder)) throw new Error(`a file and a folder of one site: ${folder}`);
      this.#folderKeys.add(folder);
    }
  }

  #requireNotSource(file: string): void {
    if (this.#sourceKeys.includes(keyOf(file)))
      throw new Refusal(
        `${this.#source?.name} is the file to build from; ${CHOOSE_ANOTHER} ${NOTHING_CHANGED}`,
      );
  }

  #compare(file: string, bytes: Uint8Array): FileState {
    const folder = this.#lookAt(path.posix.dirname(file));
    // The folder itself is named, not each file in it.
    if (folder !== 'folder') return 'changed';
    if (this.#manifest.files.has(file)) return this.#compareBytes(file, bytes);
    const stat = lstatSync(this.#place(file), { throwIfNoEntry: false });
    if (stat === undefined || this.#isOursInOtherCase(file, stat)) return 'changed';
    // The manifest was lost: an identical file is taken as ours.
    return stat.isFile() && this.#compareBytes(file, bytes) === 'unchanged' ? 'unchanged' : 'in the way';
  }

  #compareBytes(file: string, bytes: Uint8Array): FileState {
    let handle: number;
    try {
      handle = openSync(this.#place(file), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return 'changed';
      if (code === 'ELOOP') return 'in the way';
      throw error;
    }
    try {
      const stat = fstatSync(handle);
      if (!stat.isFile()) return 'in the way';
      return stat.size === bytes.length && this.#hasBytes(handle, bytes) ? 'unchanged' : 'changed';
    } finally {
      closeSync(handle);
    }
  }

  #hasBytes(handle: number, bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length; ) {
      const count = readSync(handle, this.#buffer, 0, Math.min(this.#buffer.length, bytes.length - at), at);
      if (count === 0 || this.#buffer.compare(bytes, at, at + count, 0, count) !== 0) return false;
      at += count;
    }
    return true;
  }

  /** Where `a.html` and `A.html` are one file, a version may still be renamed from one to the other. */
  #isOursInOtherCase(file: string, stat: Stats): boolean {
    this.#oursByKey ??= new Map([...this.#manifest.files].map((ours) => [keyOf(ours), ours]));
    const ours = this.#oursByKey.get(keyOf(file));
    if (ours === undefined || !stat.isFile()) return false;
    return lstatSync(this.#place(ours), { throwIfNoEntry: false })?.ino === stat.ino;
  }

  #stage(file: string, bytes: Uint8Array): void {
    const staging = this.#openStaging();
    writeFileSync(`${staging}/${this.#staged.length}`, bytes, { flag: 'wx' });
    this.#staged.push(file);
  }

  #openStaging(): string {
    if (this.#staging !== undefined) return this.#staging;
    this.#created = makeFolder(this.#here.root);
    this.#staging = createStaging(this.#here.root, this.#here.name);
    if (readManifest(this.#here.root, this.#here.name).identity !== this.#manifest.identity)
      throw new Refusal(
        `another build has changed ${this.#here.name} in the meantime; run this one again ${NOTHING_CHANGED}`,
      );
    return this.#staging;
  }

  #isRemovable(file: string): boolean {
    if (this.#lookAt(path.posix.dirname(file)) !== 'folder') return false;
    const stat = lstatSync(this.#place(file), { throwIfNoEntry: false });
    if (stat?.isFile() === false) this.#inTheWay.push(file);
    return stat?.isFile() ?? false;
  }

  /** Looks at each folder once. No symbolic link below the root is followed. */
  #lookAt(folder: string): FolderState {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const parent = folder === '.' ? 'folder' : this.#lookAt(path.posix.dirname(folder));
    let state = parent;
    if (parent === 'folder') {
      const stat = lstatSync(this.#place(folder), { throwIfNoEntry: false });
      state = stat === undefined ? 'missing' : stat.isDirectory() ? 'folder' : 'in the way';
      if (state === 'in the way') this.#inTheWay.push(folder);
    }
    this.#folders.set(folder, state);
    return state;
  }

  #requireNothingInTheWay(): void {
    if (this.#inTheWay.length === 0) return;
    const named = this.#inTheWay.slice(0, NAMED_MAX).map((file) => path.join(this.#here.name, file));
    const more = this.#inTheWay.length - named.length;
    if (more > 0) named.push(`${more} more`);
    const [last, ...others] = named.reverse();
    const isOne = others.length === 0;
    const list = isOne ? last : `${others.reverse().join(', ')} and ${last}`;
    const [exists, was, it] = isOne ? ['exists', 'was', 'it'] : ['exist', 'were', 'them'];
    // A link or a folder may have taken the place of a listed file.
    const isListed = this.#inTheWay.some((file) => this.#manifest.files.has(file));
    const why =
      this.#manifest.text === null ? `there is no ${MANIFEST} that lists` : `${MANIFEST} does not list`;
    throw new Refusal(
      `${list} already ${exists} and ${was} not written by an earlier build${isListed ? '' : ` (${why} ${it})`}; choose an empty folder with --out, or delete ${it} ${NOTHING_CHANGED}`,
    );
  }

  /** At every moment, the manifest lists all files that are ours: from the first step on, those of both builds. */
  #change({ files, gone, removed }: Changes): void {
    const staging = withFileErrors(this.#here, NOTHING_CHANGED, () => {
      const opened = this.#openStaging();
      this.#requireWritable([...this.#staged, ...removed]);
      const manifests = { old: this.#manifest.text ?? '', both: [...files, ...gone], new: files };
      // Flushed: if a power failure emptied the manifest, no file would be ours any more.
      for (const [key, content] of Object.entries(manifests))
        writeFileSync(`${opened}/${key}`, typeof content === 'string' ? content : formatManifest(content), {
          flag: 'wx',
          flush: true,
        });
      renameSync(`${opened}/both`, this.#place(MANIFEST));
      this.#createFolders();
      return opened;
    });
    withFileErrors(this.#here, '(only a part of the new site is in place; run this again)', () => {
      // Where two names that differ only in case are one file, removing the old one later would remove the new one.
      const isRenamed = (file: string) => this.#files.has(keyOf(file));
      for (const file of removed) if (isRenamed(file)) unlinkSync(this.#place(file));
      for (const [at, file] of this.#staged.entries()) renameSync(`${staging}/${at}`, this.#place(file));
      for (const file of removed) if (!isRenamed(file)) unlinkSync(this.#place(file));
      this.#removeFolders(gone);
      renameSync(`${staging}/new`, this.#place(MANIFEST));
    });
  }

  #requireWritable(files: readonly string[]): void {
    for (const folder of new Set(files.map((file) => path.posix.dirname(file))))
      if (this.#folders.get(folder) === 'folder')
        accessSync(this.#place(folder), constants.W_OK | constants.X_OK);
  }

  /** The last step that may need much space on the disk, and so the last one that is undone. */
  #createFolders(): void {
    const missing = this.#foldersWhere('missing', this.#staged);
    try {
      for (const folder of missing) makeFolder(this.#place(folder));
    } catch (error) {
      for (const folder of missing.reverse()) removeEmptyFolder(this.#place(folder));
      if (this.#manifest.text === null) unlinkSync(this.#place(MANIFEST));
      else renameSync(`${this.#staging}/old`, this.#place(MANIFEST));
      throw error;
    }
  }

  /** Also those that a killed build has created and not filled. */
  #removeFolders(gone: readonly string[]): void {
    for (const folder of this.#foldersWhere('folder', gone).reverse()) removeEmptyFolder(this.#place(folder));
  }

  /** Outer ones come first. */
  #foldersWhere(state: FolderState, files: readonly string[]): string[] {
    const folders = new Set(files.flatMap(foldersOf));
    return [...folders].filter((folder) => this.#folders.get(folder) === state).sort();
  }

  #place(file: string): string {
    return `${this.#here.root}/${file}`;
  }
}

/** From the inner ones to the outer ones, without the root. */
function foldersOf(file: string): string[] {
  const folders: string[] = [];
  for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1))
    folders.push(file.slice(0, at));
  return folders;
}

/** Of a file, and of the one that it leads to. */
function keysIn(root: string, file: string): string[] {
  const places = [path.join(realPathOf(path.dirname(file)), path.basename(file)), realPathOf(file)];
  return places.map((place) => keyOf(path.relative(root, place).replaceAll(path.sep, '/')));
}

/** Standard input and URLs have none. */
function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function keyOf(file: string): string {
  return file.toLowerCase();
}
