// Where this repository names its own version.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FILES = [
  'package.json',
  'package-lock.json',
  'client/package.json',
  'README.md',
  'client/README.md',
  'compose.yaml',
  'deploy/**/*.*',
  'deploy/docker/Dockerfile',
  'docs/*.md',
  'docs/production/*.md',
];
/** In manifests, in names of packed files, as the tag and the label of the image, and in the README. */
const NAMED =
  /("name": "changelog-read-(?:api|client)",\s+"version": "|changelog-read-(?:api|client)-|\bchangelog:|\bimage\.version="|\bnewTag: "?|\*\*Status:\*\* version )(\d+\.\d+\.\d+)/g;
const UNRELEASED = /^## \[Unreleased\]\n+(?=###)/m;

export type NamedVersion = Readonly<{ file: string; version: string }>;

export function namedVersions(root: string): NamedVersion[] {
  return listFiles(root).flatMap((file) =>
    [...read(root, file).matchAll(NAMED)].map(([, , version = '']) => ({ file, version })),
  );
}

/** Returns the files that it has changed. */
export function setVersion(root: string, version: string): string[] {
  return listFiles(root).filter((file) => {
    const text = read(root, file);
    const changed = text.replaceAll(NAMED, `$1${version}`);
    if (changed !== text) writeFileSync(path.join(root, file), changed);
    return changed !== text;
  });
}

/** The changelog with what was unreleased as this version, or null if that is nothing. */
export function releaseUnreleased(changelog: string, version: string, date: string): string | null {
  if (!UNRELEASED.test(changelog)) return null;
  return changelog.replace(UNRELEASED, `## [Unreleased]\n\n## [${version}] - ${date}\n\n`);
}

function listFiles(root: string): string[] {
  return globSync(FILES, { cwd: root }).sort();
}

function read(root: string, file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
