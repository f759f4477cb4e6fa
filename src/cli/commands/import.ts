import type { Writer } from '../../store/engine/engine.ts';
import { type ImportOutcome, importVersions } from '../../store/import/import.ts';
import type { TargetOptions } from '../../store/import/target.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import type { Outcome } from '../../store/write/versions.ts';
import { argument, DRY_RUN, option, parseProduct, parseTime } from '../arguments.ts';
import { type Cli, sayCreated } from '../cli.ts';
import { command, UsageError } from '../command.ts';
import { writeAgreed, YES } from '../confirm.ts';
import { openSource } from '../files/open-file.ts';
import { type NamedChangelog, readFile, withTagDates } from '../files/read-changelog.ts';
import { FORMAT, READING_OPTIONS, type ReadingFlags, rulesOf } from '../reading-options.ts';
import { type Dated, warnOfDates } from '../report/dates.ts';
import {
  describeDeleted,
  formatImport,
  type Imported,
  importJson,
  NO_VERSIONS,
  warnOfUndated,
} from '../report/import-report.ts';
import { warn } from '../report/outcomes.ts';
import { formatVersions, withProgress } from '../terminal/progress.ts';
import { escapeName, outputPaint } from '../terminal/text.ts';

/** A line for each heading of the file. */
type Explained = Readonly<{ explained: readonly string[] }>;

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

/** What `import-workspace` takes, too. */
export const IMPORT_OPTIONS = [
  FORMAT,
  DRY_RUN,
  option('--prune', 'delete versions of earlier imports that the file no longer contains'),
  option('--force', 'overwrite versions that were edited by hand'),
  option('--dates-from-git <repo>', 'take missing dates from the tags of this repository'),
  option('--published-at <time>', 'publish versions without a date as of this time', parseTime),
  ...READING_OPTIONS,
];

export const importCommand = command({
  name: 'import',
  about: 'load an existing changelog; rerun it after each release',
  arguments: [
    argument('<team/product>', 'such as acme/rocket; may be left out with --explain'),
    argument(
      '[file]',
      'CHANGELOG.md, releases as JSON, - for standard input, an https: URL, or releases to fetch: github:OWNER/REPO, gitlab:GROUP/PROJECT, gitea:HOST/OWNER/REPO',
    ),
  ],
  options: [
    option('--create', 'create the team, the product and the database if they do not exist'),
    option('--publish', 'with --create: a public team, and a published product and changelog'),
    option('--explain', 'show what each heading of the file is and why, and import nothing'),
    ...IMPORT_OPTIONS,
  ],
  yes: YES,
  examples: [
    'import acme/rocket CHANGELOG.md --create --publish',
    'import acme/rocket CHANGELOG.md --dry-run',
    'import acme/rocket CHANGELOG.md --dates-from-git .',
    "import acme/rocket NEWS.md --heading '^Release (?<label>\\S+) of (?<date>.+)$'",
    'import acme/rocket github:acme/rocket',
    'import acme/rocket - --format github-releases < releases.json',
  ],
  customise: (parser) => parser.usage('[options] <team/product> <file>'),
  run,
  text: (result, cli) =>
    'explained' in result
      ? result.explained.map(escapeName).join('\n')
      : formatImport(result, outputPaint(cli)),
  json: (result) => ('explained' in result ? result.explained : importJson(result)),
  after: (result, cli) => warn(cli, 'explained' in result ? [] : result.warnings),
});

async function run(
  cli: Cli,
  { explain, ...flags }: ImportFlags & { explain?: boolean },
  target: string,
  file?: string,
): Promise<Imported | Explained> {
  if (explain) return await explainFile(cli, file ?? target, flags);
  if (file === undefined) throw new UsageError("missing required argument 'file'");
  const product = parseProduct(target);
  if (flags.publish && !flags.create)
    throw new UsageError(
      'option --publish needs --create; to publish what exists, use `team set`, `product set` and `changelog set`',
    );
  const read = await readFile(cli, file, flags);
  const changelog = await withTagDates(cli, read, flags.datesFromGit);
  const [imported] = (await runImports(cli, [{ product, changelog }], flags)) as [Imported];
  return imported;
}

async function explainFile(cli: Cli, file: string, flags: ImportFlags): Promise<Explained> {
  const { explainChangelog } = await import('../../import/read.ts');
  const { input } = await openSource(cli, file);
  return { explained: explainChangelog(input, { format: flags.format, rules: rulesOf(flags) }) };
}

type ImportJob = Readonly<{
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
