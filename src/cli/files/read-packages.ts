// The changelogs of several packages, those of a monorepo or files of their own.
import { statSync } from 'node:fs';
import path from 'node:path';
import { INPUT_BYTES_MAX } from '../../content/input.ts';
import { slugOf } from '../../domain/slug.ts';
import { Refusal } from '../../errors.ts';
import type { Package } from '../../import/workspace/packages.ts';
import type { Cli } from '../cli.ts';
import type { NamedChangelog } from './read-changelog.ts';

/** After this many lines of errors, no further file is read. */
const ERROR_LINES_MAX = 20;

export type PackageChangelog = Readonly<{
  name: string;
  /** Relative to the root of the monorepo. */
  folder: string;
  slug: string;
  changelog: NamedChangelog;
}>;

type FoundPackage = Package & Readonly<{ changelog: string }>;

/** `done` is for the message. `read` gets the file, and the names that its tags may begin with. Reports the problems of all files at once. */
export async function readPackages(
  cli: Cli,
  root: string,
  exclude: readonly string[] | undefined,
  done: 'imported' | 'written',
  read: (file: string, names: readonly string[]) => Promise<NamedChangelog>,
) {
  const { findPackages } = await import('../../import/workspace/packages.ts');
  const { chooseSlugs } = await import('../../import/workspace/slugs.ts');
  const { sources, packages, warnings } = findPackages(root, exclude, cli.folder);
  const found = packages.filter((each): each is FoundPackage => each.changelog !== null);
  if (found.length === 0)
    throw new Refusal(
      `no package of ${root} has a changelog: a file such as CHANGELOG.md, HISTORY.md, CHANGES.md or NEWS.md`,
    );
  const slugs = chooseSlugs(found);
  const files = found.map(({ changelog }) => path.join(root, changelog));
  const bytes = files.reduce((sum, file) => sum + statSync(path.resolve(cli.folder, file)).size, 0);
  if (bytes > INPUT_BYTES_MAX)
    throw new Refusal(
      `the changelogs in ${root} exceed ${INPUT_BYTES_MAX / 2 ** 20} MiB together; import the largest one by one, and leave them out with --exclude`,
    );
  const changelogs: PackageChangelog[] = [];
  const problems: string[] = [];
  for (const [index, { name, folder }] of found.entries()) {
    if (problems.length >= ERROR_LINES_MAX) {
      problems.push(`Not checked: ${files.slice(index).join(', ')}.`);
      break;
    }
    try {
      const changelog = await read(files[index] ?? '', [name, folder]);
      changelogs.push({ name, folder, slug: slugs[index] ?? '', changelog });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push(error.message, ...error.more);
    }
  }
  const [first, ...more] = problems;
  const advice = `Nothing was ${done}. Fix these files, or leave their packages out with --exclude FOLDER.`;
  if (first !== undefined) throw new Refusal(first, { more: [...more, advice] });
  const without = packages.filter(({ changelog, folder }) => changelog === null && folder !== '.');
  return {
    sources,
    warnings,
    changelogs,
    /** Of the root. */
    name:
      packages.find(({ folder }) => folder === '.')?.name ?? path.basename(path.resolve(cli.folder, root)),
    withoutChangelog: without.map(({ folder }) => folder),
  };
}

/** `rocket-engine` becomes `Rocket Engine`. */
export function titleOf(folder: string): string {
  const words = slugOf(folder).split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
