import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { SpoolQuota } from '../../content/input/spool.ts';
import { normaliseTimestamp } from '../../domain/timestamp.ts';
import { IMPORT_FORMATS, type ImportedChangelog, type ImportFormat } from '../../import/changelog.ts';
import type { Writer } from '../../store/engine/engine.ts';
import { type ImportSummary, importVersions } from '../../store/import/import.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import { choice, parseProduct, withJson } from '../arguments.ts';
import { type Cli, configOf, withWriter } from '../cli.ts';
import { dryRun } from '../dry-run.ts';
import { ImportReport } from '../report/import-report.ts';
import { errorPaint, outputPaint } from '../terminal/colours.ts';
import { confirm, needsConfirmation, withYes } from '../terminal/confirm.ts';
import { escapeControls } from '../terminal/plain.ts';
import { NO_PROGRESS, startProgress, writeMib, writeVersions } from '../terminal/progress.ts';

export type ImportFlags = {
  format: ImportFormat | 'auto';
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

/** A changelog that was read, and how it is called in messages. */
export type NamedChangelog = ImportedChangelog & Readonly<{ source: string; isLong: boolean }>;

export function addImport(program: Command, cli: Cli): void {
  withYes(withJson(program.command('import')))
    .description('bring the versions of a changelog in another format into a product, again and again')
    .argument('<team/product>', 'such as acme/rocket', parseProduct)
    .argument('<file>', 'CHANGELOG.md, or releases as JSON; - reads standard input')
    .addOption(choice('--format <format>', 'what the file is', ['auto', ...IMPORT_FORMATS]).default('auto'))
    .option('--dry-run', 'say what would be done, and do nothing')
    .option('--prune', 'delete what earlier imports wrote and the file no longer has')
    .option('--force', 'overwrite versions that were edited by hand')
    .option('--create', 'make the team and the product if they are not there')
    .option('--merge-duplicates', 'put versions of one label together, instead of refusing them')
    .option('--dates-from-git <repo>', 'date versions without a date by the tags of this repository')
    .option('--published-at <time>', 'publish versions without a date as of this time', parseTime)
    .action(async (product: ProductPath, file: string, flags: ImportFlags) => {
      const changelog = await readFile(cli, file, flags);
      await importFile(cli, product, changelog, flags).finally(changelog.close);
    });
}

async function importFile(
  cli: Cli,
  product: ProductPath,
  read: NamedChangelog,
  flags: ImportFlags,
): Promise<void> {
  const { datesFromGit } = flags;
  const changelog = datesFromGit === undefined ? read : await withTagDates(cli, read, datesFromGit);
  const report = new ImportReport(product, changelog, flags);
  try {
    const summary = await importChangelog(cli, product, changelog, flags, report);
    const texts = flags.json ? report.writeJson(summary) : report.writeLines(summary, outputPaint(cli));
    for (const text of texts) await cli.print(text);
    const speaker = errorPaint(cli)('yellow', 'changelog: warning:');
    for (const warning of report.warnings(summary)) cli.say(`${speaker} ${escapeControls(warning)}`);
  } finally {
    report.close();
  }
}

function parseTime(text: string): string {
  const time = normaliseTimestamp(text);
  if (time === null)
    throw new InvalidArgumentError('It takes ISO 8601, such as 2026-05-04 or 2026-05-04T09:00:00Z.');
  return time;
}

/** From this size on an import takes long enough for people to wonder. */
const LONG_WORK_BYTES = 1024 * 1024;

export async function readFile(
  cli: Cli,
  file: string,
  { format, mergeDuplicates: merging = false }: Pick<ImportFlags, 'format' | 'mergeDuplicates'>,
): Promise<NamedChangelog> {
  const [{ readChangelog }, { openInput }] = await Promise.all([
    import('../../import/read.ts'),
    import('../../content/input/input.ts'),
  ]);
  const quota = new SpoolQuota(configOf(cli).spoolMaxMb);
  const source = await openInput(file, { ...cli, quota });
  const { name } = source;
  const whole = source.byteLength * 2;
  const isLong = source.byteLength > LONG_WORK_BYTES;
  const progress = isLong
    ? startProgress(cli, { what: `reading ${name}`, whole, write: writeMib })
    : NO_PROGRESS;
  try {
    const changelog = readChangelog(source, { format, merging, quota, onRead: progress.done });
    const close = () => {
      changelog.close();
      source.close();
    };
    return { ...changelog, source: name, isLong, close };
  } catch (error) {
    source.close();
    throw error;
  } finally {
    progress.end();
  }
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
  const run = (trx: Writer, told: ImportReport) => importInto(cli, trx, product, changelog, flags, told);
  const create = flags.create ?? false;
  if (flags.dryRun) return await dryRun(cli, (trx) => run(trx, report), { create });
  if (flags.prune && needsConfirmation(cli, flags)) {
    const expected = new ImportReport(product, changelog, flags);
    await dryRun(cli, (trx) => run(trx, expected), { create }).finally(() => expected.close());
    const question = expected.askAboutDeletions();
    if (question !== null) await confirm(cli, flags, question);
  }
  return await withWriter(cli, (trx) => run(trx, report), { create });
}

export async function importInto(
  cli: Cli,
  trx: Writer,
  product: ProductPath,
  { versions, name, source, isLong }: NamedChangelog,
  { create = false, prune = false, force = false, publishedAt }: ImportFlags,
  report: ImportReport,
): Promise<ImportSummary> {
  const start = (what: string, whole: number) =>
    isLong ? startProgress(cli, { what: `${what} ${source}`, whole, write: writeVersions }) : NO_PROGRESS;
  let progress = start('comparing', versions.length);
  try {
    return await importVersions(trx, product, versions, {
      source,
      name,
      create,
      prune,
      force,
      publishedAt: publishedAt ?? null,
      now: cli.now(),
      tell: (outcome) => report.tell(outcome),
      tellMade: (outcome) => report.tellMade(outcome),
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
