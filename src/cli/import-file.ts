// Writes the versions of changelog files, for `import`, `import-workspace` and `init`.
import type { Writer } from '../store/engine/engine.ts';
import { type ImportSummary, importVersions } from '../store/import/import.ts';
import type { ProductPath } from '../store/read/reads.ts';
import { type Cli, sayCreated } from './cli.ts';
import { writeAgreed } from './confirm.ts';
import type { NamedChangelog } from './files/read-changelog.ts';
import type { ReadingFlags } from './reading-options.ts';
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
    for (const job of jobs) results.push({ ...job, ...(await importInto(cli, trx, job, flags)) });
    return results;
  };
  const { create = false, dryRun: isDryRun = false } = flags;
  const options = { create, isDryRun, onCreated: sayCreated(cli) };
  const isAgreed = isDryRun || !flags.prune || flags.yes === true;
  return await writeAgreed(cli, isAgreed, run, describeDeleted, options);
}

function describeDeleted(results: readonly ImportResult[]): string {
  const parts = results.map(({ report }) => report.describeDeleted()).filter((part) => part !== null);
  return new Intl.ListFormat('en-GB').format(parts);
}

export async function importInto(
  cli: Cli,
  trx: Writer,
  { product, productName, changelog }: ImportJob,
  flags: ImportFlags,
): Promise<ImportResult> {
  const { versions, name, description, fileName, isLong } = changelog;
  const { create = false, publish = false, prune = false, force = false, publishedAt = null } = flags;
  const report = new ImportReport(product, changelog, flags, cli.now());
  let progress = NO_PROGRESS;
  try {
    const summary = await importVersions(trx, product, versions, {
      ...{ name, description, create, publish, prune, force, publishedAt },
      source: fileName,
      ...(productName !== undefined && { initial: { productName } }),
      now: cli.now(),
      report: (...outcome) => report.add(...outcome),
      reportTarget: (outcome) => report.targets.push(outcome),
      reportDescription: (action) => {
        report.description = action;
      },
      onWritten: (count, whole) => {
        if (isLong && count === 1)
          progress = startProgress(cli, { what: `importing ${fileName}`, whole, format: formatVersions });
        progress.done(count);
      },
    });
    return { report, summary };
  } finally {
    progress.end();
  }
}
