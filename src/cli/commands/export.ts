import { COMMAND } from '../../command-name.ts';
import { FORMATS, writeContent } from '../../content/write.ts';
import type { VersionContent } from '../../domain/content/content.ts';
import { Refusal } from '../../errors.ts';
import { rowOf } from '../../present/content-rows.ts';
import { countOfTeam, countVersionsAt } from '../../store/catalogue/catalogue.ts';
import { type StoredContent, type StoredProduct, withContent } from '../../store/catalogue/content.ts';
import { notFoundError } from '../../store/catalogue/not-found.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { argument, choice, option, parseProduct } from '../arguments.ts';
import { withReader } from '../cli.ts';
import { command, UsageError } from '../command.ts';
import { formatVersions, NO_PROGRESS, type Progress, startProgress } from '../terminal/progress.ts';

const EXPORT_FORMATS = [...FORMATS, 'markdown'] as const;
type ExportFormat = (typeof EXPORT_FORMATS)[number];
type ExportTarget = Readonly<{ team: string; product?: string }>;

export const exportCommand = command({
  name: 'export',
  about: "print a team's content document, or a changelog as Markdown",
  arguments: [
    argument('<team>', 'slug of the team, or TEAM/PRODUCT for one product, such as acme/rocket', parseTarget),
  ],
  options: [
    choice('--format <format>', 'format of the output', EXPORT_FORMATS).default('yaml'),
    option('--json', 'the same as --format json'),
  ],
  examples: [
    'export acme > acme.yaml',
    'export acme --format json > acme.json',
    'export acme/rocket --format markdown > CHANGELOG.md',
  ],
  run: (cli, flags: { format: ExportFormat; json?: boolean }, target: ExportTarget) =>
    withReader(cli, async (db) => {
      const { team, product } = target;
      const format = flags.json ? 'json' : flags.format;
      const whole =
        product === undefined
          ? (await countOfTeam(db, team)).versions
          : await countVersionsAt(db, { team, product }, { needsChangelog: false });
      const what = `exporting ${product === undefined ? team : `${team}/${product}`}`;
      // A progress bar would mix with the document.
      const progress = cli.terminal?.isPrintedTo
        ? NO_PROGRESS
        : startProgress(cli, { what, whole, format: formatVersions });
      await withContent(db, team, async (content, trx) => {
        const products = content?.products.filter(({ slug }) => product === undefined || slug === product);
        if (content === undefined || products === undefined || (product !== undefined && !products.length))
          throw await notFoundError(trx, target);
        const chosen = withProgress({ ...content, products }, progress);
        const texts =
          format === 'markdown'
            ? writeMarkdown(await chooseChangelog(trx, chosen, target))
            : writeContent(chosen, format);
        for await (const text of texts) await cli.print(text);
      }).finally(progress.end);
    }),
});

function parseTarget(text: string): ExportTarget {
  return text.includes('/') ? parseProduct(text) : { team: text };
}

type StoredChangelog = NonNullable<StoredProduct['changelog']>;

/** The product may be left out if only one has a changelog. */
async function chooseChangelog(trx: Reader, { products }: StoredContent, { team, product }: ExportTarget) {
  const [first, ...others] = products.flatMap(({ slug, changelog }) =>
    changelog === null ? [] : [{ slug, changelog }],
  );
  if (first === undefined && product !== undefined) throw await notFoundError(trx, { team, product });
  if (first === undefined)
    throw new Refusal(`no product of the team ${team} has a changelog; add one with \`${COMMAND} apply\``);
  if (others.length > 0)
    throw new UsageError(
      `markdown has one changelog, but ${team} has ${others.length + 1}; choose a product, such as ${team}/${first.slug}`,
    );
  return first.changelog;
}

async function* writeMarkdown({ name, description, batches }: StoredChangelog): AsyncGenerator<string> {
  const { writeMarkdownHead, writeMarkdownVersion } = await import('../../present/outputs/markdown.ts');
  yield writeMarkdownHead(name, description);
  for await (const batch of batches())
    if (batch.length > 0)
      yield batch.map((version) => `\n${writeMarkdownVersion(rowOf(version))}`).join('\n');
}

function withProgress({ team, products }: StoredContent, progress: Progress): StoredContent {
  let versions = 0;
  async function* watch(batches: AsyncIterable<VersionContent[]>) {
    for await (const batch of batches) {
      yield batch;
      versions += batch.length;
      progress.done(versions);
    }
  }
  return {
    team,
    products: products.map(({ changelog, ...product }) => ({
      ...product,
      changelog: changelog && { ...changelog, batches: () => watch(changelog.batches()) },
    })),
  };
}
