// `product` and `changelog` have the same commands, because each product has one changelog.
import type { Option } from 'commander';
import { readImage } from '../../../content/read/image-files.ts';
import { containsApiKey } from '../../../domain/access/api-key.ts';
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
import { choice, LOOKS_LIKE_KEY, option, PRODUCT, parseName, TEAM } from '../../arguments.ts';
import { type Cli, withReader } from '../../cli.ts';
import { type Command, command, UsageError } from '../../command.ts';
import { formatTable } from '../../terminal/table.ts';
import { itemCommands } from './item.ts';

type EntityCommands<Row extends object, Patch extends object> = Readonly<{
  noun: 'product' | 'changelog';
  list: (db: Reader, team: string) => Promise<Row[]>;
  productOf: (row: Row) => string;
  /** What tables show; `fields` is what records show. */
  columns: (row: Row) => Record<string, unknown>;
  fields: (row: Row) => Record<string, unknown>;
  /** What `set` takes besides the name and the status. */
  options: readonly Option[];
  set: (trx: Writer, path: ProductPath, patch: Patch) => Promise<void>;
  remove: (trx: Writer, path: ProductPath) => Promise<void>;
}>;

const DESCRIPTION_RULE: TextRule = {
  pattern: '',
  maxLength: TEXT_CHARACTERS_MAX,
  wanted: `a text of at most ${TEXT_CHARACTERS_MAX.toLocaleString('en')} characters`,
  read: (text) => ([...text].length > TEXT_CHARACTERS_MAX ? null : text),
};
const PICTURE = 'an https: or data: URL, or a file; an empty text removes it';

export const productCommand = entityCommand({
  noun: 'product',
  list: listProducts,
  productOf: ({ slug }) => slug,
  columns: ({ team, slug, name, status, domain }) => ({ team, slug, name, status, domain }),
  fields: ({ links, image, logo, accent, ...others }) => ({
    ...others,
    ...links,
    image: shorten(image),
    logo: shorten(logo),
    accent,
  }),
  options: [
    text(
      '--domain <name>',
      'a host name of its own, such as changes.example.com; an empty text removes it',
      PRODUCT_RULES.domain,
    ),
    text('--home <url>', "the product's own site, with https:; an empty text removes it", PRODUCT_RULES.home),
    text(
      '--base <url>',
      'where relative links in texts start, with https:; an empty text removes it',
      PRODUCT_RULES.base,
    ),
    text(
      '--repository <url>',
      'where its code is, with https:; an empty text removes it',
      PRODUCT_RULES.repository,
    ),
    text('--image <picture>', PICTURE, IMAGE_RULE),
    text('--logo <picture>', PICTURE, IMAGE_RULE),
    text(
      '--accent <colour>',
      'the colour of links, such as "#4f46e5"; an empty text removes it',
      PRODUCT_RULES.accent,
    ),
  ],
  set: setProduct,
  remove: deleteProduct,
});

export const changelogCommand = entityCommand({
  noun: 'changelog',
  list: listChangelogs,
  productOf: ({ product }) => product,
  columns: ({ description, ...others }) => others,
  fields: (row) => row,
  options: [
    text('--description <text>', 'what it is about, in Markdown; an empty text removes it', DESCRIPTION_RULE),
    text(
      '--language <tag>',
      'the language of its texts, such as de-CH; an empty text means en',
      CHANGELOG_RULES.language,
    ),
  ],
  set: setChangelog,
  remove: deleteChangelog,
});

function entityCommand<Row extends object, Patch extends StatePatch>(
  entity: EntityCommands<Row, Patch>,
): Command {
  const { noun, list, productOf, columns, fields, set, remove } = entity;
  return {
    name: noun,
    about: `show and change ${noun}s`,
    examples: [`${noun} list acme`, `${noun} set acme/rocket --status published`],
    commands: [
      command({
        name: 'list',
        about: `list the ${noun}s of a team`,
        arguments: [TEAM],
        run: (cli, _, team: string) =>
          withReader(cli, async (db) => {
            await requireKnownTeam(db, team);
            return await list(db, team);
          }),
        text: (rows, cli, _, [team]) =>
          formatTable(cli, rows.map(columns), `The team ${team} has no ${noun}s yet.`),
      }),
      ...itemCommands({
        noun,
        key: PRODUCT,
        nameOf: ({ team, product }: ProductPath) => `${team}/${product}`,
        find: async (db, path) => {
          const row = (await list(db, path.team)).find((each) => productOf(each) === path.product);
          if (row === undefined) throw await notFoundError(db, path);
          return row;
        },
        fields,
        options: [
          option('--name <text>', 'its name', parseName),
          choice(
            '--status <status>',
            'only published is public; locked is hidden too, and cannot be changed',
            PUBLICATION_STATES,
          ),
          ...entity.options,
        ],
        set: (trx, path, patch: Patch, cli) => set(trx, path, toStore(patch, cli)),
        count: async (db, path) => ({
          version: await countVersionsAt(db, path, { needsChangelog: noun === 'changelog' }),
        }),
        contents: 'everything in it',
        remove,
      }),
    ],
  };
}

/** An option with a text that may be empty. The error does not print the text: it may be long or contain a password. */
function text(flags: string, description: string, { read, wanted }: TextRule): Option {
  const [name] = flags.split(' ');
  return option(flags, description, (typed) => {
    if (containsApiKey(typed)) throw new UsageError(`option ${name} is invalid. ${LOOKS_LIKE_KEY}`);
    if (typed === '' || (wanted === IMAGE_RULE.wanted && isImagePath(typed))) return typed;
    const stored = read(typed);
    if (stored === null) throw new UsageError(`option ${name} must be ${wanted}`);
    return stored;
  });
}

/** An empty text removes a value. A file with a picture becomes a data: URL. */
function toStore<Patch extends StatePatch & { image?: string; logo?: string }>(
  patch: Patch,
  { folder }: Cli,
): Patch {
  const stored = Object.entries(patch).map(([name, value]) => {
    if (value === '') return [name, null];
    const isFile = (name === 'image' || name === 'logo') && isImagePath(value);
    return [name, isFile ? readImage(value, { folder, isConfined: false }) : value];
  });
  return Object.fromEntries(stored);
}

/** Leaves out the data of an image. */
function shorten(image: string | null): string | null {
  if (image === null || !image.startsWith('data:')) return image;
  return `${image.slice(0, image.indexOf(',') + 1)}… (${image.length.toLocaleString('en')} characters)`;
}
