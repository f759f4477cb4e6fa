import path from 'node:path';
import type { Command } from 'commander';
import { COMMAND } from '../../command-name.ts';
import type { ReadDocument } from '../../content/read/read.ts';
import { type Content, ContentProblem } from '../../domain/content/content.ts';
import { Refusal } from '../../errors.ts';
import { isUnreleasedName, saysUnreleased } from '../../import/markdown/versions/words.ts';
import { countPublic } from '../../store/catalogue/catalogue.ts';
import type { Writer } from '../../store/engine/engine.ts';
import { applyContent } from '../../store/write/apply.ts';
import { withExamples, withJson, wordsOf } from '../arguments.ts';
import { type Cli, messageFor, printResult, withWriter } from '../cli.ts';
import { confirm, formatCounts, notAgreedError, withYes } from '../confirm.ts';
import { dryRun } from '../dry-run.ts';
import { isUrl, openFile, requireNoUrl } from '../files/open-file.ts';
import { sayCreated } from '../missing-database.ts';
import { ApplyReport } from '../report/apply-report.ts';
import { warn } from '../report/outcomes.ts';
import { outputPaint } from '../terminal/colours.ts';
import { escapeName } from '../terminal/plain.ts';
import {
  formatMib,
  formatVersions,
  NO_PROGRESS,
  type Progress,
  startProgress,
} from '../terminal/progress.ts';

/** After this many lines of errors, no further file is read. */
const ERROR_LINES_MAX = 20;

type ApplyFlags = { prune?: boolean; dryRun?: boolean; json?: boolean; yes?: boolean };
type NamedDocument = ReadDocument & Readonly<{ name: string; isLong: boolean }>;

export function addApply(program: Command, cli: Cli): void {
  withExamples(
    withYes(withJson(program.command('apply'))),
    'apply acme.yaml --dry-run',
    `export acme | ${COMMAND} apply -`,
  )
    .description('make the database match content documents, in one transaction per document')
    .argument('<file...>', 'YAML or JSON documents; - reads standard input')
    .option('--prune', 'delete everything that the documents do not contain')
    .option('--dry-run', 'show what would be done without doing it')
    .action(async (files: string[], flags: ApplyFlags, command: Command) => {
      for (const file of files)
        requireNoUrl(
          file,
          wordsOf(command).filter((word) => word === file || !isUrl(word)),
        );
      const outcomes = await applyFiles(cli, files, flags);
      printResult(cli, flags, outcomes.outcomes, () => outcomes.formatLines(flags, outputPaint(cli)));
      warn(cli, outcomes.warnings());
    });
}

/** Reads all documents before anything is written, so that an error in the last one stops them all. */
export async function applyFiles(
  cli: Cli,
  files: readonly string[],
  flags: ApplyFlags,
): Promise<ApplyReport> {
  const documents = await openDocuments(cli, files);
  let agreed: ApplyReport['deleted'] | null = null;
  if (flags.dryRun || documents.length > 1 || (flags.prune && !flags.yes)) {
    const expected = await dryRunAll(cli, documents, flags);
    if (flags.dryRun) return expected;
    if (!flags.yes) agreed = await confirmPruning(cli, expected);
  }
  const outcomes = new ApplyReport(cli.now());
  const applied: string[] = [];
  for (const document of documents) {
    const apply = async (trx: Writer) => {
      await applyDocument(cli, trx, document, flags, outcomes);
      if (agreed !== null) requireAgreed(agreed, outcomes);
    };
    await withWriter(cli, apply, { create: true, onCreated: sayCreated(cli) }).catch((error: unknown) => {
      throw applied.length === 0 ? error : partlyAppliedError(error, applied, document.name);
    });
    applied.push(document.name);
  }
  return outcomes;
}

/** Documents before the one that failed were committed. */
function partlyAppliedError(error: unknown, applied: readonly string[], failed: string): Refusal {
  const before =
    applied.length === 1 ? `${applied[0]} was applied` : `${applied.length} documents were applied`;
  return new Refusal(`${before}, but ${failed} was not: ${messageFor(error)}`, { cause: error });
}

async function confirmPruning(cli: Cli, { deleted }: ApplyReport): Promise<ApplyReport['deleted']> {
  if (formatCounts(deleted) !== '') await confirm(cli, describePruned(deleted));
  return deleted;
}

function describePruned(deleted: ApplyReport['deleted']): string {
  return `${formatCounts(deleted)} not found in any document, with all their contents`;
}

/** Called in the transaction that deletes. */
function requireAgreed(agreed: ApplyReport['deleted'], { deleted }: ApplyReport): void {
  const kinds = Object.keys(agreed) as (keyof ApplyReport['deleted'])[];
  if (kinds.some((kind) => deleted[kind] > agreed[kind])) throw notAgreedError(describePruned(deleted));
}

/** Reports the problems of all files at once. */
async function openDocuments(cli: Cli, files: readonly string[]): Promise<NamedDocument[]> {
  const documents: NamedDocument[] = [];
  const lines = new Set<string>();
  for (const [index, file] of files.entries()) {
    if (lines.size >= ERROR_LINES_MAX) {
      lines.add(`Not checked: ${files.slice(index).join(', ')}.`);
      break;
    }
    try {
      documents.push(await openDocument(cli, file));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      for (const line of [error.message, ...error.more]) lines.add(line);
    }
  }
  const [first, ...more] = lines;
  if (first !== undefined) throw new Refusal(first, { more });
  return documents;
}

async function openDocument(cli: Cli, file: string): Promise<NamedDocument> {
  const { input, isLong } = await openFile(cli, file, 'split it by product');
  const { name, bytes } = input;
  if (isLong && !cli.terminal)
    cli.say(`changelog: applying ${escapeName(name)} (${formatMib(bytes.length)}) …`);
  // Loaded here, because `demo` starts from this module and usually needs no parser.
  const { readDocument } = await import('../../content/read/read.ts');
  const folder = file === '-' ? cli.folder : path.dirname(path.resolve(cli.folder, file));
  return { ...readDocument(input, folder), name, isLong };
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
  const { slug } = content.team;
  try {
    const before = await countPublic(trx, slug);
    await applyContent(trx, content, {
      pruning: prune,
      now: cli.now(),
      report: (outcome, publishedAt, publishAt) => {
        outcomes.add(outcome, publishedAt, publishAt);
        if (outcome.kind === 'version') progress.done(++versions);
      },
      reportPruned: (outcome) => outcomes.addPruned(outcome),
      // A new version may be called `future` or `main`, if its author says that it is published.
      isUnreleasedName: (label, isNewAndPublished) =>
        isNewAndPublished ? saysUnreleased(label) : isUnreleasedName(label),
    });
    outcomes.endDocument(slug, before, await countPublic(trx, slug));
  } catch (error) {
    throw error instanceof ContentProblem ? locate(error) : error;
  } finally {
    progress.end();
  }
}

function startWriting(cli: Cli, name: string, { products }: Content): Progress {
  const whole = products.reduce((sum, { changelog }) => sum + (changelog?.versions.length ?? 0), 0);
  return startProgress(cli, { what: `applying ${name}`, whole, format: formatVersions });
}

async function dryRunAll(
  cli: Cli,
  documents: readonly NamedDocument[],
  flags: ApplyFlags,
): Promise<ApplyReport> {
  const outcomes = new ApplyReport(cli.now());
  const applyAll = async (trx: Writer) => {
    for (const document of documents) await applyDocument(cli, trx, document, flags, outcomes);
  };
  await dryRun(cli, applyAll, { create: true });
  return outcomes;
}
