import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { SpoolQuota } from '../../content/input/spool.ts';
import { normaliseTimestamp } from '../../domain/timestamp.ts';
import { Refusal } from '../../errors.ts';
import { type ImportedChangelog, READABLE_FORMATS, type ReadableFormat } from '../../import/changelog.ts';
import type { Writer } from '../../store/engine/engine.ts';
import { type ImportSummary, importVersions } from '../../store/import/import.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import { choice, parseProduct, withExamples, withJson, wordsOf } from '../arguments.ts';
import { type Cli, configOf, withWriter } from '../cli.ts';
import { dryRun } from '../dry-run.ts';
import { openFile, requireNoUrl } from '../files/open-file.ts';
import { sayCreated } from '../missing-database.ts';
import {
  formatRemembered,
  type ReadingFlags,
  rulesOf,
  type SettledOptions,
  settleOptions,
  withReadingOptions,
} from '../reading-options.ts';
import { ImportReport } from '../report/import-report.ts';
import { warn } from '../report/outcomes.ts';
import { outputPaint } from '../terminal/colours.ts';
import { confirm, notAgreedError, withYes } from '../terminal/confirm.ts';
import { formatVersions, NO_PROGRESS, startProgress } from '../terminal/progress.ts';

type ImportFlags = ReadingFlags & {
  format: ReadableFormat | 'auto';
  dryRun?: boolean;
  json?: boolean;
  prune?: boolean;
  force?: boolean;
  create?: boolean;
  mergeDuplicates?: boolean;
  datesFromGit?: string;
  publishedAt?: string;
  yes?: boolean;
};

export type NamedChangelog = ImportedChangelog &
  Readonly<{ fileName: string; isLong: boolean; options: SettledOptions }>;

export function addImport(program: Command, cli: Cli): void {
  const command = withExamples(
    withYes(withJson(program.command('import'))),
    'import acme/rocket CHANGELOG.md --create',
    'import acme/rocket CHANGELOG.md --dry-run',
    'import acme/rocket CHANGELOG.md --dates-from-git .',
    "import acme/rocket NEWS.md --heading '^Release (?<label>\\S+) of (?<date>.+)$'",
    'import acme/rocket - --format github-releases < releases.json',
  )
    .description('load the versions of an existing changelog into a product; rerun it after each release')
    .argument('<team/product>', 'such as acme/rocket', parseProduct)
    .argument('<file>', 'CHANGELOG.md, or releases as JSON; - reads standard input')
    .addOption(
      choice('--format <format>', 'format of the file', ['auto', ...READABLE_FORMATS]).default('auto'),
    )
    .option('--dry-run', 'show what would be done without doing it')
    .option('--prune', 'delete versions of earlier imports that the file no longer contains')
    .option('--force', 'overwrite versions that were edited by hand')
    .option('--create', 'create the team, the product and the database if they do not exist')
    .option('--merge-duplicates', 'merge versions with the same label instead of rejecting them')
    .option('--dates-from-git <repo>', 'take missing dates from the tags of this repository')
    .option('--published-at <time>', 'publish versions without a date as of this time', parseTime);
  withReadingOptions(command).action(
    async (product: ProductPath, file: string, flags: ImportFlags, command: Command) => {
      requireNoUrl(file, wordsOf(command));
      const options = await settleOptions(cli, product, flags);
      const changelog = await readFile(cli, file, flags, options);
      await importFile(cli, product, changelog, flags).finally(changelog.close);
    },
  );
}

async function importFile(
  cli: Cli,
  product: ProductPath,
  read: NamedChangelog,
  flags: ImportFlags,
): Promise<void> {
  const { datesFromGit } = flags;
  const changelog = datesFromGit === undefined ? read : await withTagDates(cli, read, datesFromGit);
  const report = new ImportReport(product, changelog, flags, cli.now());
  try {
    const summary = await importChangelog(cli, product, changelog, flags, report);
    const texts = flags.json ? report.formatJson(summary) : [report.formatLines(summary, outputPaint(cli))];
    for (const text of texts) await cli.print(text);
    warn(cli, report.warnings(summary));
  } finally {
    report.close();
  }
}

