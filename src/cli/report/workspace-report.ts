// What an import of a monorepo has done, one line a product.
import { COMMAND } from '../../command-name.ts';
import { formatCounts } from '../confirm.ts';
import type { ImportJob, ImportResult } from '../import-file.ts';
import type { Paint } from '../terminal/colours.ts';
import { escapeName } from '../terminal/plain.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { type Counts, formatVersionCounts, NO_VERSIONS, RERUN_TITLE } from './import-report.ts';
import { formatVerdict, MARKS } from './outcomes.ts';

export type WorkspaceReport = Readonly<{
  team: string;
  folder: string;
  /** The files that name the packages. */
  sources: readonly string[];
  dryRun: boolean;
  products: readonly (ImportJob & ImportResult & Readonly<{ folder: string }>)[];
  /** The folders of packages that have none. */
  withoutChangelog: readonly string[];
  rerun: string;
}>;

export function formatWorkspaceJson(about: WorkspaceReport): unknown {
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

export function formatWorkspaceLines(about: WorkspaceReport, paint: Paint): string {
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
