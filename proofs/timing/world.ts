// Many hidden items of every kind, and as many unused names.
import { randomInt } from 'node:crypto';
import { formatApiKey, hashApiKey } from '../../src/domain/access/api-key.ts';
import { execute } from '../../support/databases/engine.ts';
import { runOk, type Sandbox } from '../../support/program/command.ts';

const NAME_LENGTH = 12;
const COMMON_WORDS = 20;
/** A product with a long feed, and an unused name. */
export const PLANTED = 'station';
export const NOT_PLANTED = 'statiom';
const PLANTED_VERSIONS = 300;
const DATE = '2026-01-01T00:00:00.000Z';

/** Names of hidden content, and unused names. */
export type Names = readonly [hidden: readonly string[], missing: readonly string[]];

export type TimingWorld = Readonly<{
  privateTeams: Names;
  products: Readonly<Record<'draft' | 'locked' | 'draftChangelog' | 'lockedChangelog', Names>>;
  versionIds: Names;
  versionLabels: Names;
  words: Readonly<Record<'privateRare' | 'privateCommon' | 'draftRare' | 'draftCommon', Names>>;
  keys: Names;
}>;

/** The number of hidden items of each kind, and the number of hidden versions with each common word. */
type WorldSize = Readonly<{ names: number; commonIn: number }>;

export async function seedTimingWorld(
  sandbox: Sandbox,
  { names, commonIn }: WorldSize,
): Promise<TimingWorld> {
  await runOk(sandbox, ['migrate']);
  const world: TimingWorld = {
    privateTeams: drawNames(names),
    products: {
      draft: drawNames(names),
      locked: drawNames(names),
      draftChangelog: drawNames(names),
      lockedChangelog: drawNames(names),
    },
    versionIds: drawNames(names, 'ver_'),
    versionLabels: drawNames(names),
    words: {
      privateRare: drawNames(names),
      privateCommon: drawNames(COMMON_WORDS),
      draftRare: drawNames(names),
      draftCommon: drawNames(COMMON_WORDS),
    },
    keys: drawKeys(names),
  };
  await seed(sandbox, world, commonIn);
  return world;
}

/**
 * Pairs that differ only in their last letter; which of the two exists is random. They are neighbours in every index, so
 * that the path to them is the same.
 */
function drawNames(count: number, prefix = ''): Names {
  const pairs = Array.from({ length: count }, () => {
    const stem = prefix + Array.from({ length: NAME_LENGTH - 1 }, () => drawLetter()).join('');
    const last = drawLetter();
    return [stem + last, stem + drawLetter(last)];
  });
  return [pairs.map(([one]) => one as string), pairs.map(([, other]) => other as string)];
}

function drawLetter(otherThan?: unknown): string {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'].filter((letter) => letter !== otherThan);
  return letters[randomInt(letters.length)] as string;
}

/** Keys are found by their hash, so they have no neighbouring twins. */
function drawKeys(count: number): Names {
  const draw = () => Array.from({ length: count }, () => formatApiKey(randomInt));
  return [draw(), draw()];
}

/**
 * Team 1 is public: product 1 has public versions, drafts and words, product 3 many versions. Team 2 is private, with a
 * product that has words. Every other hidden item is hidden by exactly one state.
 */
