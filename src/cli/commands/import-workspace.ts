import { COMMAND } from '../../command-name.ts';
import { isName } from '../../domain/content/content.ts';
import { argument, collect, option } from '../arguments.ts';
import { command } from '../command.ts';
import { formatCounts } from '../confirm.ts';
import { readFile, withTagDates } from '../files/read-changelog.ts';
import { readPackages } from '../files/read-packages.ts';
import { type ImportFlags, type ImportJob, type ImportResult, runImports } from '../import-file.ts';
import { rerunCommand } from '../reading-options.ts';
import {
  type Counts,
  formatVersionCounts,
  NO_VERSIONS,
  RERUN_TITLE,
  warnOfUndated,
} from '../report/import-report.ts';
import { formatVerdict, MARKS, warn } from '../report/outcomes.ts';
import { outputPaint, type Paint } from '../terminal/colours.ts';
import { escapeName, shellWord } from '../terminal/plain.ts';
import { IMPORT_OPTIONS } from './import.ts';

type WorkspaceFlags = ImportFlags & { exclude?: readonly string[] };

type WorkspaceReport = Readonly<{
  team: string;
  folder: string;
  /** The files that name the packages. */
  sources: readonly string[];
  dryRun: boolean;
  products: readonly (ImportJob & ImportResult & Readonly<{ folder: string }>)[];
  /** The folders of packages that have none. */
  withoutChangelog: readonly string[];
  rerun: string;
  warnings: readonly string[];
}>;

export const importWorkspaceCommand = command({
  name: 'import-workspace',
  about: 'load the changelogs of a monorepo, one product a package, in one transaction',
  arguments: [
    argument('<team>', 'slug of the team; created if it does not exist, like the products'),
    argument('<dir>', 'root of the monorepo'),
  ],
  options: [
    option('--publish', 'make a new team public, and publish the products and changelogs'),
    option('--exclude <folder>', 'leave out packages in folders like this; may be repeated', collect),
    ...IMPORT_OPTIONS,
  ],
  yes: 'delete without asking; needed without a terminal',
  examples: [
    'import-workspace acme . --dry-run',
    'import-workspace acme . --publish --dates-from-git .',
    "import-workspace acme . --exclude 'packages/legacy-*'",
  ],
  run: async (cli, typed: WorkspaceFlags, team: string, folder: string): Promise<WorkspaceReport> => {
    const flags = { ...typed, create: true };
    const { datesFromGit, dryRun = false } = flags;
    const read = async (file: string, names: readonly string[]) => {
      const changelog = await readFile(cli, file, flags);
      return await withTagDates(cli, changelog, datesFromGit, names);
    };
    const { changelogs, ...found } = await readPackages(cli, folder, flags.exclude, 'imported', read);
    const jobs = changelogs.map(({ name, slug, ...own }) => ({
      ...own,
      product: { team, product: slug },
      ...(isName(name) && { productName: name }),
    }));
    const products = await runImports(cli, jobs, flags);
    return { ...found, team, folder, dryRun, products, rerun: rerunOf(team, folder, flags) };
  },
  text: (about, cli) => format(about, outputPaint(cli)),
  json: (about) => toJson(about),
  after: ({ products, folder, warnings }, cli, flags) => {
    const undated = products.reduce((sum, { summary }) => sum + summary.undatedDrafts, 0);
    const own = products.flatMap(({ report }) => report.ownWarnings());
    warn(cli, [...warnings, ...own, ...warnOfUndated(folder, undated, flags)]);
  },
});

/** Unlike that of `import`, it publishes again: the next release may add a package. */
function rerunOf(team: string, folder: string, flags: WorkspaceFlags): string {
  const { publish, exclude = [] } = flags;
  const options = [...(publish ? ['--publish'] : []), ...exclude.flatMap((each) => ['--exclude', each])];
  return rerunCommand(['import-workspace', team, folder, ...options], flags);
}

function toJson(about: WorkspaceReport): unknown {
  const { team, folder, dryRun, products, withoutChangelog, rerun } = about;
  return {
    team,
    source: folder,
    dryRun,
    ...sum(products),
    rerun,
    withoutChangelog,
    products: products.map(({ product, folder, report, summary }) => ({
      product: product.product,
      folder,
      ...report.toJson(summary),
    })),
  };
}

function format(about: WorkspaceReport, paint: Paint): string {
  const { team, folder, sources, dryRun, products, withoutChangelog, rerun } = about;
  const lines = products.map(({ product, changelog, report }) => {
    const isNew = report.creates('product');
    const [style, mark] = MARKS[isNew ? 'created' : report.touched > 0 ? 'changed' : 'unchanged'];
    const what = `${product.team}/${product.product}: ${formatVersionCounts(report.counts)}`;
    return `${paint(style, mark)} ${what} (${escapeName(changelog.fileName)})`;
  });
  const touched = products.reduce((all, { report }) => all + report.touched, 0);
  const verdict = formatVerdict(touched, { dryRun });
  const isHidden = products.some(({ report, summary }) => report.hiddenBy(summary).length > 0);
  const isPrivate = products[0]?.summary.target.team.visibility === 'private';
  return [
    `${escapeName(folder)}: ${sources.join(', ')}, ${formatCounts({ changelog: products.length })}`,
    ...(products.some(({ report }) => report.creates('team'))
      ? [`${paint(...MARKS.created)} team ${team}`]
      : []),
    ...lines,
    ...(withoutChangelog.length > 0
      ? [`Without a changelog: ${withoutChangelog.map(escapeName).join(', ')}`]
      : []),
    `${verdict}: ${formatVersionCounts(sum(products))}.`,
    ...(isHidden && !dryRun
      ? [
          'Not all of it is public yet. To publish it:',
          ...(isPrivate ? [`  ${COMMAND} team set ${team} --visibility public`] : []),
          `  ${COMMAND} import-workspace ${team} ${shellWord(folder)} --publish`,
        ]
      : []),
    ...(verdict === 'Done' ? [RERUN_TITLE, `  ${rerun}`] : []),
  ].join('\n');
}

function sum(products: WorkspaceReport['products']): Counts {
  const counts = { ...NO_VERSIONS };
  for (const { report } of products)
    for (const action of Object.keys(counts) as (keyof Counts)[]) counts[action] += report.counts[action];
  return counts;
}
