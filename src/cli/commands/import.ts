import { type Command, InvalidArgumentError } from 'commander';
import { READABLE_FORMATS } from '../../import/changelog.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import { choice, parseProduct, parseTime, withExamples, withJson, wordsOf } from '../arguments.ts';
import { type Cli, printResult } from '../cli.ts';
import { withYes } from '../confirm.ts';
import { openSource, requireSafeUrl } from '../files/open-file.ts';
import { readFile, withTagDates } from '../files/read-changelog.ts';
import { type ImportFlags, runImports } from '../import-file.ts';
import { rerunCommand, rulesOf, withReadingOptions } from '../reading-options.ts';
import { warn } from '../report/outcomes.ts';
import { outputPaint } from '../terminal/colours.ts';
import { escapeName, formatJson } from '../terminal/plain.ts';

export function addImport(program: Command, cli: Cli): void {
  const command = withExamples(
    withYes(withJson(program.command('import'))),
    'import acme/rocket CHANGELOG.md --create --publish',
    'import acme/rocket CHANGELOG.md --dry-run',
    'import acme/rocket CHANGELOG.md --dates-from-git .',
    "import acme/rocket NEWS.md --heading '^Release (?<label>\\S+) of (?<date>.+)$'",
    'import acme/rocket github:acme/rocket',
    'import acme/rocket - --format github-releases < releases.json',
  )
    .description('load the versions of an existing changelog into a product; rerun it after each release')
    .usage('[options] <team/product> <file>')
    .argument('<team/product>', 'such as acme/rocket; may be left out with --explain')
    .argument(
      '[file]',
      'CHANGELOG.md, releases as JSON, - for standard input, an https: URL, or releases to fetch: github:OWNER/REPO, gitlab:GROUP/PROJECT, gitea:HOST/OWNER/REPO',
    )
    .option('--create', 'create the team, the product and the database if they do not exist')
    .option('--publish', 'with --create: a public team, and a published product and changelog')
    .option('--explain', 'show what each heading of the file is and why, and import nothing');
  withImportOptions(command).action(
    async (first: string, second: string | undefined, flags: ImportFlags, command: Command) => {
      const { file = '', product } = flags.explain
        ? { file: second ?? first, product: null }
        : readArguments(first, second, command);
      if (product === null) return await explain(cli, file, flags, command);
      if (flags.publish && !flags.create) command.error(PUBLISH_NEEDS_CREATE);
      requireSafeUrl(file, wordsOf(command));
      const rerun = rerunCommand(['import', `${product.team}/${product.product}`, file], flags);
      const read = await readFile(cli, file, flags, openSource);
      const { datesFromGit } = flags;
      const changelog = datesFromGit === undefined ? read : await withTagDates(cli, read, datesFromGit);
      for (const { report, summary } of await runImports(cli, [{ product, changelog }], {
        ...flags,
        rerun,
      })) {
        const value = flags.json ? report.toJson(summary) : null;
        printResult(cli, flags, value, () => report.formatLines(summary, outputPaint(cli)));
        warn(cli, report.warnings(summary));
      }
    },
  );
}

function readArguments(
  first: string,
  file: string | undefined,
  command: Command,
): { file: string; product: ProductPath } {
  if (file === undefined) command.error("error: missing required argument 'file'");
  try {
    return { file: file as string, product: parseProduct(first) };
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return command.error(
      `error: command-argument value '${first}' is invalid for argument 'team/product'. ${error.message}`,
    );
  }
}

async function explain(cli: Cli, file: string, flags: ImportFlags, command: Command): Promise<void> {
  requireSafeUrl(file, wordsOf(command));
  const { explainChangelog } = await import('../../import/read.ts');
  const { input } = await openSource(cli, file, 'explain it in parts');
  const lines = explainChangelog(input, { format: flags.format, rules: rulesOf(flags) });
  await cli.print(flags.json ? formatJson(lines, 2) : lines.map(escapeName).join('\n'));
}

const PUBLISH_NEEDS_CREATE =
  'error: option --publish needs --create; to publish what exists, use `team set`, `product set` and `changelog set`';

/** What `import-workspace` takes, too. */
export function withImportOptions(command: Command): Command {
  return withReadingOptions(
    command
      .addOption(
        choice('--format <format>', 'format of the file', ['auto', ...READABLE_FORMATS]).default('auto'),
      )
      .option('--dry-run', 'show what would be done without doing it')
      .option('--prune', 'delete versions of earlier imports that the file no longer contains')
      .option('--force', 'overwrite versions that were edited by hand')
      .option('--merge-duplicates', 'merge versions with the same label instead of rejecting them')
      .option('--dates-from-git <repo>', 'take missing dates from the tags of this repository')
      .option('--published-at <time>', 'publish versions without a date as of this time', parseTime),
  );
}
