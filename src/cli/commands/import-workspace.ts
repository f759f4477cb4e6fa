import { isName } from '../../domain/content/content.ts';
import { argument, collect, option } from '../arguments.ts';
import { command } from '../command.ts';
import { YES } from '../confirm.ts';
import { readFile, readFolder, withTagDates } from '../files/read-changelog.ts';
import { type Counts, hiddenBy, importJson, NO_VERSIONS, touchedBy } from '../report/import-report.ts';
import { formatActions, formatOutcome, formatVerdict, warn } from '../report/outcomes.ts';
import { count, escapeName, outputPaint } from '../terminal/text.ts';
import { IMPORT_OPTIONS, type ImportFlags, runImports } from './import.ts';

type Flags = ImportFlags & { exclude?: readonly string[] };

export const importWorkspaceCommand = command({
  name: 'import-workspace',
  about: 'load the changelogs of a monorepo, one product a package',
  arguments: [
    argument('<team>', 'slug of the team; created if it does not exist, like the products'),
    argument('<dir>', 'root of the monorepo'),
  ],
  options: [
    option('--publish', 'make a new team public, and publish the products and changelogs'),
    option('--exclude <folder>', 'leave out packages in folders like this; may be repeated', collect),
    ...IMPORT_OPTIONS,
  ],
  yes: YES,
  examples: [
    'import-workspace acme . --dry-run',
    'import-workspace acme . --publish --dates-from-git .',
    "import-workspace acme . --exclude 'packages/legacy-*'",
  ],
  run: async (cli, { exclude, ...typed }: Flags, team: string, folder: string) => {
    const flags = { ...typed, create: true };
    const { datesFromGit, dryRun: isDryRun = false } = flags;
    const read = async (file: string, names?: readonly string[]) => {
      const changelog = await readFile(cli, file, flags);
      return await withTagDates(cli, changelog, datesFromGit, names);
    };
    const { changelogs, ...found } = await readFolder(cli, folder, exclude, read);
    const jobs = changelogs.map(({ name, slug, changelog }) => ({
      changelog,
      product: { team, product: slug },
      initial: isName(name) ? { productName: name } : {},
    }));
    const imported = await runImports(cli, jobs, flags);
    const products = imported.map((each, index) => ({ ...each, folder: changelogs[index]?.folder ?? '' }));
    const counts = { ...NO_VERSIONS };
    for (const each of products)
      for (const action of Object.keys(counts) as (keyof Counts)[]) counts[action] += each.counts[action];
    return { ...found, team, folder, isDryRun, products, counts };
  },
  text: ({ team, folder, sources, isDryRun, products, counts, withoutChangelog }, cli) => {
    const paint = outputPaint(cli);
    const targets = products.flatMap((each) => each.targets);
    const lines = products.map((each) => {
      const isNew = each.targets.some(({ action }) => action === 'created');
      const action = isNew ? 'created' : touchedBy(each) > 0 ? 'changed' : 'unchanged';
      const path = `${team}/${each.product.product}`;
      const name = escapeName(each.changelog.fileName);
      return formatOutcome(paint, action, `${path}: ${formatActions(each.counts)} (${name})`);
    });
    const touched = products.reduce((sum, each) => sum + touchedBy(each), 0);
    const isHidden = !isDryRun && products.some((each) => hiddenBy(each).length > 0);
    return [
      `${escapeName(folder)}: ${sources.join(', ')}, ${count(products.length, 'changelog')}`,
      ...targets
        .filter(({ kind }) => kind === 'team')
        .map(({ action, name }) => formatOutcome(paint, action, `team ${name}`)),
      ...lines,
      ...(withoutChangelog.length > 0
        ? [`Without a changelog: ${withoutChangelog.map(escapeName).join(', ')}`]
        : []),
      formatVerdict(touched, counts, isDryRun),
      ...(isHidden ? ['Not all of it is public yet. Run it again with --publish.'] : []),
    ].join('\n');
  },
  json: ({ team, folder, isDryRun, counts, products, withoutChangelog }) => ({
    team,
    source: folder,
    dryRun: isDryRun,
    ...counts,
    withoutChangelog,
    products: products.map((each) => ({
      product: each.product.product,
      folder: each.folder,
      ...importJson(each),
    })),
  }),
  after: ({ products, warnings }, cli) =>
    warn(cli, [...warnings, ...products.flatMap((each) => each.warnings)]),
});
