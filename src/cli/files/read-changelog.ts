// Reads changelog files, for commands with and without a database.
import path from 'node:path';
import { slugOf } from '../../domain/slug.ts';
import { Refusal } from '../../errors.ts';
import type { ChooseLabels, ImportedChangelog } from '../../import/changelog.ts';
import type { Cli } from '../cli.ts';
import { type ReadingFlags, rulesOf } from '../reading-options.ts';
import { forAll, openSource } from './open-file.ts';

export type NamedChangelog = ImportedChangelog & Readonly<{ fileName: string; isModified?: boolean }>;

export async function readFile(
  cli: Cli,
  file: string,
  flags: ReadingFlags,
  choose: ChooseLabels | null = null,
): Promise<NamedChangelog> {
  const { readChangelog } = await import('../../import/read.ts');
  const { format, mergeDuplicates: merging = false, ...rules } = flags;
  const { input, isReleases, ...opened } = await openSource(cli, file);
  const changelog = readChangelog(input, {
    format: isReleases ? 'github-releases' : format,
    merging,
    rules: rulesOf(rules),
    choose,
  });
  return { ...changelog, fileName: input.name, ...opened };
}

/** Dates versions by the tags of a repository, if one is named. Tags may begin with one of the names. */
export async function withTagDates(
  cli: Cli,
  changelog: NamedChangelog,
  repository: string | undefined,
  name: string | readonly string[] | null = changelog.name,
): Promise<NamedChangelog> {
  if (repository === undefined) return changelog;
  const { readTagDates, withDates } = await import('../../import/git-dates.ts');
  const { environment } = cli;
  const dateOf = await readTagDates(path.resolve(cli.folder, repository), { name, environment });
  return { ...changelog, versions: withDates(changelog.versions, dateOf) };
}

/** Gets a file, and for a package the names that its tags may begin with. */
type Read = (file: string, names?: readonly string[]) => Promise<NamedChangelog>;

/** The changelogs of the packages of a monorepo, named by their manifests. */
export async function readFolder(cli: Cli, root: string, exclude: readonly string[] | undefined, read: Read) {
  const { findPackages } = await import('../../import/workspace/packages.ts');
  const { sources, packages, warnings } = findPackages(root, exclude, cli.folder);
  const found = packages.flatMap(({ name, folder, changelog }) =>
    changelog === null ? [] : [{ file: path.join(root, changelog), name, folder }],
  );
  if (found.length === 0)
    throw new Refusal(
      `no package of ${root} has a changelog: a file such as CHANGELOG.md, HISTORY.md, CHANGES.md or NEWS.md`,
    );
  const without = packages.filter(({ changelog, folder }) => changelog === null && folder !== '.');
  const rootName = packages.find(({ folder }) => folder === '.')?.name;
  return {
    sources,
    warnings,
    changelogs: await readAll(cli, found, read),
    name: rootName ?? path.basename(path.resolve(cli.folder, root)),
    withoutChangelog: without.map(({ folder }) => folder),
  };
}

/** The changelogs of files, named by their titles or folders. */
export async function readFiles(cli: Cli, files: readonly string[], read: Read) {
  const found = files.map((file) => ({ file, name: null, folder: path.dirname(file) }));
  const changelogs = await readAll(cli, found, read);
  const ofSeveral = titleOf(path.basename(cli.folder)) || 'Changelogs';
  return { warnings: [], changelogs, name: files.length === 1 ? (changelogs[0]?.name ?? '') : ofSeveral };
}

type Found = Readonly<{ file: string; name: string | null; folder: string }>;

/** Each has a name and a slug among the others. */
async function readAll(cli: Cli, found: readonly Found[], read: Read) {
  const changelogs = await forAll(found, async ({ file, name, folder }) => {
    const changelog = await read(file, name === null ? undefined : [name, folder]);
    return { name: name ?? nameOf(cli, file, changelog), folder, changelog };
  });
  const { chooseSlugs } = await import('../../import/workspace/slugs.ts');
  const slugs = chooseSlugs(changelogs);
  return changelogs.map((each, index) => ({ ...each, slug: slugs[index] ?? '' }));
}

/** The name in the file, or that of its folder. `Rocket changelog` is about Rocket; a title that says more is not a name. */
function nameOf(cli: Cli, file: string, { name }: NamedChangelog): string {
  const title = (name ?? '')
    .replace(/[\s:–—-]*\b(?:change ?log|changes|release notes|releases|history|news)\b.*$/i, '')
    .trim();
  const isName = title.split(/\s+/).length <= 3 && !/\b(?:of|for|in|to|the|all)\b/i.test(title);
  const folder = isLocal(file) ? path.basename(path.dirname(path.resolve(cli.folder, file))) : '';
  return (isName && title) || titleOf(folder) || name || 'Changelog';
}

/** Neither standard input nor something to fetch. */
export const isLocal = (file: string) => file !== '-' && !URL.canParse(file);

/** `rocket-engine` becomes `Rocket Engine`. */
export function titleOf(folder: string): string {
  const words = slugOf(folder).split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
