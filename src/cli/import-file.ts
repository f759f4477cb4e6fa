// Writes the versions of changelog files, for `import`, `import-workspace` and `init`.
import type { Writer } from '../store/engine/engine.ts';
import { type ImportOutcome, importVersions } from '../store/import/import.ts';
import type { TargetOptions } from '../store/import/target.ts';
import type { ProductPath } from '../store/read/reads.ts';
import type { Outcome } from '../store/write/versions.ts';
import { type Cli, sayCreated } from './cli.ts';
import { writeAgreed } from './confirm.ts';
import type { NamedChangelog } from './files/read-changelog.ts';
import type { ReadingFlags } from './reading-options.ts';
import { type Dated, warnOfDates } from './report/dates.ts';
import { describeDeleted, type Imported, NO_VERSIONS, warnOfUndated } from './report/import-report.ts';
import { formatVersions, withProgress } from './terminal/progress.ts';

export type ImportFlags = ReadingFlags & {
  dryRun?: boolean;
  prune?: boolean;
  force?: boolean;
  create?: boolean;
  publish?: boolean;
  datesFromGit?: string;
  publishedAt?: string;
  yes?: boolean;
};

export type ImportJob = Readonly<{
  product: ProductPath;
  /** What a new team and a new product are, if not drafts that are called like their slugs. */
  initial?: NonNullable<TargetOptions['initial']>;
  changelog: NamedChangelog;
}>;

/** Runs all imports in one transaction. Asks first if they would delete something. */
export async function runImports(
  cli: Cli,
  jobs: readonly ImportJob[],
  flags: ImportFlags,
): Promise<Imported[]> {
  const run = async (trx: Writer) => {
    const results: Imported[] = [];
    for (const job of jobs) results.push(await importInto(cli, trx, job, flags));
    return results;
  };
  const describe = (results: readonly Imported[]) =>
    new Intl.ListFormat('en-GB').format(results.map(describeDeleted).filter((part) => part !== ''));
  const { create = false, dryRun: isDryRun = false } = flags;
  const options = { create, isDryRun, onCreated: sayCreated(cli) };
  const isAgreed = isDryRun || !flags.prune || flags.yes === true;
  return await writeAgreed(cli, isAgreed, run, describe, options);
}

export async function importInto(
  cli: Cli,
  trx: Writer,
  { product, initial = {}, changelog }: ImportJob,
  flags: ImportFlags,
): Promise<Imported> {
  const { versions, name, description: source, fileName } = changelog;
  const { create = false, publish = false, prune = false, force = false, publishedAt = null } = flags;
  const dated: Dated[] = [];
  const counts = { ...NO_VERSIONS };
  const outcomes: ImportOutcome[] = [];
  const targets: Outcome[] = [];
  const work = { what: `importing ${fileName}`, format: formatVersions };
  const summary = await withProgress(cli, work, (onWritten) =>
    importVersions(trx, product, versions, {
      ...{ name, description: source, create, publish, prune, force, publishedAt },
      source: fileName,
      initial,
      now: cli.now(),
      report: (outcome, publishedAt, publishAt) => {
        counts[outcome.action]++;
        dated.push({ name: `${product.team}/${product.product} ${outcome.version}`, publishedAt, publishAt });
        if (outcome.action !== 'unchanged') outcomes.push(outcome);
      },
      reportTarget: (outcome) => targets.push(outcome),
      onWritten,
    }),
  );
  const warnings = [
    ...changelog.warnings,
    ...warnOfDates(dated, cli.now(), { isFile: true }),
    ...warnOfUndated(changelog, summary, flags.datesFromGit),
  ];
  const isDryRun = flags.dryRun ?? false;
  return { product, changelog, isDryRun, summary, targets, counts, outcomes, warnings };
}
