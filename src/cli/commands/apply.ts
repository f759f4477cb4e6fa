import path from 'node:path';
import { COMMAND } from '../../command-name.ts';
import { readInput } from '../../content/input.ts';
import type { ReadDocument } from '../../content/read/read.ts';
import { ContentProblem } from '../../domain/content/content.ts';
import { Refusal } from '../../errors.ts';
import { isUnreleasedName, saysUnreleased } from '../../import/markdown/versions/words.ts';
import { countPublic } from '../../store/catalogue/catalogue.ts';
import type { Writer } from '../../store/engine/engine.ts';
import { applyContent } from '../../store/write/apply.ts';
import { argument, DRY_RUN, option } from '../arguments.ts';
import { type Cli, dryRun, messageFor, sayCreated, withWriter } from '../cli.ts';
import { command } from '../command.ts';
import { confirm, formatCounts, notAgreedError, YES } from '../confirm.ts';
import { forAll } from '../files/open-file.ts';
import { ApplyReport } from '../report/apply-report.ts';
import { warn } from '../report/outcomes.ts';
import { outputPaint } from '../terminal/colours.ts';
import { type Done, formatVersions, withProgress } from '../terminal/progress.ts';

type ApplyFlags = { prune?: boolean; dryRun?: boolean; yes?: boolean };
type NamedDocument = ReadDocument & Readonly<{ name: string }>;

export const applyCommand = command({
  name: 'apply',
  about: 'make the database match content documents',
  arguments: [argument('<file...>', 'YAML or JSON documents; - reads standard input')],
  options: [option('--prune', 'delete everything that the documents do not contain'), DRY_RUN],
  yes: YES,
  examples: ['apply acme.yaml --dry-run', `export acme | ${COMMAND} apply -`],
  run: (cli, flags: ApplyFlags, files: string[]) => applyFiles(cli, files, flags),
  text: (report, cli, flags) => report.formatLines(flags, outputPaint(cli)),
  json: (report) => report.outcomes,
  after: (report, cli) => warn(cli, report.warnings(cli.now())),
});

/** Reads all documents before anything is written, so that an error in the last one stops them all. */
export async function applyFiles(
  cli: Cli,
  files: readonly string[],
  flags: ApplyFlags,
): Promise<ApplyReport> {
  const documents = await forAll(files, (file) => openDocument(cli, file));
  let agreed: ApplyReport['deleted'] | null = null;
  if (flags.dryRun || documents.length > 1 || (flags.prune && !flags.yes)) {
    const expected = new ApplyReport();
    const applyAll = async (trx: Writer) => {
      for (const document of documents) await applyDocument(cli, trx, document, flags, expected);
    };
    await dryRun(cli, applyAll, { create: true });
    if (flags.dryRun) return expected;
    agreed = flags.yes ? null : expected.deleted;
    if (agreed !== null && formatCounts(agreed) !== '') await confirm(cli, describePruned(agreed));
  }
  const report = new ApplyReport();
  const applied: string[] = [];
  for (const document of documents) {
    const apply = async (trx: Writer) => {
      await applyDocument(cli, trx, document, flags, report);
      if (agreed !== null && isMore(report.deleted, agreed))
        throw notAgreedError(describePruned(report.deleted));
    };
    await withWriter(cli, apply, { create: true, onCreated: sayCreated(cli) }).catch((error: unknown) => {
      if (applied.length === 0) throw error;
      const message = `applied ${applied.join(', ')}, but not ${document.name}: ${messageFor(error)}`;
      throw new Refusal(message, { cause: error });
    });
    applied.push(document.name);
  }
  return report;
}

function describePruned(deleted: ApplyReport['deleted']): string {
  return `${formatCounts(deleted)} not found in any document, with all their contents`;
}

function isMore(deleted: ApplyReport['deleted'], agreed: ApplyReport['deleted']): boolean {
  const kinds = Object.keys(agreed) as (keyof ApplyReport['deleted'])[];
  return kinds.some((kind) => deleted[kind] > agreed[kind]);
}

async function openDocument(cli: Cli, file: string): Promise<NamedDocument> {
  const input = await readInput(file, { ...cli, advice: 'split it by product' });
  // Loaded here, because `demo` starts from this module and usually needs no parser.
  const { readDocument } = await import('../../content/read/read.ts');
  const folder = file === '-' ? cli.folder : path.dirname(path.resolve(cli.folder, file));
  return { ...readDocument(input, folder), name: input.name };
}

async function applyDocument(
  cli: Cli,
  trx: Writer,
  { content, locate, name }: NamedDocument,
  { prune = false }: ApplyFlags,
  report: ApplyReport,
): Promise<void> {
  const { products, team } = content;
  const whole = products.reduce((sum, { changelog }) => sum + (changelog?.versions.length ?? 0), 0);
  let versions = 0;
  const apply = (done: Done) =>
    applyContent(trx, content, {
      pruning: prune,
      now: cli.now(),
      report: (outcome, publishedAt, publishAt) => {
        report.add(outcome, { publishedAt, publishAt });
        if (outcome.kind === 'version' && outcome.action !== 'deleted') done(++versions, whole);
      },
      // A new version may be called `future` or `main`, if its author says that it is published.
      isUnreleasedName: (label, isNewAndPublished) =>
        isNewAndPublished ? saysUnreleased(label) : isUnreleasedName(label),
    });
  try {
    const before = await countPublic(trx, team.slug);
    await withProgress(cli, { what: `applying ${name}`, format: formatVersions }, apply);
    report.endDocument(team.slug, before, await countPublic(trx, team.slug));
  } catch (error) {
    throw error instanceof ContentProblem ? locate(error) : error;
  }
}
