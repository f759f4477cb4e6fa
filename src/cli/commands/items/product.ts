// `product` and `changelog` have the same commands, because each product has one changelog.
import type { Command } from 'commander';
import {
  CHANGELOG_RULES,
  IMAGE_RULE,
  isImagePath,
  PRODUCT_RULES,
  type TextRule,
} from '../../../domain/content/appearance.ts';
import { TEXT_CHARACTERS_MAX } from '../../../domain/content/content.ts';
import { PUBLICATION_STATES } from '../../../domain/model.ts';
import {
  countVersionsAt,
  listChangelogs,
  listProducts,
  requireKnownTeam,
} from '../../../store/catalogue/catalogue.ts';
import { notFoundError } from '../../../store/catalogue/not-found.ts';
import type { Reader, Writer } from '../../../store/engine/engine.ts';
import type { ProductPath } from '../../../store/read/reads.ts';
import {
  deleteChangelog,
  deleteProduct,
  type StatePatch,
  setChangelog,
  setProduct,
} from '../../../store/write/writes.ts';
import {
  choice,
  parseName,
  parseProduct,
  readTexts,
  requireSome,
  withExamples,
  withJson,
} from '../../arguments.ts';
import { type Cli, printResult, withReader, withWriter } from '../../cli.ts';
import { deleteConfirmed, withCounts, withYes } from '../../confirm.ts';
import { sayIfHidden } from '../../hidden.ts';
import { formatRecord, formatTable } from '../../terminal/table.ts';

type EntityCommands<Row extends object, Patch extends object> = Readonly<{
  noun: 'product' | 'changelog';
  list: (db: Reader, team: string) => Promise<Row[]>;
  isAt: (row: Row, path: ProductPath) => boolean;
  /** What tables show; `fields` is what records show. */
  columns: (row: Row) => Record<string, unknown>;
  fields: (row: Row) => Record<string, unknown>;
  /** What `set` takes besides the name and the status. */
  texts: Readonly<Record<string, TextRule>>;
  options: readonly (readonly [flags: string, description: string])[];
  set: (trx: Writer, path: ProductPath, patch: Patch) => Promise<void>;
  remove: (trx: Writer, path: ProductPath) => Promise<void>;
}>;

export function addProduct(program: Command, cli: Cli): void {
  addEntity(program, cli, {
    noun: 'product',
    list: listProducts,
    isAt: (row, path) => row.slug === path.product,
    columns: ({ team, slug, name, status, domain }) => ({ team, slug, name, status, domain }),
    fields: ({ links, image, logo, accent, ...others }) => ({
      ...others,
      ...links,
      image: shorten(image),
      logo: shorten(logo),
      accent,
    }),
    texts: PRODUCT_RULES,
    options: [
      ['--domain <name>', 'a host name of its own, such as changes.example.com; an empty text removes it'],
      ['--home <url>', "the product's own site, with https:; an empty text removes it"],
      ['--base <url>', 'where relative links in texts start, with https:; an empty text removes it'],
      ['--repository <url>', 'where its code is, with https:; an empty text removes it'],
      ['--image <picture>', 'an https: or data: URL, or a file; an empty text removes it'],
      ['--logo <picture>', 'an https: or data: URL, or a file; an empty text removes it'],
      ['--accent <colour>', 'the colour of links, such as "#4f46e5"; an empty text removes it'],
    ],
    set: setProduct,
    remove: deleteProduct,
  });
}

const DESCRIPTION_RULE: TextRule = {
  pattern: '',
  maxLength: TEXT_CHARACTERS_MAX,
  wanted: `a text of at most ${TEXT_CHARACTERS_MAX.toLocaleString('en')} characters`,
  read: (text) => ([...text].length > TEXT_CHARACTERS_MAX ? null : text),
};

export function addChangelog(program: Command, cli: Cli): void {
  addEntity(program, cli, {
    noun: 'changelog',
    list: listChangelogs,
    isAt: (row, path) => row.product === path.product,
    columns: ({ description, ...others }) => others,
    fields: (row) => row,
    texts: { ...CHANGELOG_RULES, description: DESCRIPTION_RULE },
    options: [
      ['--description <text>', 'what it is about, in Markdown; an empty text removes it'],
      ['--language <tag>', 'the language of its texts, such as de-CH; an empty text means en'],
    ],
    set: setChangelog,
    remove: deleteChangelog,
  });
}

