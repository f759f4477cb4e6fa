import { realpathSync } from 'node:fs';
import path from 'node:path';
import { checkChangelog } from '../../../check/check.ts';
import { formatGithub } from '../../../check/formats/github.ts';
import { toJson } from '../../../check/formats/json.ts';
import { type Report, summarise } from '../../../check/formats/report.ts';
import { toSarif } from '../../../check/formats/sarif.ts';
import type { Earlier } from '../../../check/rule.ts';
import { Refusal } from '../../../errors.ts';
import { readFileAt } from '../../../import/git.ts';
import { inspectChangelog, type ReadOptions } from '../../../import/read.ts';
import { parseSource } from '../../../import/remote/sources.ts';
import { PACKAGE } from '../../../root.ts';
import { choice, option, parseFileName, parseName, ruled } from '../../arguments.ts';
import type { Cli } from '../../cli.ts';
import { command, UsageError } from '../../command.ts';
import { openSource } from '../../files/open-file.ts';
import { FILE, FILE_OPTIONS, type FileFlags, rulesOf } from '../../reading-options.ts';
import { escapeName, formatJson, outputPaint } from '../../terminal/text.ts';

const FORMATS = ['text', 'github', 'sarif', 'json'] as const;

type CheckFlags = FileFlags & {
  format?: (typeof FORMATS)[number];
  since?: string;
  version?: string;
  versionFrom?: string;
  strict?: boolean;
  json?: boolean;
};

const parseRef = ruled(
  (text) => (text === '' || text.startsWith('-') ? null : text),
  'a branch, a tag or a commit',
);

export const checkCommand = command({
  name: 'check',
  about: 'find what is wrong with a changelog file',
  arguments: [FILE],
  options: [
    option('--json', 'the same as --format json'),
    option('--since <ref>', 'released sections must be as they were at this commit of git', parseRef),
    option('--version <label>', 'this version must be there and have notes', parseName),
    option(
      '--version-from <file>',
      'the same, for the version in package.json, Cargo.toml or pyproject.toml',
      parseFileName,
    ),
    option('--strict', 'notes are errors'),
    choice('--format <format>', 'format of the output', FORMATS),
    ...FILE_OPTIONS,
  ],
  examples: [
    'check CHANGELOG.md',
    'check CHANGELOG.md --since origin/main',
    'check CHANGELOG.md --version-from package.json',
    'check CHANGELOG.md --format sarif > changelog.sarif',
  ],
  // Otherwise `--version` would be that of the program.
  customise: (parser) => parser.parent?.enablePositionalOptions(),
  run: async (cli, flags: CheckFlags, file: string) => {
    if (flags.version !== undefined && flags.versionFrom !== undefined)
      throw new UsageError('options --version and --version-from cannot be used together');
    if (flags.since !== undefined && (file === '-' || parseSource(file, cli.environment) !== null))
      throw new UsageError('option --since needs a file inside a Git repository');
    const { input, isReleases } = await openSource(cli, file);
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
    const output = flags.json ? 'json' : flags.format;
    const isAction = output === undefined && cli.environment.GITHUB_ACTIONS === 'true';
    const lines = FORMATTERS[output ?? 'text'](cli, report);
    if (isAction) lines.push(...FORMATTERS.github(cli, report));
    const summary = escapeName(summarise(report));
    const isWrong = report.findings.some(({ level }) => level === 'error');
    if (!isWrong && output !== 'json' && output !== 'sarif') lines.push(summary);
    if (lines.length > 0) await cli.print(lines.join('\n'));
    if (isWrong) throw new Refusal(summary);
  },
});

async function readEarlier(
  cli: Cli,
  file: string,
  name: string,
  ref: string | undefined,
  reading: ReadOptions,
): Promise<Earlier | null> {
  if (ref === undefined) return null;
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

const COLOURS = { error: 'red', note: 'yellow' } as const;

const FORMATTERS: Readonly<Record<(typeof FORMATS)[number], (cli: Cli, report: Report) => string[]>> = {
  text: (cli, { file, findings }) => {
    const paint = outputPaint(cli);
    return findings.map(({ level, line, column, message, rule }) => {
      const place = escapeName([file, line, column].filter((part) => part !== undefined).join(':'));
      return `${place}: ${paint(COLOURS[level], level)}: ${escapeName(message)} [${rule}]`;
    });
  },
  github: (cli, report) => formatGithub(inWorkspace(cli, report)).map(escapeName),
  sarif: (cli, report) => [formatJson(toSarif(inWorkspace(cli, report), PACKAGE.version), 2)],
  json: (_, report) => [formatJson(toJson(report), 2)],
};

/** Services show findings at paths that begin in the root of the repository. */
function inWorkspace(cli: Cli, report: Report): Report {
  const { GITHUB_WORKSPACE: workspace = '' } = cli.environment;
  if (report.file === 'standard input') return report;
  const root = path.isAbsolute(workspace) ? workspace : cli.folder;
  const within = path.relative(root, path.resolve(cli.folder, report.file));
  return within.startsWith('..') ? report : { ...report, file: within.split(path.sep).join('/') };
}
