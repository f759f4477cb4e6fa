// `team`, `product` and `changelog`. The last two have the same commands, because each product has one changelog.
import type { Argument, Option } from 'commander';
import { COMMAND } from '../../../command-name.ts';
import { containsApiKey } from '../../../domain/access/api-key.ts';
import * as rules from '../../../domain/content/appearance.ts';
import { TEXT_CHARACTERS_MAX } from '../../../domain/content/content.ts';
import { PLANS, PUBLICATION_STATES, VISIBILITIES } from '../../../domain/model.ts';
import * as catalogue from '../../../store/catalogue/catalogue.ts';
import { notFoundError } from '../../../store/catalogue/not-found.ts';
import { asReader, type Reader, type Writer } from '../../../store/engine/engine.ts';
import type { ProductPath } from '../../../store/read/reads.ts';
import { listKeys } from '../../../store/write/keys.ts';
import * as writes from '../../../store/write/writes.ts';
import { choice, LOOKS_LIKE_KEY, NAME, option, PRODUCT, TEAM } from '../../arguments.ts';
import { withReader, withWriter } from '../../cli.ts';
import { type Command, command, UsageError } from '../../command.ts';
import { deletion, withCounts } from '../../confirm.ts';
import { sayIfHidden } from '../../report/outcomes.ts';
import { formatRecord, formatTable } from '../../terminal/table.ts';
import { formatNumber } from '../../terminal/text.ts';

type State = { status?: string; visibility?: string };
type Fields = Record<string, unknown>;
type Item<Key, Row extends object, Patch extends State> = Readonly<{
  noun: string;
  examples: readonly string[];
  /** What `list` takes. */
  within: readonly Argument[];
  list: (db: Reader, team: string) => Promise<Row[]>;
  /** What a table shows, and a record. */
  columns: (row: Row) => Fields;
  fields: (row: Row) => Fields;
  none: (team: string) => string;
  key: Argument;
  nameOf: (key: Key) => string;
  find: (db: Reader, key: Key) => Promise<Row>;
  options: readonly Option[];
  set: (trx: Writer, key: Key, patch: Patch) => Promise<void>;
  /** What would be deleted with it. */
  count: (db: Reader, key: Key, now: string) => Promise<Record<string, number>>;
  remove: (trx: Writer, key: Key) => Promise<void>;
}>;

const { domain, home, base, repository, accent } = rules.PRODUCT_RULES;
const DESCRIPTION_RULE = {
  wanted: `a text of at most ${formatNumber(TEXT_CHARACTERS_MAX)} characters`,
  read: (text: string) => ([...text].length > TEXT_CHARACTERS_MAX ? null : text),
};

const STATUS = choice(
  '--status <status>',
  'only published is public; locked is hidden too, and cannot be changed',
  PUBLICATION_STATES,
);

export const teamCommand = itemCommand({
  noun: 'team',
  examples: ['team list', 'team set acme --visibility public --plan paid'],
  within: [],
  list: (db) => catalogue.listTeams(db),
  columns: (team) => team,
  fields: (team) => team,
  none: () => `There are no teams yet. \`${COMMAND} init\` creates one.`,
  key: TEAM,
  nameOf: (slug: string) => slug,
  find: catalogue.requireKnownTeam,
  options: [
    NAME,
    choice('--visibility <visibility>', 'who may read its published versions', VISIBILITIES),
    choice('--plan <plan>', 'API keys need the paid plan', PLANS),
  ],
  set: writes.setTeam,
  count: async (db, slug, now) => {
    const { products, versions } = await catalogue.countOfTeam(db, slug);
    const { length: keys } = await listKeys(db, { team: slug }, now);
    return { product: products, version: versions, 'API key': keys };
  },
  remove: writes.deleteTeam,
});

export const productCommand = itemCommand({
  ...ofProduct('product', catalogue.listProducts, ({ slug }) => slug, writes.setProduct),
  columns: ({ team, slug, name, status, domain }) => ({ team, slug, name, status, domain }),
  fields: ({ links, image, logo, accent, ...others }) => {
    const pictures = { image: shorten(image), logo: shorten(logo) };
    return { ...others, ...links, ...pictures, accent };
  },
  options: [
    NAME,
    STATUS,
    text('--domain <name>', 'a host name of its own, such as changes.example.com', domain),
    text('--home <url>', "the product's own site, with https:", home),
    text('--base <url>', 'where relative links in texts start, with https:', base),
    text('--repository <url>', 'where its code is, with https:', repository),
    text('--image <url>', 'a picture, as an https: or data: URL', rules.IMAGE_RULE),
    text('--logo <url>', 'a small picture, as an https: or data: URL', rules.IMAGE_RULE),
    text('--accent <colour>', 'the colour of links, such as "#4f46e5"', accent),
  ],
  remove: writes.deleteProduct,
});

