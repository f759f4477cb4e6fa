import { FORMATS, writeContent } from '../../content/write.ts';
import { rowOf } from '../../present/changelog.ts';
import { type StoredProduct, withContent } from '../../store/catalogue/content.ts';
import { notFoundError } from '../../store/catalogue/not-found.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { argument, choice, option, parseProduct } from '../arguments.ts';
import { withReader } from '../cli.ts';
import { command, UsageError } from '../command.ts';
import { type Done, formatMib, withProgress } from '../terminal/progress.ts';

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
    const work = { what: `exporting ${Object.values(target).join('/')}`, format: formatMib };
    const exportTo = (done: Done) => (db: Reader) =>
      withContent(db, team, async (content, trx) => {
        const products = (content?.products ?? []).filter(
          ({ slug }) => product === undefined || slug === product,
        );
        const isMissing = format === 'markdown' ? !products[0]?.changelog : product && products.length === 0;
        if (content === undefined || isMissing) throw await notFoundError(trx, target);
        const texts =
          format === 'markdown' ? writeMarkdown(products) : writeContent({ ...content, products }, format);
        let bytes = 0;
        for await (const text of texts) {
          await cli.print(text);
          bytes += Buffer.byteLength(text);
          // On a terminal, progress would mix with the document.
          if (!cli.columns) done(bytes);
        }
      });
    await withProgress(cli, work, (done) => withReader(cli, exportTo(done)));
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
