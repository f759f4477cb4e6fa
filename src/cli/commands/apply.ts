import type { Command } from 'commander';
import { SpoolQuota } from '../../content/input/spool.ts';
import type { ReadDocument } from '../../content/read/read.ts';
import { type Content, ContentProblem } from '../../domain/content/content.ts';
import type { Writer } from '../../store/engine/engine.ts';
import { applyContent } from '../../store/write/apply.ts';
import { withExamples, withJson } from '../arguments.ts';
import { type Cli, configOf, withWriter } from '../cli.ts';
import { dryRun } from '../dry-run.ts';
import { ApplyReport } from '../report/apply-report.ts';
import { outputPaint } from '../terminal/colours.ts';
import { confirm, needsConfirmation, withYes, writeCounts } from '../terminal/confirm.ts';
import { plainName } from '../terminal/plain.ts';
import { NO_PROGRESS, type Progress, startProgress, writeMib, writeVersions } from '../terminal/progress.ts';

type ApplyFlags = { prune?: boolean; dryRun?: boolean; json?: boolean; yes?: boolean };
type NamedDocument = ReadDocument & Readonly<{ name: string; isLong: boolean }>;

export function addApply(program: Command, cli: Cli): void {
  withExamples(
    withYes(withJson(program.command('apply'))),
    'apply acme.yaml --dry-run',
    'export acme | changelog apply -',
  )
    .description('make the database match content documents, one transaction a document')
    .argument('<file...>', 'YAML or JSON documents; - reads standard input')
    .option('--prune', 'delete what a document does not name')
    .option('--dry-run', 'say what would be done, and do nothing')
    .action(async (files: string[], flags: ApplyFlags) => {
      const outcomes = await applyFiles(cli, files, flags);
      if (flags.json) for (const text of outcomes.writeJson()) await cli.print(text);
      else await cli.print(outcomes.writeLines(flags, outputPaint(cli)));
      outcomes.close();
    });
}

/** Reads all documents before anything is written, so that a mistake in the last leaves the first undone too. */
export async function applyFiles(
  cli: Cli,
  files: readonly string[],
  flags: ApplyFlags,
): Promise<ApplyReport> {
  const documents: NamedDocument[] = [];
  const quota = new SpoolQuota(configOf(cli).spoolMaxMb);
  try {
    for (const file of files) documents.push(await openDocument(cli, file, quota));
    if (flags.dryRun || documents.length > 1 || (flags.prune && needsConfirmation(cli, flags))) {
      const rehearsed = await dryRunAll(cli, documents, flags);
      if (flags.dryRun) return rehearsed;
      rehearsed.close();
      await confirmPruning(cli, flags, rehearsed);
    }
    const outcomes = new ApplyReport();
    for (const document of documents)
      await withWriter(cli, (trx) => applyDocument(cli, trx, document, flags, outcomes), { create: true });
    return outcomes;
  } finally {
    for (const document of documents) document.close();
  }
}

async function confirmPruning(cli: Cli, flags: ApplyFlags, { deleted }: ApplyReport): Promise<void> {
  const what = writeCounts(deleted);
  if (what !== '') await confirm(cli, flags, `Delete ${what} that no document names, and everything below?`);
}

/** From this size on an apply takes long enough for people to wonder. */
const LONG_WORK_BYTES = 1024 * 1024;

async function openDocument(cli: Cli, file: string, quota: SpoolQuota): Promise<NamedDocument> {
  // Loaded here: serving, which also starts from this program, needs no parser.
  const [{ readDocument }, { openInput }] = await Promise.all([
    import('../../content/read/read.ts'),
    import('../../content/input/input.ts'),
  ]);
  const source = await openInput(file, { ...cli, quota });
  const { name, byteLength } = source;
  const isLong = byteLength > LONG_WORK_BYTES;
  if (isLong && !cli.terminal) cli.say(`changelog: applying ${plainName(name)} (${writeMib(byteLength)}) …`);
  const progress = isLong
    ? startProgress(cli, { what: `reading ${name}`, whole: byteLength, write: writeMib })
    : NO_PROGRESS;
  try {
    return { ...readDocument(source, { quota, onRead: progress.done }), name, isLong };
  } finally {
    progress.end();
  }
}

async function applyDocument(
  cli: Cli,
  trx: Writer,
  { content, locate, name, isLong }: NamedDocument,
  { prune = false }: ApplyFlags,
  outcomes: ApplyReport,
): Promise<void> {
  const progress = isLong ? startWriting(cli, name, content) : NO_PROGRESS;
  let versions = 0;
  try {
    await applyContent(trx, content, {
      pruning: prune,
      now: cli.now(),
      tell: (outcome) => {
        outcomes.tell(outcome);
        if (outcome.kind === 'version') progress.done(++versions);
      },
      tellPruned: (outcome) => outcomes.tellPruned(outcome),
    });
    outcomes.endDocument();
  } catch (error) {
    throw error instanceof ContentProblem ? locate(error) : error;
  } finally {
    progress.end();
  }
}

function startWriting(cli: Cli, name: string, { products }: Content): Progress {
  const whole = products.reduce((sum, { changelog }) => sum + (changelog?.versions.length ?? 0), 0);
  return startProgress(cli, { what: `applying ${name}`, whole, write: writeVersions });
}

async function dryRunAll(
  cli: Cli,
  documents: readonly NamedDocument[],
  flags: ApplyFlags,
): Promise<ApplyReport> {
  const outcomes = new ApplyReport();
  const play = async (trx: Writer) => {
    for (const document of documents) await applyDocument(cli, trx, document, flags, outcomes);
  };
  await dryRun(cli, play, { create: true });
  return outcomes;
}
