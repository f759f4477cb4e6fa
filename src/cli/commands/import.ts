import { isName } from '../../domain/content/content.ts';
import type { Writer } from '../../store/engine/engine.ts';
import { type ImportOutcome, importVersions } from '../../store/import/import.ts';
import type { TargetOptions } from '../../store/import/target.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import type { Outcome } from '../../store/write/versions.ts';
import { argument, collect, DRY_RUN, option, parseProduct, parseTime } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { command, UsageError } from '../command.ts';
import { writeAgreed, YES } from '../confirm.ts';
import { openSource } from '../files/open-file.ts';
import { type NamedChangelog, readFile, readFolder, withTagDates } from '../files/read-changelog.ts';
import { FORMAT, READING_OPTIONS, type ReadingFlags, rulesOf } from '../reading-options.ts';
import { type Dated, warnOfDates } from '../report/dates.ts';
import * as report from '../report/import-report.ts';
import { formatActions, formatOutcome, formatVerdict, warn } from '../report/outcomes.ts';
import { formatVersions, withProgress } from '../terminal/progress.ts';
import { count, escapeName, outputPaint } from '../terminal/text.ts';

type ImportFlags = ReadingFlags & {
  dryRun?: boolean;
  prune?: boolean;
  force?: boolean;
  create?: boolean;
  publish?: boolean;
  datesFromGit?: string;
  publishedAt?: string;
  yes?: boolean;
};

/** What both commands take. */
const IMPORT_OPTIONS = [
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
  run: async (
    cli,
    { explain, ...flags }: ImportFlags & { explain?: boolean },
    target: string,
    file?: string,
  ) => {
    if (explain) {
      const { explainChangelog } = await import('../../import/read.ts');
      const { input } = await openSource(cli, file ?? target);
      return { explained: explainChangelog(input, { format: flags.format, rules: rulesOf(flags) }) };
    }
    if (file === undefined) throw new UsageError("missing required argument 'file'");
    const product = parseProduct(target);
    if (flags.publish && !flags.create)
      throw new UsageError(
        'option --publish needs --create; to publish what exists, use `team set`, `product set` and `changelog set`',
      );
    const read = await readFile(cli, file, flags);
    const changelog = await withTagDates(cli, read, flags.datesFromGit);
    const [imported] = (await runImports(cli, [{ product, changelog }], flags)) as [report.Imported];
    return imported;
  },
  text: (result, cli) =>
    'explained' in result
      ? result.explained.map(escapeName).join('\n')
      : report.formatImport(result, outputPaint(cli)),
  json: (result) => ('explained' in result ? result.explained : report.importJson(result)),
  after: (result, cli) => warn(cli, 'explained' in result ? [] : result.warnings),
});

type WorkspaceFlags = ImportFlags & { exclude?: readonly string[] };

