// `team`, `product` and `changelog`. The last two have the same commands, because each product has one changelog.
import type { Option } from 'commander';
import { COMMAND } from '../../../command-name.ts';
import { containsApiKey } from '../../../domain/access/api-key.ts';
import * as rules from '../../../domain/content/appearance.ts';
import { TEXT_CHARACTERS_MAX } from '../../../domain/content/content.ts';
import { PLANS, PUBLICATION_STATES, VISIBILITIES } from '../../../domain/model.ts';
import * as catalogue from '../../../store/catalogue/catalogue.ts';
import { notFoundError } from '../../../store/catalogue/not-found.ts';
import type { Reader, Writer } from '../../../store/engine/engine.ts';
import type { ProductPath } from '../../../store/read/reads.ts';
import { listKeys } from '../../../store/write/keys.ts';
import * as writes from '../../../store/write/writes.ts';
import { choice, LOOKS_LIKE_KEY, NAME, option, PRODUCT, TEAM } from '../../arguments.ts';
import { type Command, UsageError } from '../../command.ts';
import { formatNumber } from '../../terminal/plain.ts';
import { itemCommand } from './item.ts';

type Half<Row extends object, Patch extends object> = Readonly<{
  noun: 'product' | 'changelog';
  list: (db: Reader, team: string) => Promise<Row[]>;
  productOf: (row: Row) => string;
  columns: (row: Row) => Record<string, unknown>;
  fields: (row: Row) => Record<string, unknown>;
  /** What `set` takes besides the name and the status. */
  options: readonly Option[];
  set: (trx: Writer, path: ProductPath, patch: Patch) => Promise<void>;
  remove: (trx: Writer, path: ProductPath) => Promise<void>;
}>;

const { domain, home, base, repository, accent } = rules.PRODUCT_RULES;
const DESCRIPTION_RULE = {
  wanted: `a text of at most ${formatNumber(TEXT_CHARACTERS_MAX)} characters`,
  read: (text: string) => ([...text].length > TEXT_CHARACTERS_MAX ? null : text),
};

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

export const productCommand = commandFor({
  noun: 'product',
  list: catalogue.listProducts,
  productOf: ({ slug }) => slug,
  columns: ({ team, slug, name, status, domain }) => ({ team, slug, name, status, domain }),
  fields: ({ links, image, logo, accent, ...others }) => {
    const pictures = { image: shorten(image), logo: shorten(logo) };
    return { ...others, ...links, ...pictures, accent };
  },
  options: [
    text('--domain <name>', 'a host name of its own, such as changes.example.com', domain),
    text('--home <url>', "the product's own site, with https:", home),
    text('--base <url>', 'where relative links in texts start, with https:', base),
    text('--repository <url>', 'where its code is, with https:', repository),
    text('--image <url>', 'a picture, as an https: or data: URL', rules.IMAGE_RULE),
    text('--logo <url>', 'a small picture, as an https: or data: URL', rules.IMAGE_RULE),
    text('--accent <colour>', 'the colour of links, such as "#4f46e5"', accent),
  ],
  set: writes.setProduct,
  remove: writes.deleteProduct,
});

export const changelogCommand = commandFor({
  noun: 'changelog',
  list: catalogue.listChangelogs,
  productOf: ({ product }) => product,
  columns: ({ description, ...others }) => others,
  fields: (row) => row,
  options: [
    text('--description <text>', 'what it is about, in Markdown', DESCRIPTION_RULE),
    text('--language <tag>', 'the language of its texts, such as de-CH', rules.CHANGELOG_RULES.language),
  ],
  set: writes.setChangelog,
  remove: writes.deleteChangelog,
});

function commandFor<Row extends object, Patch extends writes.StatePatch>(half: Half<Row, Patch>): Command {
  const { noun, list, columns, fields, options, remove } = half;
  const status = 'only published is public; locked is hidden too, and cannot be changed';
  return itemCommand({
    noun,
    examples: [`${noun} list acme`, `${noun} set acme/rocket --status published`],
    within: [TEAM],
    list: async (db, team) => {
      await catalogue.requireKnownTeam(db, team);
      return await list(db, team);
    },
    columns,
    fields,
    none: (team) => `The team ${team} has no ${noun}s yet.`,
    key: PRODUCT,
    nameOf: ({ team, product }: ProductPath) => `${team}/${product}`,
    find: async (db, path) => {
      const row = (await list(db, path.team)).find((each) => half.productOf(each) === path.product);
      if (row === undefined) throw await notFoundError(db, path);
      return row;
    },
    options: [NAME, choice('--status <status>', status, PUBLICATION_STATES), ...options],
    set: (trx, path, patch: Patch) => {
      const stored = Object.entries(patch).map(([name, value]) => [name, value || null]);
      return half.set(trx, path, Object.fromEntries(stored));
    },
    count: async (db, path) => ({
      version: await catalogue.countVersionsAt(db, path, { needsChangelog: noun === 'changelog' }),
    }),
    remove,
  });
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
