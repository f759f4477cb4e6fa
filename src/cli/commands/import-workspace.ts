import { statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { INPUT_BYTES_MAX } from '../../content/input.ts';
import { isName } from '../../domain/content/content.ts';
import { Refusal } from '../../errors.ts';
import type { Package } from '../../import/workspace/packages.ts';
import { withExamples, withJson } from '../arguments.ts';
import { type Cli, printResult } from '../cli.ts';
import { withYes } from '../confirm.ts';
import { readFile, withTagDates } from '../files/read-changelog.ts';
import { type ImportFlags, type ImportJob, runImports } from '../import-file.ts';
import { rerunCommand } from '../reading-options.ts';
import { warnOfUndated } from '../report/import-report.ts';
import { warn } from '../report/outcomes.ts';
import { formatWorkspaceJson, formatWorkspaceLines } from '../report/workspace-report.ts';
import { outputPaint } from '../terminal/colours.ts';
import { withImportOptions } from './import.ts';

/** After this many lines of errors, no further file is read. */
const ERROR_LINES_MAX = 20;

type WorkspaceFlags = ImportFlags & { exclude?: string[] };
type WorkspaceJob = ImportJob & Readonly<{ folder: string }>;
type FoundPackage = Package & Readonly<{ changelog: string }>;

export function addImportWorkspace(program: Command, cli: Cli): void {
  const command = withExamples(
    withYes(withJson(program.command('import-workspace'))),
    'import-workspace acme . --dry-run',
    'import-workspace acme . --publish --dates-from-git .',
    "import-workspace acme . --exclude 'packages/legacy-*'",
  )
    .description('load the changelogs of a monorepo, one product a package, in one transaction')
    .argument('<team>', 'slug of the team; created if it does not exist, like the products')
    .argument('<dir>', 'root of the monorepo')
    .option('--publish', 'make a new team public, and publish the products and changelogs')
    .option('--exclude <folder>', 'leave out packages in folders like this; may be repeated', collect);
  withImportOptions(command).action(async (team: string, folder: string, typed: WorkspaceFlags) => {
    const { findPackages } = await import('../../import/workspace/packages.ts');
    const flags = { ...typed, create: true };
    const { sources, packages, warnings } = findPackages(folder, flags.exclude, cli.folder);
    const found = packages.filter((each): each is FoundPackage => each.changelog !== null);
    const jobs = await readJobs(cli, { team, folder }, found, flags);
    const results = await runImports(cli, jobs, flags);
    const about = {
      team,
      folder,
      sources,
      dryRun: flags.dryRun ?? false,
      products: results,
      withoutChangelog: packages
        .filter((each) => each.changelog === null && each.folder !== '.')
        .map((each) => each.folder),
      rerun: rerunOf(team, folder, flags),
    };
    printResult(cli, flags, flags.json ? formatWorkspaceJson(about) : null, () =>
      formatWorkspaceLines(about, outputPaint(cli)),
    );
    const undated = results.reduce((sum, { summary }) => sum + summary.undatedDrafts, 0);
    const own = results.flatMap(({ report }) => report.ownWarnings());
    warn(cli, [...warnings, ...own, ...warnOfUndated(folder, undated, flags)]);
  });
}

const collect = (text: string, before: string[] = []) => [...before, text];

/** Unlike that of `import`, it publishes again: the next release may add a package. */
function rerunOf(team: string, folder: string, flags: WorkspaceFlags): string {
  const { publish, exclude = [] } = flags;
  const options = [...(publish ? ['--publish'] : []), ...exclude.flatMap((each) => ['--exclude', each])];
  return rerunCommand(['import-workspace', team, folder, ...options], flags);
}

/** Reports the problems of all files at once. */
async function readJobs(
  cli: Cli,
  { team, folder }: { team: string; folder: string },
  found: readonly FoundPackage[],
  flags: WorkspaceFlags,
): Promise<WorkspaceJob[]> {
  const { chooseSlugs } = await import('../../import/workspace/slugs.ts');
  if (found.length === 0)
    throw new Refusal(
      `no package of ${folder} has a changelog: a file such as CHANGELOG.md, HISTORY.md, CHANGES.md or NEWS.md`,
    );
  const slugs = chooseSlugs(found);
  const files = found.map(({ changelog }) => path.join(folder, changelog));
  requireSmall(
    files.map((file) => path.resolve(cli.folder, file)),
    folder,
  );
  const jobs: WorkspaceJob[] = [];
  const problems: string[] = [];
  for (const [index, file] of files.entries()) {
    const { name, folder } = found[index] as FoundPackage;
    if (problems.length >= ERROR_LINES_MAX) {
      problems.push(`Not checked: ${files.slice(index).join(', ')}.`);
      break;
    }
    try {
      const read = await readFile(cli, file, flags);
      const { datesFromGit } = flags;
      const names = [name, folder];
      const changelog =
        datesFromGit === undefined ? read : await withTagDates(cli, read, datesFromGit, names);
      const product = { team, product: slugs[index] ?? '' };
      jobs.push({ product, changelog, folder, ...(isName(name) && { productName: name }) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push(error.message, ...error.more);
    }
  }
  const [first, ...more] = problems;
  if (first === undefined) return jobs;
  throw new Refusal(first, { more: [...more, LEAVE_OUT] });
}

const LEAVE_OUT = 'Nothing was imported. Fix these files, or leave their packages out with --exclude FOLDER.';

function requireSmall(files: readonly string[], folder: string): void {
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  if (bytes > INPUT_BYTES_MAX)
    throw new Refusal(
      `the changelogs in ${folder} exceed ${INPUT_BYTES_MAX / 2 ** 20} MiB together; import the largest one by one, and leave them out with --exclude`,
    );
}