export const changelogCommand = itemCommand({
  ...ofProduct('changelog', catalogue.listChangelogs, ({ product }) => product, writes.setChangelog),
  columns: ({ description, ...others }) => others,
  fields: (row) => row,
  options: [
    NAME,
    STATUS,
    text('--description <text>', 'what it is about, in Markdown', DESCRIPTION_RULE),
    text('--language <tag>', 'the language of its texts, such as de-CH', rules.CHANGELOG_RULES.language),
  ],
  remove: writes.deleteChangelog,
});

function itemCommand<Key, Row extends object, Patch extends State>(item: Item<Key, Row, Patch>): Command {
  const { noun, examples, columns, fields, nameOf, find, remove } = item;
  const key = [item.key];
  return {
    name: noun,
    about: `show and change ${noun}s`,
    examples,
    commands: [
      command({
        name: 'list',
        about: `list the ${noun}s`,
        arguments: item.within,
        run: (cli, _, team: string) => withReader(cli, (db) => item.list(db, team)),
        text: (rows, cli, _, [team]) => formatTable(cli, rows.map(columns), item.none(team)),
      }),
      command({
        name: 'show',
        about: `show one ${noun}`,
        arguments: key,
        run: (cli, _, of: Key) => withReader(cli, (db) => find(db, of)),
        text: (row) => formatRecord(fields(row)),
      }),
      command({
        name: 'set',
        about: `change one ${noun}`,
        arguments: key,
        options: item.options,
        run: async (cli, patch: Patch, of: Key) => {
          if (Object.keys(patch).length === 0)
            throw new UsageError('nothing to set; use at least one of the options that --help lists');
          return await withWriter(cli, async (trx) => {
            await item.set(trx, of, patch);
            return await find(asReader(trx), of);
          });
        },
        text: (row) => formatRecord(fields(row)),
        after: (_, cli, { status, visibility }, [of]) =>
          sayIfHidden(cli, `The ${noun} ${nameOf(of)}`, status ?? visibility),
      }),
      deletion({
        noun,
        about: `delete one ${noun} with everything in it`,
        arguments: key,
        describe: async (db, { now }, of: Key) =>
          withCounts(`the ${noun} ${nameOf(of)}`, await item.count(db, of, now())),
        remove,
        nameOf,
      }),
    ],
  };
}

/** What `product` and `changelog` share. */
function ofProduct<Row extends object, Patch extends writes.StatePatch>(
  noun: 'product' | 'changelog',
  list: (db: Reader, team: string) => Promise<Row[]>,
  productOf: (row: Row) => string,
  set: (trx: Writer, path: ProductPath, patch: Patch) => Promise<void>,
) {
  return {
    noun,
    examples: [`${noun} list acme`, `${noun} set acme/rocket --status published`],
    within: [TEAM],
    list: async (db: Reader, team: string) => {
      await catalogue.requireKnownTeam(db, team);
      return await list(db, team);
    },
    none: (team: string) => `The team ${team} has no ${noun}s yet.`,
    key: PRODUCT,
    nameOf: ({ team, product }: ProductPath) => `${team}/${product}`,
    find: async (db: Reader, path: ProductPath) => {
      const row = (await list(db, path.team)).find((each) => productOf(each) === path.product);
      if (row === undefined) throw await notFoundError(db, path);
      return row;
    },
    set: (trx: Writer, path: ProductPath, patch: Patch) => {
      const stored = Object.entries(patch).map(([name, value]) => [name, value || null]);
      return set(trx, path, Object.fromEntries(stored));
    },
    count: async (db: Reader, path: ProductPath) => ({
      version: await catalogue.countVersionsAt(db, path, { needsChangelog: noun === 'changelog' }),
    }),
  };
}

/** An option with a text. The error does not print the text: it may be long or contain a password. */
function text(
  flags: string,
  about: string,
  { read, wanted }: Pick<rules.TextRule, 'read' | 'wanted'>,
): Option {
  const [name] = flags.split(' ');
  return option(flags, `${about}; an empty text removes it`, (typed) => {
    if (containsApiKey(typed)) throw new UsageError(`option ${name} is invalid. ${LOOKS_LIKE_KEY}`);
    const stored = typed === '' ? typed : read(typed);
    if (stored === null) throw new UsageError(`option ${name} must be ${wanted}`);
    return stored;
  });
}

/** Leaves out the data of an image. */
function shorten(image: string | null): string | null {
  if (image === null || !image.startsWith('data:')) return image;
  return `${image.slice(0, image.indexOf(',') + 1)}… (${formatNumber(image.length)} characters)`;
}