function addEntity<Row extends object, Patch extends StatePatch>(
  program: Command,
  cli: Cli,
  entity: EntityCommands<Row, Patch>,
): void {
  const { noun } = entity;
  const group = program.command(noun).description(`show and change ${noun}s`);
  withExamples(group, `${noun} list acme`, `${noun} set acme/rocket --status published`);
  const one = (verb: string) =>
    withJson(group.command(verb)).argument('<team/product>', 'such as acme/rocket', parseProduct);

  withJson(group.command('list'))
    .description(`list the ${noun}s of a team`)
    .argument('<team>', 'slug of the team')
    .action(async (team: string, options) => {
      const rows = await withReader(cli, async (db) => {
        await requireKnownTeam(db, team);
        return await entity.list(db, team);
      });
      printResult(cli, options, rows, () =>
        formatTable(cli, rows.map(entity.columns), `The team ${team} has no ${noun}s yet.`),
      );
    });

  one('show')
    .description(`show one ${noun}`)
    .action((path: ProductPath, options) => show(cli, entity, path, options));

  const set = one('set')
    .description(`change one ${noun}`)
    .option('--name <text>', 'its name', parseName)
    .addOption(
      choice(
        '--status <status>',
        'only published is public; locked is hidden too, and cannot be changed',
        PUBLICATION_STATES,
      ),
    );
  for (const [flags, description] of entity.options) set.option(flags, description);
  set.action(async (path: ProductPath, { json, ...typed }: StatePatch & { json?: boolean }) => {
    requireSome(set, typed);
    const texts = await withImages(cli, entity.texts, set.opts());
    const patch = { ...typed, ...readTexts(set, entity.texts, texts) } as Patch;
    await withWriter(cli, (trx) => entity.set(trx, path, patch));
    await show(cli, entity, path, json ? { json } : {});
    sayIfHidden(cli, `the ${noun} ${path.team}/${path.product}`, patch.status);
  });

  withYes(one('delete'))
    .description(`delete one ${noun} with everything in it`)
    .action(async (path: ProductPath, options) => {
      const name = `${path.team}/${path.product}`;
      const describe = async (db: Reader) => {
        const versions = await countVersionsAt(db, path, { needsChangelog: noun === 'changelog' });
        return withCounts(`the ${noun} ${name}`, { version: versions });
      };
      await deleteConfirmed(cli, options, describe, (trx) => entity.remove(trx, path));
      printResult(cli, options, { deleted: name }, () => `Deleted the ${noun} ${name}.`);
    });
}

/** The options, with data: URLs for the files that they name. */
async function withImages(
  { folder }: Cli,
  rules: Readonly<Record<string, TextRule>>,
  options: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const texts = { ...options };
  for (const [name, text] of Object.entries(options)) {
    if (rules[name] !== IMAGE_RULE || !isImagePath(text)) continue;
    const { readImage } = await import('../../../content/read/image-files.ts');
    texts[name] = readImage(text, { folder, isConfined: false });
  }
  return texts;
}

async function show<Row extends object>(
  cli: Cli,
  entity: Pick<EntityCommands<Row, StatePatch>, 'list' | 'isAt' | 'fields'>,
  path: ProductPath,
  options: { json?: boolean },
): Promise<void> {
  const row = await withReader(cli, async (db) => {
    const rows = await entity.list(db, path.team);
    const found = rows.find((candidate) => entity.isAt(candidate, path));
    if (found !== undefined) return found;
    throw await notFoundError(db, path);
  });
  printResult(cli, options, row, () => formatRecord(entity.fields(row)));
}

/** Leaves out the data of an image. */
function shorten(image: string | null): string | null {
  if (image === null || !image.startsWith('data:')) return image;
  return `${image.slice(0, image.indexOf(',') + 1)}… (${image.length.toLocaleString('en')} characters)`;
}
