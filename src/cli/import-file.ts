// Reads changelog files and writes their versions, for `import`, `import-workspace` and `init`.
import path from 'node:path';
import type { ImportedChangelog } from '../import/changelog.ts';
import type { Writer } from '../store/engine/engine.ts';
import { type ImportSummary, importVersions } from '../store/import/import.ts';
import type { ProductPath } from '../store/read/reads.ts';
import { type Cli, withWriter } from './cli.ts';
import { confirm, notAgreedError } from './confirm.ts';
import { dryRun } from './dry-run.ts';
import { openFile } from './files/open-file.ts';
import { sayCreated } from './missing-database.ts';
import { type ReadingFlags, rulesOf } from './reading-options.ts';
import { ImportReport } from './report/import-report.ts';
import { formatVersions, NO_PROGRESS, startProgress } from './terminal/progress.ts';

export type ImportFlags = ReadingFlags & {
  dryRun?: boolean;
  json?: boolean;
  prune?: boolean;
  force?: boolean;
  create?: boolean;
  publish?: boolean;
  explain?: boolean;
  publishedAt?: string;
  yes?: boolean;
  /** The command to run after each release. */
  rerun?: string;
};

export type NamedChangelog = ImportedChangelog &
  Readonly<{ fileName: string; isLong: boolean; isModified?: boolean }>;

export async function readFile(
  cli: Cli,
  file: string,
  flags: ReadingFlags,
  open = openFile,
): Promise<NamedChangelog> {
  const { readChangelog } = await import('../import/read.ts');
  const { format, mergeDuplicates: merging = false, ...rules } = flags;
  const { input, isReleases, ...opened } = await open(cli, file, 'import it in parts');
  const changelog = readChangelog(input, {
    format: isReleases ? 'github-releases' : format,
    merging,
    rules: rulesOf(rules),
  });
  return { ...changelog, fileName: input.name, ...opened };
}

/** Dates versions by the tags of a repository, which may begin with one of these names. */
export async function withTagDates(
  cli: Cli,
  changelog: NamedChangelog,
  repository: string,
  name: string | readonly string[] | null = changelog.name,
): Promise<NamedChangelog> {
  const { readTagDates, withDates } = await import('../import/git-dates.ts');
  const { environment } = cli;
  const dateOf = await readTagDates(path.resolve(cli.folder, repository), { name, environment });
  return { ...changelog, versions: withDates(changelog.versions, dateOf) };
}

export type ImportJob = Readonly<{
  product: ProductPath;
  /** What a new product is called, if not like its slug. */
  productName?: string;
  changelog: NamedChangelog;
}>;

export type ImportResult = Readonly<{ report: ImportReport; summary: ImportSummary }>;

/** Runs all imports in one transaction. Asks first if they would delete something. */
export async function runImports<Job extends ImportJob>(
  cli: Cli,
  jobs: readonly Job[],
  flags: ImportFlags,
): Promise<(Job & ImportResult)[]> {
  const run = async (trx: Writer) => {
    const results: (Job & ImportResult)[] = [];
    for (const job of jobs) {
      const report = new ImportReport(job.product, job.changelog, flags, cli.now());
      results.push({ ...job, report, summary: await importInto(cli, trx, job, flags, report) });
    }
    return results;
  };
  const create = flags.create ?? false;
  const options = { create, onCreated: sayCreated(cli) };
  if (flags.dryRun) return await dryRun(cli, run, { create });
  if (!flags.prune || flags.yes) return await withWriter(cli, run, options);
  const agreed = describeDeleted(await dryRun(cli, run, { create }));
  if (agreed !== '') await confirm(cli, agreed);
  const runAgreed = async (trx: Writer) => {
    const results = await run(trx);
    const found = describeDeleted(results);
    if (found !== '' && found !== agreed) throw notAgreedError(found);
    return results;
  };
  return await withWriter(cli, runAgreed, options);
}

function describeDeleted(results: readonly ImportResult[]): string {
  const parts = results.map(({ report }) => report.describeDeleted()).filter((part) => part !== null);
  return new Intl.ListFormat('en-GB').format(parts);
}

export async function importInto(
  cli: Cli,
  trx: Writer,
  { product, productName, changelog }: ImportJob,
  { create = false, publish = false, prune = false, force = false, publishedAt }: ImportFlags,
  report: ImportReport,
): Promise<ImportSummary> {
  const { versions, name, description, fileName, isLong } = changelog;
  const start = (what: string, whole: number) =>
    isLong ? startProgress(cli, { what: `${what} ${fileName}`, whole, format: formatVersions }) : NO_PROGRESS;
  let progress = start('comparing', versions.length);
  try {
    return await importVersions(trx, product, versions, {
      source: fileName,
      name,
      description,
      create,
      ...(productName !== undefined && { initial: { productName } }),
      publish,
      prune,
      force,
      publishedAt: publishedAt ?? null,
      now: cli.now(),
      report: (outcome, date) => report.add(outcome, date),
      reportTarget: (outcome) => report.addTarget(outcome),
      reportDescription: (action) => report.addDescription(action),
      onCompared: (count) => progress.done(count),
      onWritten: (count, whole) => {
        if (count === 1) {
          progress.end();
          progress = start('importing', whole);
        }
        progress.done(count);
      },
    });
  } finally {
    progress.end();
  }
}
