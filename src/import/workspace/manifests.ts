// What the manifests at the root of a monorepo say about its packages, and a package's own about its name.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { SyntaxProblem } from '../../content/read/json.ts';
import { parseYaml } from '../../content/read/parse.ts';
import { Refusal } from '../../errors.ts';
import { readToml } from './toml.ts';

const MANIFEST_BYTES_MAX = 4 * 1024 * 1024;

export type Members = Readonly<{
  /** The file that says so. */
  source: string;
  /** Folders or globs; those that start with `!` are left out. */
  patterns: readonly string[];
  /** A folder without one of these files is not a package. */
  manifests: readonly string[];
}>;

/** What release-please knows of a package. */
export type ReleaseConfig = Readonly<{ name: string | null; changelog: string | null }>;

const NPM = ['package.json', 'package.yaml', 'package.json5'];
const RELEASE_CONFIG = 'release-please-config.json';
const RELEASE_MANIFEST = '.release-please-manifest.json';

export const ROOT_MANIFESTS =
  'package.json with workspaces, pnpm-workspace.yaml, lerna.json, Cargo.toml with [workspace], go.work or release-please-config.json';

export function readMembers(root: string): Members[] {
  const npm = readManifest(root, 'package.json');
  const pnpm = readManifest(root, 'pnpm-workspace.yaml');
  const lerna = readManifest(root, 'lerna.json');
  const cargo = readTable(root, 'Cargo.toml');
  const go = readText(root, 'go.work');
  const released = [RELEASE_CONFIG, RELEASE_MANIFEST].find((file) => fileInside(root, file) !== null);

  const found: Members[] = [];
  const add = (source: string, patterns: readonly string[] | null, manifests: readonly string[]) => {
    if (patterns !== null) found.push({ source, patterns, manifests });
  };
  add(
    'package.json',
    strings(fieldOf(npm, 'workspaces')) ?? strings(fieldOf(npm, 'workspaces', 'packages')),
    NPM,
  );
  add('pnpm-workspace.yaml', strings(fieldOf(pnpm, 'packages')), NPM);
  // Without a list, Lerna takes that of the package manager, or else this.
  const byDefault = lerna === null || found.length > 0 ? null : ['packages/*'];
  add('lerna.json', strings(fieldOf(lerna, 'packages')) ?? byDefault, NPM);
  const excluded = strings(cargo?.get('workspace.exclude')) ?? [];
  const crates = strings(cargo?.get('workspace.members'));
  add('Cargo.toml', crates && [...crates, ...excluded.flatMap((at) => [`!${at}`, `!${at}/**`])], [
    'Cargo.toml',
  ]);
  add('go.work', go === null ? null : parseGoWork(go), ['go.mod']);
  if (released !== undefined) add(released, [...readReleaseConfigs(root).keys()], []);
  return found;
}

/** By folder. The changelog is relative to it, or to the root if it starts with a slash. */
export function readReleaseConfigs(root: string): Map<string, ReleaseConfig> {
  const config = readManifest(root, RELEASE_CONFIG);
  const packages = fieldOf(config, 'packages') ?? readManifest(root, RELEASE_MANIFEST) ?? {};
  const common = text(fieldOf(config, 'changelog-path'));
  return new Map(
    Object.entries(packages).map(([folder, own]) => [
      path.posix.normalize(folder),
      {
        name: text(fieldOf(own, 'package-name')) ?? text(fieldOf(own, 'component')),
        changelog: text(fieldOf(own, 'changelog-path')) ?? common,
      },
    ]),
  );
}

/** The name in the package's own manifest; null if none has one. */
export function readName(folder: string, root: string): string | null {
  const at = (file: string) => path.join(path.relative(root, folder), file);
  return (
    text(fieldOf(readManifest(root, at('package.json')), 'name')) ??
    text(readTable(root, at('Cargo.toml'))?.get('package.name')) ??
    text(readTable(root, at('pyproject.toml'))?.get('project.name')) ??
    /^[ \t]*module[ \t]+["`]?([^\s"`]+)/m.exec(readText(root, at('go.mod')) ?? '')?.[1] ??
    null
  );
}

/** The version in a manifest: package.json and other JSON, Cargo.toml, pyproject.toml. */
export function readVersion(file: string): string {
  const [root, name] = [path.dirname(file), path.basename(file)];
  const version = /\.toml$/i.test(name)
    ? versionInToml(root, name)
    : /\.json$/i.test(name)
      ? text(fieldOf(readManifest(root, name), 'version'))
      : null;
  if (version !== null) return version;
  if (fileInside(root, name) === null)
    throw new Refusal(`${file} cannot be read: no such file; check its name.`);
  throw new Refusal(
    `${file} has no version; pass a package.json, Cargo.toml or pyproject.toml that has one, or use --version.`,
  );
}

/** A crate may have the version of its workspace, which is in the same file or in a folder above. */
function versionInToml(root: string, name: string): string | null {
  const table = readTable(root, name);
  const own = ['package.version', 'project.version', 'tool.poetry.version', 'workspace.package.version'];
  const version = own.map((field) => text(table?.get(field))).find((found) => found !== null);
  if (version !== undefined || !table?.has('package.name')) return version ?? null;
  for (let at = path.dirname(root); ; at = path.dirname(at)) {
    const above = text(readTable(at, 'Cargo.toml')?.get('workspace.package.version'));
    if (above !== null || at === path.dirname(at)) return above;
  }
}

/** `use ./core`, or a block of them in parentheses. */
function parseGoWork(source: string): string[] {
  const lines = source.replaceAll(/\/\/[^\n]*/g, '');
  return [...lines.matchAll(/^[ \t]*use[ \t]+(?:\(([^)]*)\)|([^\s(].*))$/gm)]
    .flatMap(([, block, one]) => (block ?? one ?? '').split('\n'))
    .map((line) => line.trim().replaceAll(/^["`]|["`]$/g, ''))
    .filter(Boolean);
}

function readTable(root: string, file: string) {
  const source = readText(root, file);
  return source === null ? null : readToml(source);
}

/** Null if there is no such file. */
function readManifest(root: string, file: string): unknown {
  const source = readText(root, file);
  if (source === null) return null;
  try {
    return file.endsWith('.yaml') ? parseYaml(source) : JSON.parse(source);
  } catch (error) {
    if (!(error instanceof SyntaxProblem || error instanceof SyntaxError)) throw error;
    throw new Refusal(`${path.join(root, file)} cannot be read: ${error.message}`, { cause: error });
  }
}

function readText(root: string, file: string): string | null {
  const found = fileInside(root, file);
  if (found === null) return null;
  if (statSync(found).size > MANIFEST_BYTES_MAX)
    throw new Refusal(`${found} exceeds ${MANIFEST_BYTES_MAX / 2 ** 20} MiB, which is no manifest`);
  return readFileSync(found, 'utf8').replace(/^\uFEFF/, '');
}

/** The real path of a file; null if there is none, or if links and dots lead out of the folder. */
export function fileInside(folder: string, file: string): string | null {
  try {
    const found = realpathSync(path.join(folder, file));
    return found.startsWith(`${folder}${path.sep}`) && statSync(found).isFile() ? found : null;
  } catch {
    return null;
  }
}

function fieldOf(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string, unknown>)[name]
        : undefined,
    value,
  );
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

function strings(value: unknown): string[] | null {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : null;
}
