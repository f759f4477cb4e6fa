// Reads a changelog file and writes its versions, for `import` and `init`.
import type { ImportedChangelog } from '../import/changelog.ts';
import type { Writer } from '../store/engine/engine.ts';
import { type ImportSummary, importVersions } from '../store/import/import.ts';
import type { ProductPath } from '../store/read/reads.ts';
import type { Cli } from './cli.ts';
import { openFile } from './files/open-file.ts';
import { type ReadingFlags, rulesOf } from './reading-options.ts';
import type { ImportReport } from './report/import-report.ts';
import { formatVersions, NO_PROGRESS, startProgress } from './terminal/progress.ts';

export type ImportFlags = ReadingFlags & {
  dryRun?: boolean;
  json?: boolean;
  prune?: boolean;
  force?: boolean;
  create?: boolean;
  publish?: boolean;
  publishedAt?: string;
  yes?: boolean;
};

export type NamedChangelog = ImportedChangelog & Readonly<{ fileName: string; isLong: boolean }>;

export async function readFile(
  cli: Cli,
  file: string,
  { format, mergeDuplicates: merging = false, ...rules }: ReadingFlags,
): Promise<NamedChangelog> {
  const { readChangelog } = await import('../import/read.ts');
  const { input, isLong } = await openFile(cli, file, 'import it in parts');
  const changelog = readChangelog(input, { format, merging, rules: rulesOf(rules) });
  return { ...changelog, fileName: input.name, isLong };
}

export async function importInto(
  cli: Cli,
  trx: Writer,
  product: ProductPath,
  { versions, name, fileName, isLong }: NamedChangelog,
  { create = false, publish = false, prune = false, force = false, publishedAt }: ImportFlags,
  report: ImportReport,
): Promise<ImportSummary> {
  const start = (what: string, whole: number) =>
    isLong ? startProgress(cli, { what: `${what} ${fileName}`, whole, format: formatVersions }) : NO_PROGRESS;
  let progress = start('comparing', versions.length);
  try {
    return await importVersions(trx, product, versions, {
      source: fileName,
      name,
      create,
      publish,
      prune,
      force,
      publishedAt: publishedAt ?? null,
      now: cli.now(),
      report: (outcome, date) => report.add(outcome, date),
      reportTarget: (outcome) => report.addTarget(outcome),
      onCompared: (count) => progress.done(count),
      onWritten: (count, whole) => {
        if (count === 1) {
          progress.end();
          progress = start('importing', whole);
        }
        progress.done(count);
      },
    });
  } finally {
    progress.end();
  }
}
