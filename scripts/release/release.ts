// What `npm run release` does: checks, then a commit and a tag, or nothing at all.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { namedVersions, releaseUnreleased, setVersion } from './versions.ts';

const BRANCH = 'main';
const CHANGELOG = 'CHANGELOG.md';

export type Releasing = Readonly<{
  root: string;
  /** Such as 2026-11-18. */
  date: string;
  /** Runs a program of the repository and says whether it succeeded. */
  run: (program: string, ...args: string[]) => boolean;
}>;

/** Commits and tags this version, and returns null; or changes nothing and returns what is wrong. Pushes nothing. */
export function release(version: string, { root, date, run }: Releasing): string | null {
  const git = gitIn(root);
  const changelog = readFileSync(path.join(root, CHANGELOG), 'utf8');
  const released = releaseUnreleased(changelog, version, date);
  const current = namedVersions(root).find(({ file }) => file === 'package.json')?.version ?? '';
  if (!/^\d+\.\d+\.\d+$/.test(version)) return `"${version}" is not a version such as 1.4.0`;
  if (!isNewer(version, current))
    return `${version} is not newer than ${current}, the version of package.json`;
  if (git('branch', '--show-current') !== BRANCH) return `releases are made on ${BRANCH}: switch to it`;
  if (git('status', '--porcelain') !== '')
    return 'there are changes that are not committed: commit or stash them';
  if (git('tag', '--list', `v${version}`) !== '') return `the tag v${version} already exists`;
  if (released === null) return `${CHANGELOG} has no changes below [Unreleased]: nothing to release`;
  if (!run('bin/changelog', 'check', CHANGELOG)) return `${CHANGELOG} has problems: see above`;

  writeFileSync(path.join(root, CHANGELOG), released);
  const files = [CHANGELOG, ...setVersion(root, version)];
  if (!run('.ci/run')) {
    git('checkout', '--', ...files);
    return 'the checks failed: see above. Nothing was changed';
  }
  git('commit', '--quiet', '--message', `Release ${version}`, '--', ...files);
  git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
  return null;
}

/** What is wrong with a tag that is about to be published, or null. */
export function tagProblem(tag: string, { root, run }: Omit<Releasing, 'date'>): string | null {
  const version = tag.replace(/^v/, '');
  const other = namedVersions(root).find((named) => named.version !== version);
  if (other !== undefined) return `the tag is ${tag}, but ${other.file} names version ${other.version}`;
  if (!run('bin/changelog', 'check', CHANGELOG, '--version', version))
    return `${CHANGELOG} has problems: see above`;
  return null;
}

function isNewer(version: string, current: string): boolean {
  return version.localeCompare(current, 'en', { numeric: true }) > 0;
}

function gitIn(root: string) {
  return (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
    return stdout.trim();
  };
}
