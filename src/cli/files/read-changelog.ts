// Reads changelog files, for commands with and without a database.
import path from 'node:path';
import type { ChooseLabels, ImportedChangelog } from '../../import/changelog.ts';
import type { Cli } from '../cli.ts';
import { type ReadingFlags, rulesOf } from '../reading-options.ts';
import { openFile } from './open-file.ts';

export type NamedChangelog = ImportedChangelog &
  Readonly<{ fileName: string; isLong: boolean; isModified?: boolean }>;

export async function readFile(
  cli: Cli,
  file: string,
  flags: ReadingFlags,
  open = openFile,
  choose: ChooseLabels | null = null,
): Promise<NamedChangelog> {
  const { readChangelog } = await import('../../import/read.ts');
  const { format, mergeDuplicates: merging = false, ...rules } = flags;
  const { input, isReleases, ...opened } = await open(cli, file, 'import it in parts');
  const changelog = readChangelog(input, {
    format: isReleases ? 'github-releases' : format,
    merging,
    rules: rulesOf(rules),
    choose,
  });
  return { ...changelog, fileName: input.name, ...opened };
}

/** Dates versions by the tags of a repository, if one is named. Tags may begin with one of these names. */
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
