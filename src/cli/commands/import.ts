import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { normaliseTimestamp } from '../../domain/timestamp.ts';
import { READABLE_FORMATS } from '../../import/changelog.ts';
import type { Writer } from '../../store/engine/engine.ts';
import type { ImportSummary } from '../../store/import/import.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import { choice, parseProduct, withExamples, withJson, wordsOf } from '../arguments.ts';
import { type Cli, withWriter } from '../cli.ts';
import { confirm, notAgreedError, withYes } from '../confirm.ts';
import { dryRun } from '../dry-run.ts';
import { requireNoUrl } from '../files/open-file.ts';
import { type ImportFlags, importInto, type NamedChangelog, readFile } from '../import-file.ts';
import { sayCreated } from '../missing-database.ts';
import { rerunCommand, withReadingOptions } from '../reading-options.ts';
import { ImportReport } from '../report/import-report.ts';
import { warn } from '../report/outcomes.ts';
import { outputPaint } from '../terminal/colours.ts';

export function addImport(program: Command, cli: Cli): void {
  const command = withExamples(
    withYes(withJson(program.command('import'))),
    'import acme/rocket CHANGELOG.md --create --publish',
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
    .option('--publish', 'with --create: a public team, and a published product and changelog')
    .option('--merge-duplicates', 'merge versions with the same label instead of rejecting them')
    .option('--dates-from-git <repo>', 'take missing dates from the tags of this repository')
    .option('--published-at <time>', 'publish versions without a date as of this time', parseTime);
  withReadingOptions(command).action(
    async (product: ProductPath, file: string, flags: ImportFlags, command: Command) => {
      if (flags.publish && !flags.create) command.error(PUBLISH_NEEDS_CREATE);
      requireNoUrl(file, wordsOf(command));
      const changelog = await readFile(cli, file, flags);
      const rerun = rerunCommand(product, file, flags);
      await importFile(cli, product, changelog, { ...flags, rerun });
    },
  );
}

const PUBLISH_NEEDS_CREATE =
  'error: option --publish needs --create; to publish what exists, use `team set`, `product set` and `changelog set`';

async function importFile(
  cli: Cli,
  product: ProductPath,
  read: NamedChangelog,
  flags: ImportFlags & { rerun: string },
): Promise<void> {
  const { datesFromGit } = flags;
  const changelog = datesFromGit === undefined ? read : await withTagDates(cli, read, datesFromGit);
  const report = new ImportReport(product, changelog, flags, cli.now());
  const summary = await importChangelog(cli, product, changelog, flags, report);
  const texts = flags.json ? report.formatJson(summary) : [report.formatLines(summary, outputPaint(cli))];
  for (const text of texts) await cli.print(text);
  warn(cli, report.warnings(summary));
}

function parseTime(text: string): string {
  const time = normaliseTimestamp(text);
  if (time === null)
    throw new InvalidArgumentError('It must be ISO 8601, such as 2026-05-04 or 2026-05-04T09:00:00Z.');
  return time;
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
  const run = (trx: Writer, to: ImportReport) => importInto(cli, trx, product, changelog, flags, to);
  const create = flags.create ?? false;
  if (flags.dryRun) return await dryRun(cli, (trx) => run(trx, report), { create });
  if (!flags.prune || flags.yes)
    return await withWriter(cli, (trx) => run(trx, report), { create, onCreated: sayCreated(cli) });
  const expected = new ImportReport(product, changelog, flags, cli.now());
  await dryRun(cli, (trx) => run(trx, expected), { create });
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