export const importWorkspaceCommand = command({
  name: 'import-workspace',
  about: 'load the changelogs of a monorepo, one product a package',
  arguments: [
    argument('<team>', 'slug of the team; created if it does not exist, like the products'),
    argument('<dir>', 'root of the monorepo'),
  ],
  options: [
    option('--publish', 'make a new team public, and publish the products and changelogs'),
    option('--exclude <folder>', 'leave out packages in folders like this; may be repeated', collect),
    ...IMPORT_OPTIONS,
  ],
  yes: YES,
  examples: [
    'import-workspace acme . --dry-run',
    'import-workspace acme . --publish --dates-from-git .',
    "import-workspace acme . --exclude 'packages/legacy-*'",
  ],
  run: async (cli, { exclude, ...typed }: WorkspaceFlags, team: string, folder: string) => {
    const flags = { ...typed, create: true };
    const { datesFromGit, dryRun: isDryRun = false } = flags;
    const read = async (file: string, names?: readonly string[]) => {
      const changelog = await readFile(cli, file, flags);
      return await withTagDates(cli, changelog, datesFromGit, names);
    };
    const { changelogs, ...found } = await readFolder(cli, folder, exclude, read);
    const jobs = changelogs.map(({ name, slug, changelog }) => ({
      changelog,
      product: { team, product: slug },
      initial: isName(name) ? { productName: name } : {},
    }));
    const imported = await runImports(cli, jobs, flags);
    const products = imported.map((each, index) => ({ ...each, folder: changelogs[index]?.folder ?? '' }));
    const counts = { ...report.NO_VERSIONS };
    for (const each of products)
      for (const action of Object.keys(counts) as (keyof report.Counts)[])
        counts[action] += each.counts[action];
    return { ...found, team, folder, isDryRun, products, counts };
  },
  text: ({ team, folder, sources, isDryRun, products, counts, withoutChangelog }, cli) => {
    const paint = outputPaint(cli);
    const targets = products.flatMap((each) => each.targets);
    const lines = products.map((each) => {
      const isNew = each.targets.some(({ action }) => action === 'created');
      const action = isNew ? 'created' : report.touchedBy(each) > 0 ? 'changed' : 'unchanged';
      const path = `${team}/${each.product.product}`;
      const name = escapeName(each.changelog.fileName);
      return formatOutcome(paint, action, `${path}: ${formatActions(each.counts)} (${name})`);
    });
    const touched = products.reduce((sum, each) => sum + report.touchedBy(each), 0);
    const isHidden = !isDryRun && products.some((each) => report.hiddenBy(each).length > 0);
    return [
      `${escapeName(folder)}: ${sources.join(', ')}, ${count(products.length, 'changelog')}`,
      ...targets
        .filter(({ kind }) => kind === 'team')
        .map(({ action, name }) => formatOutcome(paint, action, `team ${name}`)),
      ...lines,
      ...(withoutChangelog.length > 0
        ? [`Without a changelog: ${withoutChangelog.map(escapeName).join(', ')}`]
        : []),
      formatVerdict(touched, counts, isDryRun),
      ...(isHidden ? ['Not all of it is public yet. Run it again with --publish.'] : []),
    ].join('\n');
  },
  json: ({ team, folder, isDryRun, counts, products, withoutChangelog }) => ({
    team,
    source: folder,
    dryRun: isDryRun,
    ...counts,
    withoutChangelog,
    products: products.map((each) => ({
      product: each.product.product,
      folder: each.folder,
      ...report.importJson(each),
    })),
  }),
  after: ({ products, warnings }, cli) =>
    warn(cli, [...warnings, ...products.flatMap((each) => each.warnings)]),
});

type ImportJob = Readonly<{
  product: ProductPath;
  /** What a new team and a new product are, if not drafts that are called like their slugs. */
  initial?: NonNullable<TargetOptions['initial']>;
  changelog: NamedChangelog;
}>;

/** Runs all imports in one transaction. Asks first if they would delete something. */
async function runImports(
  cli: Cli,
  jobs: readonly ImportJob[],
  flags: ImportFlags,
): Promise<report.Imported[]> {
  const run = async (trx: Writer) => {
    const results: report.Imported[] = [];
    for (const job of jobs) results.push(await importInto(cli, trx, job, flags));
    return results;
  };
  const describe = (results: readonly report.Imported[]) =>
    new Intl.ListFormat('en-GB').format(results.map(report.describeDeleted).filter((part) => part !== ''));
  const { create = false, dryRun: isDryRun = false } = flags;
  const isAgreed = isDryRun || !flags.prune || flags.yes === true;
  return await writeAgreed(cli, isAgreed, run, describe, { create, isDryRun });
}

export async function importInto(
  cli: Cli,
  trx: Writer,
  { product, initial = {}, changelog }: ImportJob,
  flags: ImportFlags,
): Promise<report.Imported> {
  const { versions, name, description: source, fileName } = changelog;
  const { create = false, publish = false, prune = false, force = false, publishedAt = null } = flags;
  const dated: Dated[] = [];
  const counts = { ...report.NO_VERSIONS };
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
    ...report.warnOfUndated(changelog, summary, flags.datesFromGit),
  ];
  const isDryRun = flags.dryRun ?? false;
  return { product, changelog, isDryRun, summary, targets, counts, outcomes, warnings };
}