function parseTime(text: string): string {
  const time = normaliseTimestamp(text);
  if (time === null)
    throw new InvalidArgumentError('It must be ISO 8601, such as 2026-05-04 or 2026-05-04T09:00:00Z.');
  return time;
}

export async function readFile(
  cli: Cli,
  file: string,
  { format, mergeDuplicates: merging = false }: Pick<ImportFlags, 'format' | 'mergeDuplicates'>,
  options: SettledOptions,
): Promise<NamedChangelog> {
  const { readChangelog } = await import('../../import/read.ts');
  const quota = new SpoolQuota(configOf(cli).spoolMaxMb);
  const { input, isLong, startReading } = await openFile(cli, file, quota);
  // Whatever the number of passes, a reader reports twice the size.
  const progress = startReading(input.byteLength * 2);
  try {
    const changelog = readChangelog(input, {
      format,
      merging,
      rules: rulesOf(options.used),
      quota,
      onRead: progress.done,
    });
    const close = () => {
      changelog.close();
      input.close();
    };
    return { ...changelog, fileName: input.name, isLong, options, close };
  } catch (error) {
    input.close();
    throw withRemembered(error, options);
  } finally {
    progress.end();
  }
}

/** Names options that were not typed, and so may be the cause. */
function withRemembered(error: unknown, options: SettledOptions): unknown {
  if (!(error instanceof Refusal) || options.remembered.length === 0) return error;
  const note = `(Read with ${formatRemembered(options)} of an earlier import; --forget-options forgets that.)`;
  return new Refusal(`${error.message} ${note}`, { cause: error, more: error.more });
}

async function withTagDates(
  cli: Cli,
  changelog: NamedChangelog,
  repository: string,
): Promise<NamedChangelog> {
  const { readTagDates, withDates } = await import('../../import/git-dates.ts');
  const dateOf = await readTagDates(path.resolve(cli.folder, repository), {
    name: changelog.name,
    environment: cli.environment,
  });
  return { ...changelog, versions: withDates(changelog.versions, dateOf) };
}

async function importChangelog(
  cli: Cli,
  product: ProductPath,
  changelog: NamedChangelog,
  flags: ImportFlags,
  report: ImportReport,
): Promise<ImportSummary> {
  const { isNew, used } = changelog.options;
  const run = async (trx: Writer, to: ImportReport) => {
    const summary = await importInto(cli, trx, product, changelog, flags, to);
    if (isNew) {
      const { rememberImportOptions } = await import('../../store/import/options.ts');
      await rememberImportOptions(trx, product, used);
    }
    return summary;
  };
  const create = flags.create ?? false;
  if (flags.dryRun) return await dryRun(cli, (trx) => run(trx, report), { create });
  if (!flags.prune || flags.yes)
    return await withWriter(cli, (trx) => run(trx, report), { create, onCreated: sayCreated(cli) });
  const expected = new ImportReport(product, changelog, flags, cli.now());
  await dryRun(cli, (trx) => run(trx, expected), { create }).finally(() => expected.close());
  const agreed = expected.describeDeleted();
  if (agreed !== null) await confirm(cli, agreed);
  const runAgreed = async (trx: Writer) => {
    const summary = await run(trx, report);
    const found = report.describeDeleted();
    if (found !== null && found !== agreed) throw notAgreedError(found);
    return summary;
  };
  return await withWriter(cli, runAgreed, { create, onCreated: sayCreated(cli) });
}

export async function importInto(
  cli: Cli,
  trx: Writer,
  product: ProductPath,
  { versions, name, fileName, isLong }: NamedChangelog,
  { create = false, prune = false, force = false, publishedAt }: ImportFlags,
  report: ImportReport,
): Promise<ImportSummary> {
  const start = (what: string, whole: number) =>
    isLong ? startProgress(cli, { what: `${what} ${fileName}`, whole, format: formatVersions }) : NO_PROGRESS;
  let progress = start('comparing', versions.length);
  try {
    return await importVersions(trx, product, versions, {
      source: fileName,
      name,
      create,
      prune,
      force,
      publishedAt: publishedAt ?? null,
      now: cli.now(),
      report: (outcome, date) => report.add(outcome, date),
      reportCreated: (outcome) => report.addCreated(outcome),
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