async function seed(sandbox: Sandbox, world: TimingWorld, commonIn: number): Promise<void> {
  const insert = async (into: string, rows: readonly (readonly (string | number | null)[])[]) => {
    for (let first = 0; first < rows.length; first += 500)
      await execute(
        sandbox,
        `insert into ${into} values ${rows
          .slice(first, first + 500)
          .map(writeRow)
          .join(', ')}`,
      );
  };
  const [teams] = world.privateTeams;
  const firstTeam = 10;
  await insert('teams (id, slug, name, visibility, plan)', [
    [1, 'open', 'Open', 'public', 'paid'],
    [2, 'closed', 'Closed', 'private', 'paid'],
    ...teams.map((slug, n) => [firstTeam + n, slug, 'Hidden', 'private', 'paid']),
  ]);

  type Product = readonly [teamId: number, slug: string, status: string, changelogStatus: string];
  const hidden = (names: Names, status: string, changelogStatus: string) =>
    names[0].map((slug): Product => [1, slug, status, changelogStatus]);
  const products: readonly Product[] = [
    [1, 'rocket', 'published', 'published'],
    [2, 'rocket', 'published', 'published'],
    [1, PLANTED, 'published', 'published'],
    ...teams.map((_, n): Product => [firstTeam + n, 'rocket', 'published', 'published']),
    ...hidden(world.products.draft, 'draft', 'published'),
    ...hidden(world.products.locked, 'locked', 'published'),
    ...hidden(world.products.draftChangelog, 'published', 'draft'),
    ...hidden(world.products.lockedChangelog, 'published', 'locked'),
  ];
  await insert(
    'products (id, team_id, slug, name, status)',
    products.map(([teamId, slug, status], n) => [n + 1, teamId, slug, 'Product', status]),
  );
  await insert(
    'changelogs (id, product_id, name, status)',
    products.map(([, , , status], n) => [`cl_${n + 1}`, n + 1, 'Changelog', status]),
  );

  const { privateRare, privateCommon, draftRare, draftCommon } = world.words;
  const titleOf = (rare: Names, common: Names, n: number) => [rare[0][n] ?? 'plain', ...common[0]].join(' ');
  const ofProducts = products
    .slice(1)
    .map((_, n) => [`ver_of_${n + 2}`, `cl_${n + 2}`, '1.0.0', 'First', 'published', DATE, 0, 1]);
  const ofPublic = Array.from({ length: 10 }, (_, n) => [
    `ver_public_${n}`,
    'cl_1',
    `1.${n}.0`,
    'Public words',
    'published',
    DATE,
    0,
    n,
  ]);
  const ofPlanted = Array.from({ length: PLANTED_VERSIONS }, (_, n) => [
    `ver_planted_${n}`,
    'cl_3',
    `2.${n}.0`,
    'Planted',
    'published',
    DATE,
    0,
    n,
  ]);
  // Identical, so that their edits have the same size.
  const ofEdits = [1, 2].map((n) => [
    `ver_edited_${n}`,
    `cl_${n}`,
    'edited',
    'Edited',
    'draft',
    null,
    0,
    50_000,
  ]);
  const drafts = world.versionIds[0].map((id, n) => [
    id,
    'cl_1',
    world.versionLabels[0][n] ?? '',
    'Draft',
    'draft',
    null,
    0,
    100 + n,
  ]);
  const draftsWithWords = Array.from({ length: commonIn }, (_, n) => [
    `ver_words_${n}`,
    'cl_1',
    `words ${n}`,
    titleOf(draftRare, draftCommon, n),
    'draft',
    null,
    0,
    1_000 + n,
  ]);
  const privateWithWords = Array.from({ length: commonIn }, (_, n) => [
    `ver_closed_${n}`,
    'cl_2',
    `words ${n}`,
    titleOf(privateRare, privateCommon, n),
    'published',
    DATE,
    0,
    1_000 + n,
  ]);
  await insert('versions (id, changelog_id, label, title, status, published_at, yanked, created_order)', [
    ...ofProducts,
    ...ofPublic,
    ...ofPlanted,
    ...ofEdits,
    ...drafts,
    ...draftsWithWords,
    ...privateWithWords,
  ]);
  await insert(
    'api_keys (id, team_id, kind, status, hash, created_at, expires_at)',
    // Disabled and expired ones in turn.
    world.keys[0].map((key, n) => [
      ...[`key_${n}`, 1, 'FULL'],
      ...(n % 2 === 0 ? ['disabled', hashApiKey(key), DATE, null] : ['active', hashApiKey(key), DATE, DATE]),
    ]),
  );
}

function writeRow(values: readonly (string | number | null)[]): string {
  return `(${values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(', ')})`;
}
