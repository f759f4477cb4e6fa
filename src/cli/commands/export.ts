import { FORMATS, writeContent } from '../../content/write.ts';
import type { VersionContent } from '../../domain/content/content.ts';
import { rowOf } from '../../present/content-rows.ts';
import { countOfTeam, countVersionsAt } from '../../store/catalogue/catalogue.ts';
import { type StoredProduct, withContent } from '../../store/catalogue/content.ts';
import { notFoundError } from '../../store/catalogue/not-found.ts';
import { argument, choice, option, parseProduct } from '../arguments.ts';
import { withReader } from '../cli.ts';
import { command, UsageError } from '../command.ts';
import { formatVersions, NO_PROGRESS, type Progress, startProgress } from '../terminal/progress.ts';

const EXPORT_FORMATS = [...FORMATS, 'markdown'] as const;
type Flags = { format: (typeof EXPORT_FORMATS)[number]; json?: boolean };
type Target = Readonly<{ team: string; product?: string }>;

export const exportCommand = command({
  name: 'export',
  about: "print a team's content document, or a changelog as Markdown",
  arguments: [argument('<team>', 'slug of the team, or TEAM/PRODUCT for one product', parseTarget)],
  options: [
    choice('--format <format>', 'format of the output', EXPORT_FORMATS).default('yaml'),
    option('--json', 'the same as --format json'),
  ],
  examples: [
    'export acme > acme.yaml',
    'export acme --format json > acme.json',
    'export acme/rocket --format markdown > CHANGELOG.md',
  ],
  run: async (cli, { json, ...flags }: Flags, target: Target) => {
    const { team, product } = target;
    const format = json ? 'json' : flags.format;
    if (format === 'markdown' && product === undefined)
      throw new UsageError(`markdown has one changelog; name its product, such as ${team}/rocket`);
    await withReader(cli, async (db) => {
      const whole =
        product === undefined
          ? (await countOfTeam(db, team)).versions
          : await countVersionsAt(db, { team, product }, { needsChangelog: format === 'markdown' });
      const what = `exporting ${product === undefined ? team : `${team}/${product}`}`;
      // A progress bar would mix with the document.
      const progress = cli.columns
        ? NO_PROGRESS
        : startProgress(cli, { what, whole, format: formatVersions });
      await withContent(db, team, async (content, trx) => {
        if (content === undefined) throw await notFoundError(trx, target);
        const products = content.products
          .filter(({ slug }) => product === undefined || slug === product)
          .map((each) => withProgress(each, progress));
        const texts =
          format === 'markdown' ? writeMarkdown(products) : writeContent({ ...content, products }, format);
        for await (const text of texts) await cli.print(text);
      }).finally(progress.end);
    });
  },
});

function parseTarget(text: string): Target {
  return text.includes('/') ? parseProduct(text) : { team: text };
}

async function* writeMarkdown([product]: readonly StoredProduct[]): AsyncGenerator<string> {
  const { writeMarkdownHead, writeMarkdownVersion } = await import('../../present/outputs/markdown.ts');
  const changelog = product?.changelog;
  if (!changelog) return;
  yield writeMarkdownHead(changelog.name, changelog.description);
  for await (const batch of changelog.batches())
    if (batch.length > 0)
      yield batch.map((version) => `\n${writeMarkdownVersion(rowOf(version))}`).join('\n');
}

function withProgress({ changelog, ...product }: StoredProduct, progress: Progress): StoredProduct {
  if (changelog === null) return { ...product, changelog };
  let versions = 0;
  async function* watch(batches: AsyncIterable<VersionContent[]>) {
    for await (const batch of batches) {
      yield batch;
      versions += batch.length;
      progress.done(versions);
    }
  }
  return { ...product, changelog: { ...changelog, batches: () => watch(changelog.batches()) } };
}
