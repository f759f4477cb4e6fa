// Default answers, guessed from the project in the folder.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const CHANGELOG_FILES = ['CHANGELOG.md', 'Changelog.md', 'changelog.md', 'HISTORY.md'];
const SLUG_CHARACTERS_MAX = 64;

export type Defaults = Readonly<{
  team: string;
  product: string;
  changelogFile: string | null;
}>;

export function guessDefaults(folder: string): Defaults {
  const [, scope, packageName] = /^(?:@([^/]+)\/)?(.+)$/.exec(readPackageName(folder)) ?? [];
  const remote = readRemote(folder);
  const product = [packageName, remote?.repository, path.basename(folder)].find(hasSlug) ?? 'product';
  const team = [scope, remote?.owner].find(hasSlug) ?? product;
  return {
    team: asTitle(team),
    product: asTitle(product),
    changelogFile: CHANGELOG_FILES.find((file) => existsSync(path.join(folder, file))) ?? null,
  };
}

/** The slug made from a name; empty if the name has no character that a URL allows. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, SLUG_CHARACTERS_MAX)
    .replace(/-$/, '');
}

function hasSlug(name: string | undefined): name is string {
  return name !== undefined && slugOf(name) !== '';
}

/** `rocket-engine` → `Rocket Engine`, without invisible characters. */
function asTitle(name: string): string {
  return name
    .replaceAll(/\p{C}/gu, '')
    .split(/[-_.\s]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

function readPackageName(folder: string): string {
  try {
    const { name } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return typeof name === 'string' ? name : '';
  } catch {
    return '';
  }
}

function readRemote(folder: string): { owner: string; repository: string } | null {
  const url = runGit(folder, 'config', '--get', 'remote.origin.url')?.trim() ?? '';
  const [, owner, repository] =
    /^(?:\w+:\/\/[^/]+\/|[^/:]+@[^/:]+:)(?:.*\/)?([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url) ?? [];
  return owner && repository ? { owner, repository } : null;
}

/**
 * Whether git would add this file. If git is not installed but there is a repository, it might. Git would read the index
 * with the help of commands that the configuration of the repository names.
 */
export function isTrackedByGit(folder: string, file: string): boolean {
  return isInRepository(folder) && runGit(folder, 'check-ignore', '--quiet', '--no-index', file) === null;
}

/** Whether git has the file already, so that it does not matter whether it is ignored. */
export function isCommitted(folder: string, file: string): boolean {
  return runGit(folder, 'ls-files', '--error-unmatch', file) !== null;
}

function isInRepository(folder: string): boolean {
  if (existsSync(path.join(folder, '.git'))) return true;
  const parent = path.dirname(folder);
  return parent !== folder && isInRepository(parent);
}

/** The output of git, or null if it fails or is not installed. The program that a repository may name is not run. */
function runGit(folder: string, ...args: string[]): string | null {
  try {
    return execFileSync('git', ['-c', 'core.fsmonitor=false', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null;
  }
}
