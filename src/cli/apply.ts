import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import type { SourceDocument } from '../content/read.ts';
import { ContentProblem } from '../domain/content.ts';
import { Refusal } from '../errors.ts';
import { applyContent } from '../store/apply.ts';
import type { Writer } from '../store/engine.ts';
import type { Outcome } from '../store/outcome.ts';
import { withJson } from './arguments.ts';
import { type Cli, printResult, withWriter } from './cli.ts';

type ApplyFlags = { prune?: boolean; dryRun?: boolean; json?: boolean };

export function addApply(program: Command, cli: Cli): void {
  withJson(program.command('apply'))
    .description('make the database match content documents, one transaction a document')
    .argument('<file...>', 'YAML or JSON documents; - reads standard input')
    .option('--prune', 'delete what a document does not name')
    .option('--dry-run', 'say what would be done, and do nothing')
    .action(async (files: string[], flags: ApplyFlags) => {
      const outcomes = await applyFiles(cli, files, flags);
      printResult(cli, flags, outcomes, () => writeOutcomes(outcomes, flags));
    });
}

/** Reads all documents before anything is written, so that a mistake in the last leaves the first undone too. */
export async function applyFiles(cli: Cli, files: readonly string[], flags: ApplyFlags): Promise<Outcome[]> {
  const documents: SourceDocument[] = [];
  for (const file of files) documents.push(await readDocument(cli, file));
  if (flags.dryRun || documents.length > 1) {
    const rehearsed = await rehearse(cli, documents, flags);
    if (flags.dryRun) return rehearsed;
  }
  const outcomes: Outcome[] = [];
  for (const document of documents) {
    outcomes.push(
      ...(await withWriter(cli, (trx) => applyDocument(cli, trx, document, flags), { create: true })),
    );
  }
  return outcomes;
}

async function readDocument(cli: Cli, file: string): Promise<SourceDocument> {
  // Loaded here: serving, which also starts from this program, needs no parser.
  const { readContent } = await import('../content/read.ts');
  const name = file === '-' ? 'standard input' : file;
  const bytes =
    file === '-' ? await cli.readStandardInput() : readBytes(path.resolve(cli.folder, file), file);
  if (bytes.byteLength > LONG_WORK_BYTES) cli.say(`changelog: applying ${name} (${writeMib(bytes)} MiB) …`);
  return readContent(bytes, name);
}

/** From this size on an apply takes long enough for people to wonder. */
const LONG_WORK_BYTES = 1024 * 1024;

function writeMib({ byteLength }: Uint8Array): string {
  return (byteLength / 1024 ** 2).toFixed(1);
}

function readBytes(path: string, file: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}

async function applyDocument(
  cli: Cli,
  trx: Writer,
  document: SourceDocument,
  { prune = false }: ApplyFlags,
): Promise<Outcome[]> {
  try {
    return await applyContent(trx, document.content, { pruning: prune, now: cli.now() });
  } catch (error) {
    throw error instanceof ContentProblem ? document.locate(error) : error;
  }
}

class RolledBack extends Error {}

/** Does all of it in a transaction that is then rolled back; where there is no database, in one that leaves no file. */
async function rehearse(
  cli: Cli,
  documents: readonly SourceDocument[],
  flags: ApplyFlags,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const play = async (trx: Writer) => {
    for (const document of documents) outcomes.push(...(await applyDocument(cli, trx, document, flags)));
    throw new RolledBack();
  };
  await withWriter(cli, play, { create: true, rehearsal: true }).catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  return outcomes;
}

function writeOutcomes(outcomes: readonly Outcome[], { dryRun }: ApplyFlags): string {
  const touched = outcomes.filter(({ action }) => action !== 'unchanged');
  const lines = touched.map(({ action, kind, name }) => `${MARKS[action]} ${kind} ${name}`);
  const counts = (['created', 'changed', 'deleted', 'unchanged'] as const)
    .map((action) => `${outcomes.filter((outcome) => outcome.action === action).length} ${action}`)
    .join(', ');
  const summary =
    touched.length === 0 ? `Nothing to do: ${counts}.` : `${dryRun ? 'Would be done' : 'Done'}: ${counts}.`;
  return [...lines, summary].join('\n');
}

const MARKS = { created: '+', changed: '~', deleted: '-', unchanged: ' ' } as const;
