// Finds the packages of a monorepo and their changelogs. Links are not followed, and nothing outside of it is read.
import { readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from '../../errors.ts';
import { type Glob, globCompiler } from './glob.ts';
import {
  fileInside,
  type Members,
  type ReleaseConfig,
  ROOT_MANIFESTS,
  readMembers,
  readName,
  readReleaseConfigs,
} from './manifests.ts';

const PACKAGES_MAX = 2_000;
const FOLDERS_MAX = 100_000;
const SKIPPED_FOLDERS = ['node_modules', '.git'];
const CHANGELOG_NAMES = ['changelog', 'history', 'changes', 'news'];
const CHANGELOG_FILE =
  /^(changelog|history|changes|news)(\.(?:md|markdown|rst|adoc|asciidoc|rdoc|org|txt))?$/i;

export type Package = Readonly<{
  /** Relative to the root, with slashes; `.` for the root. */
  folder: string;
  name: string;
  /** The path of its changelog, relative to the root; null if it has none. */
  changelog: string | null;
}>;

export type Workspace = Readonly<{
  sources: readonly string[];
  packages: readonly Package[];
  warnings: readonly string[];
}>;

type CompiledMembers = Members & Readonly<{ wanted: readonly Glob[]; unwanted: readonly Glob[] }>;

/** `excluded` are globs for folders. Messages name the folder as it was given, relative to `base`. */
export function findPackages(given: string, excluded: readonly string[] = [], base = ''): Workspace {
  const root = requireFolder(given, base);
  const compile = globCompiler(given);
  const members = readMembers(root).map((each) => compileMembers(each, compile));
  if (members.length === 0) throw new Refusal(`${given} is not a monorepo: it has no ${ROOT_MANIFESTS}`);
  const releases = readReleaseConfigs(root);
  const left = excluded.map((pattern) => compile(tidy(pattern)));
  const folders = listFolders(root, members).filter((folder) => !left.some((glob) => glob(folder).isMatch));
  if (folders.length > PACKAGES_MAX)
    throw new Refusal(`${given} has more than ${PACKAGES_MAX.toLocaleString('en')} packages`);
  const outside = members.flatMap(({ source, patterns }) =>
    patterns
      .filter(leadsOut)
      .map((pattern) => `${path.join(given, source)}: ${pattern} leads out of ${given}; left out`),
  );
  return {
    sources: members.map(({ source }) => source),
    packages: folders.map((folder) => describePackage(root, folder, releases.get(folder))),
    warnings: outside,
  };
}

function requireFolder(given: string, base: string): string {
  try {
    const root = realpathSync(path.resolve(base, given));
    readdirSync(root);
    return root;
  } catch (error) {
    throw new Refusal(`${given} is not a folder that can be read; pass the root of a monorepo`, {
      cause: error,
    });
  }
}

/** Without the dots and slashes around it. */
function tidy(pattern: string): string {
  const [, not = '', rest = ''] = /^(!?)(.*)$/s.exec(pattern) ?? [];
  return not + (path.posix.normalize(rest).replace(/\/+$/, '') || '/');
}

const leadsOut = (pattern: string) => /^(?:\.\.(?:\/|$)|\/)/.test(pattern);

function compileMembers(members: Members, compile: (pattern: string) => Glob): CompiledMembers {
  const patterns = members.patterns.map(tidy);
  const { wanted = [], unwanted = [] } = Object.groupBy(patterns, (pattern) =>
    pattern.startsWith('!') ? 'unwanted' : 'wanted',
  );
  return {
    ...members,
    patterns,
    wanted: wanted.map(compile),
    unwanted: unwanted.map((pattern) => compile(pattern.slice(1))),
  };
}

/** The root, and the folders that are packages. */
function listFolders(root: string, members: readonly CompiledMembers[]): string[] {
  const found = ['.'];
  const waiting = [''];
  const wanted = members.flatMap((each) => each.wanted);
  let count = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (++count > FOLDERS_MAX)
      throw new Refusal(
        `${root} has more than ${FOLDERS_MAX.toLocaleString('en')} folders in which packages may be; name them more exactly in its manifests`,
      );
    const entries = readdirSync(path.join(root, folder), { withFileTypes: true });
    const files = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    if (folder !== '' && members.some((each) => isMember(folder, files, each))) found.push(folder);
    for (const entry of entries) {
      const below = path.posix.join(folder, entry.name);
      if (!entry.isDirectory() || SKIPPED_FOLDERS.includes(entry.name)) continue;
      if (wanted.some((glob) => glob(below).mayLeadTo)) waiting.push(below);
    }
  }
  return found.sort();
}

function isMember(folder: string, files: readonly string[], members: CompiledMembers): boolean {
  const { wanted, unwanted, manifests } = members;
  const matches = (glob: Glob) => glob(folder).isMatch;
  return (
    (manifests.length === 0 || manifests.some((file) => files.includes(file))) &&
    wanted.some(matches) &&
    !unwanted.some(matches)
  );
}

function describePackage(root: string, folder: string, release?: ReleaseConfig): Package {
  const name =
    readName(path.join(root, folder), root) ?? release?.name ?? path.basename(path.join(root, folder));
  const files = release?.changelog ? [release.changelog] : changelogsIn(path.join(root, folder));
  const paths = files.map((file) =>
    file.startsWith('/') ? path.posix.normalize(file.slice(1)) : path.posix.join(folder, file),
  );
  return { folder, name, changelog: paths.find((file) => fileInside(root, file) !== null) ?? null };
}

/** The best first. A link is not the package's own: many lead to the changelog of the root. */
function changelogsIn(folder: string): string[] {
  const rank = (name: string) => {
    const [, stem = '', extension = ''] = CHANGELOG_FILE.exec(name) ?? [];
    return CHANGELOG_NAMES.indexOf(stem.toLowerCase()) * 2 + (/^\.(?:md|markdown)$/i.test(extension) ? 0 : 1);
  };
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && CHANGELOG_FILE.test(entry.name))
    .map(({ name }) => name)
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
