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
import type { Outcome } from '../../store/write/versions.ts';
import { argument, DRY_RUN, option } from '../arguments.ts';
import { type Cli, dryRun, messageFor, withWriter } from '../cli.ts';
import { command } from '../command.ts';
import { confirm, formatCounts, notAgreedError, YES } from '../confirm.ts';
import { forAll } from '../files/open-file.ts';
import { type Dated, warnOfDates } from '../report/dates.ts';
import { firstLines, formatOutcome, formatVerdict, warn } from '../report/outcomes.ts';
import { type Done, formatVersions, withProgress } from '../terminal/progress.ts';
import { escapeControls, outputPaint, type Paint } from '../terminal/text.ts';

type ApplyFlags = { prune?: boolean; dryRun?: boolean; yes?: boolean };
type NamedDocument = ReadDocument & Readonly<{ name: string }>;
/** A product that becomes public or stops being so (R7), with the number of its published versions. */
type Shown = Readonly<{ product: string; versions: number }>;
type Reported = Outcome & { shown?: readonly Shown[]; hidden?: readonly Shown[] };
/** What is printed when it is committed. */
type Applied = Readonly<{ outcomes: Reported[]; dated: Dated[] }>;
const newReport = (): Applied => ({ outcomes: [], dated: [] });

export const applyCommand = command({
  name: 'apply',
  about: 'make the database match content documents',
  arguments: [argument('<file...>', 'YAML or JSON documents; - reads standard input')],
  options: [option('--prune', 'delete everything that the documents do not contain'), DRY_RUN],
  yes: YES,
  examples: ['apply acme.yaml --dry-run', `export acme | ${COMMAND} apply -`],
  run: (cli, flags: ApplyFlags, files: string[]) => applyFiles(cli, files, flags),
  text: (report, cli, { dryRun = false }) => format(report, dryRun, outputPaint(cli)),
  json: ({ outcomes }) => outcomes,
  after: ({ dated }, cli) => warn(cli, warnOfDates(dated, cli.now())),
});

/** Reads all documents before anything is written, so that an error in the last one stops them all. */
export async function applyFiles(cli: Cli, files: readonly string[], flags: ApplyFlags): Promise<Applied> {
  const documents = await forAll(files, (file) => openDocument(cli, file));
  let agreed: ReadonlySet<string> | null = null;
  if (flags.dryRun || documents.length > 1 || (flags.prune && !flags.yes)) {
    const expected = newReport();
    const applyAll = async (trx: Writer) => {
      for (const document of documents) await applyDocument(cli, trx, document, flags, expected);
    };
    await dryRun(cli, applyAll, { create: true });
    if (flags.dryRun) return expected;
    if (!flags.yes) {
      const pruned = prunedOf(expected);
      agreed = new Set(pruned.map(nameOf));
      if (pruned.length > 0) await confirm(cli, describePruned(pruned));
    }
  }
  const report = newReport();
  const applied: string[] = [];
  for (const document of documents) {
    const apply = async (trx: Writer) => {
      await applyDocument(cli, trx, document, flags, report);
      const pruned = prunedOf(report);
      if (agreed !== null && !pruned.every((each) => agreed.has(nameOf(each))))
        throw notAgreedError(describePruned(pruned));
    };
    await withWriter(cli, apply, { create: true }).catch((error: unknown) => {
      if (applied.length === 0) throw error;
      const message = `applied ${applied.join(', ')}, but not ${document.name}: ${messageFor(error)}`;
      throw new Refusal(message, { cause: error });
    });
    applied.push(document.name);
  }
  return report;
}

const nameOf = ({ kind, name }: Outcome) => `${kind} ${name}`;
const prunedOf = ({ outcomes }: Applied) => outcomes.filter(({ action }) => action === 'deleted');

function describePruned(pruned: readonly Outcome[]): string {
  const counts = { product: 0, changelog: 0, version: 0, team: 0 };
  for (const { kind } of pruned) counts[kind]++;
  return `${formatCounts(counts)} not found in any document, with all their contents`;
}

function format({ outcomes }: Applied, isDryRun: boolean, paint: Paint): string {
  const counts = { created: 0, changed: 0, deleted: 0, unchanged: 0 };
  for (const { action } of outcomes) counts[action]++;
  const written = outcomes.filter(({ action }) => action !== 'unchanged');
  const lines = written.map((each) => formatOutcome(paint, each.action, escapeControls(nameOf(each))));
  const visibility = outcomes.flatMap(({ shown = [], hidden = [] }) => [
    ...shown.map((each) => describeShown(each, 'becomes public')),
    ...hidden.map((each) => describeShown(each, 'is no longer public')),
  ]);
  const verdict = formatVerdict(written.length, counts, isDryRun);
  return [...firstLines(lines), ...firstLines(visibility), verdict].join('\n');
}

const describeShown = ({ product, versions }: Shown, state: string) =>
  `product ${product} ${state}: ${formatCounts({ version: versions }) || 'no versions'}`;

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
  report: Applied,
): Promise<void> {
  const { products, team } = content;
  const whole = products.reduce((sum, { changelog }) => sum + (changelog?.versions.length ?? 0), 0);
  let versions = 0;
  const apply = (done: Done) =>
    applyContent(trx, content, {
      pruning: prune,
      now: cli.now(),
      report: (outcome, publishedAt, publishAt) => {
        report.outcomes.push(outcome);
        report.dated.push({ name: outcome.name, publishedAt, publishAt });
        if (outcome.kind === 'version' && outcome.action !== 'deleted') done(++versions, whole);
      },
      // A new version may be called `future` or `main`, if its author says that it is published.
      isUnreleasedName: (label, isNewAndPublished) =>
        isNewAndPublished ? saysUnreleased(label) : isUnreleasedName(label),
    });
  try {
    const before = await countPublic(trx, team.slug);
    await withProgress(cli, { what: `applying ${name}`, format: formatVersions }, apply);
    const after = await countPublic(trx, team.slug);
    const shown = productsOnlyIn(team.slug, after, before);
    const hidden = productsOnlyIn(team.slug, before, after);
    const outcome = report.outcomes.findLast(({ kind }) => kind === 'team');
    if (outcome && shown.length > 0) outcome.shown = shown;
    if (outcome && hidden.length > 0) outcome.hidden = hidden;
  } catch (error) {
    throw error instanceof ContentProblem ? locate(error) : error;
  }
}

/** The products that the first has and the second has not. */
function productsOnlyIn(
  slug: string,
  has: ReadonlyMap<string, number>,
  had: ReadonlyMap<string, number>,
): Shown[] {
  const added = [...has].filter(([product]) => !had.has(product));
  return added.map(([product, versions]) => ({ product: `${slug}/${product}`, versions }));
}
