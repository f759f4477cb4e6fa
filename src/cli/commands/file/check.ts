import { realpathSync } from 'node:fs';
import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { Report } from '../../../check/formats/report.ts';
import type { Earlier, Finding } from '../../../check/rule.ts';
import { Refusal } from '../../../errors.ts';
import type { ReadOptions } from '../../../import/read.ts';
import { choice, parseFileName, parseName, withExamples, withJson, wordsOf } from '../../arguments.ts';
import type { Cli } from '../../cli.ts';
import { openSource, requireSafeUrl } from '../../files/open-file.ts';
import { FILE_HELP, type FileFlags, rulesOf, withFileOptions } from '../../reading-options.ts';
import { outputPaint, type Paint } from '../../terminal/colours.ts';
import { escapeName, formatJson } from '../../terminal/plain.ts';

const FORMATS = ['text', 'github', 'sarif', 'json'] as const;

type CheckFlags = FileFlags & {
  format?: (typeof FORMATS)[number];
  since?: string;
  version?: string;
  versionFrom?: string;
  strict?: boolean;
  json?: boolean;
};

export function addCheck(program: Command, cli: Cli): void {
  // Otherwise `--version` would be that of the program.
  program.enablePositionalOptions();
  const command = withExamples(
    withJson(program.command('check')),
    'check CHANGELOG.md',
    'check CHANGELOG.md --since origin/main',
    'check CHANGELOG.md --version-from package.json',
    'check CHANGELOG.md --format sarif > changelog.sarif',
  )
    .description('find what is wrong with a changelog file')
    .argument('<file>', FILE_HELP, parseFileName)
    .option('--since <ref>', 'released sections must be as they were at this commit of git', parseRef)
    .option('--version <label>', 'this version must be there and have notes', parseName)
    .option(
      '--version-from <file>',
      'the same, for the version in package.json, Cargo.toml or pyproject.toml',
      parseFileName,
    )
    .option('--strict', 'notes are errors')
    .addOption(choice('--format <format>', 'format of the output', FORMATS));
  withFileOptions(command).action(async (file: string, flags: CheckFlags, command: Command) => {
    requireSafeUrl(file, wordsOf(command));
    if (flags.version !== undefined && flags.versionFrom !== undefined)
      command.error('error: options --version and --version-from cannot be used together');
    if (flags.since !== undefined && (file === '-' || isRemote(file)))
      command.error('error: option --since needs a file inside a Git repository');
    await check(cli, file, flags, program.version() ?? '');
  });
}

const isRemote = (file: string) => /^(?:https?|github|gitlab|gitea):/i.test(file);

function parseRef(text: string): string {
  if (text === '' || text.startsWith('-'))
    throw new InvalidArgumentError('It must be a branch, a tag or a commit.');
  return text;
}

async function check(cli: Cli, file: string, flags: CheckFlags, version: string): Promise<void> {
  const { checkChangelog } = await import('../../../check/check.ts');
  const { summarise } = await import('../../../check/formats/report.ts');
  const { input, isReleases } = await openSource(cli, file, 'check it in parts');
  const format: ReadOptions['format'] = isReleases ? 'github-releases' : flags.readAs;
  const reading = { format, merging: flags.mergeDuplicates ?? false, rules: rulesOf(flags) };
  const report = {
    file: input.name,
    ...checkChangelog(input, {
      reading,
      now: cli.now(),
      earlier: await readEarlier(cli, file, input.name, flags.since, reading),
      wanted: await readWanted(cli, flags),
      isStrict: flags.strict ?? false,
    }),
  };
  const isAction = cli.environment.GITHUB_ACTIONS === 'true';
  const output = flags.format ?? (flags.json ? 'json' : 'text');
  const printed = await FORMATTERS[output](cli, report, version);
  const annotations =
    isAction && flags.format === undefined && !flags.json ? await formatGithub(cli, report) : [];
  const summary = escapeName(summarise(report));
  const errors = report.findings.filter(({ level }) => level === 'error').length;
  const isRead = output === 'text' || output === 'github';
  const lines = [...printed, ...annotations, ...(isRead && errors === 0 ? [summary] : [])];
  if (lines.length > 0) await cli.print(lines.join('\n'));
  if (errors > 0) throw new Refusal(summary);
}

async function readEarlier(
  cli: Cli,
  file: string,
  name: string,
  ref: string | undefined,
  reading: ReadOptions,
): Promise<Earlier | null> {
  if (ref === undefined) return null;
  const { readFileAt } = await import('../../../import/git.ts');
  const { inspectChangelog } = await import('../../../import/read.ts');
  // Git knows a link only by what it points to.
  const bytes = await readFileAt(ref, realpathSync(path.resolve(cli.folder, file)), cli.environment);
  if (bytes === null) return { ref, text: null, isMissing: true };
  try {
    return { ref, text: inspectChangelog({ name, bytes }, reading), isMissing: false };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ref, text: null, isMissing: false };
  }
}

async function readWanted(cli: Cli, { version, versionFrom }: CheckFlags): Promise<string | null> {
  if (versionFrom === undefined) return version ?? null;
  const { readVersion } = await import('../../../import/workspace/manifests.ts');
  return readVersion(path.resolve(cli.folder, versionFrom));
}

const FORMATTERS: Readonly<
  Record<(typeof FORMATS)[number], (cli: Cli, report: Report, version: string) => Promise<readonly string[]>>
> = {
  text: async (cli, { file, findings }) => {
    const paint = outputPaint(cli);
    return findings.map((finding) => formatFinding(file, finding, paint));
  },
  github: formatGithub,
  sarif: async (cli, report, version) => {
    const { toSarif } = await import('../../../check/formats/sarif.ts');
    return [formatJson(toSarif(inWorkspace(cli, report), version), 2)];
  },
  json: async (_, report) => {
    const { toJson } = await import('../../../check/formats/json.ts');
    return [formatJson(toJson(report), 2)];
  },
};

async function formatGithub(cli: Cli, report: Report): Promise<string[]> {
  const { formatGithub } = await import('../../../check/formats/github.ts');
  return formatGithub(inWorkspace(cli, report)).map(escapeName);
}

const COLOURS = { error: 'red', note: 'yellow' } as const;

function formatFinding(file: string, finding: Finding, paint: Paint): string {
  const { level, line, column, message, rule } = finding;
  const place = `${file}:${line}${column === undefined ? '' : `:${column}`}`;
  return `${escapeName(place)}: ${paint(COLOURS[level], level)}: ${escapeName(message)} [${rule}]`;
}

/** Services show findings at paths that begin in the root of the repository. */
function inWorkspace(cli: Cli, report: Report): Report {
  const { GITHUB_WORKSPACE: workspace = '' } = cli.environment;
  if (report.file === 'standard input') return report;
  const root = path.isAbsolute(workspace) ? workspace : cli.folder;
  const within = path.relative(root, path.resolve(cli.folder, report.file));
  return within.startsWith('..') ? report : { ...report, file: within.split(path.sep).join('/') };
}
