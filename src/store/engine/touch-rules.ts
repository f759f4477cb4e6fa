/**
 * As of steps 0002 and 0004; step 0007 writes these triggers anew, so that they also say what is public.
 *
 * Which team or product a row belongs to, for every table that an answer depends on. The engines make triggers of these:
 * whoever writes, by our tools or by plain SQL, thereby says what nodes must read anew (R29). `{rows}` stands for the
 * rows that were written, with these columns; product 0 is the whole team, product -1 its API keys, and team 0 is
 * everything.
 */
export type TouchRule = Readonly<{
  table: string;
  columns: readonly string[];
  /** What no two rows have in common, besides their id: a row that replaces another shares one of these with it. */
  unique?: readonly string[];
  /** Selects the team and the product of rows that were inserted or updated, before and after. */
  written: string;
  /** The same for rows that were deleted. */
  deleted: string;
  /** Selects the touches that nobody needs any more: those of what was deleted. */
  forgotten?: string;
  /** The columns whose update is told; unset: any. */
  updateOf?: readonly string[];
}>;

const WITHIN_PRODUCT = 'select p.team_id, p.id from {rows} r';

export const TOUCH_RULES: readonly TouchRule[] = [
  {
    table: 'teams',
    columns: ['id'],
    unique: ['slug'],
    written: 'select r.id, 0 from {rows} r',
    deleted: 'select 0, 0 from {rows} r',
    forgotten: 'team_id in (select r.id from {rows} r)',
  },
  {
    table: 'products',
    columns: ['id', 'team_id'],
    unique: ['team_id', 'slug'],
    written: 'select r.team_id, r.id from {rows} r',
    deleted: 'select t.id, 0 from {rows} r join teams t on t.id = r.team_id',
    forgotten: 'product_id in (select r.id from {rows} r)',
  },
  within('changelogs', ['product_id'], 'join products p on p.id = r.product_id'),
  within(
    'versions',
    ['changelog_id', 'label'],
    'join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id',
  ),
  within(
    'changes',
    ['version_id', 'position'],
    `join versions v on v.id = r.version_id join changelogs c on c.id = v.changelog_id
       join products p on p.id = c.product_id`,
  ),
  ofKeys('api_keys'),
  ofKeys('api_key_products'),
];

/** A version's kept number of changes follows its changes, which is no news of its own. */
export const COUNTED_VERSIONS_RULE: TouchRule = {
  ...(TOUCH_RULES.find(({ table }) => table === 'versions') as TouchRule),
  updateOf: [
    'id',
    'changelog_id',
    'label',
    'title',
    'status',
    'published_at',
    'description',
    'yanked',
    'created_order',
  ],
};

/** No answer is made from a key, but a replica that lacks what became of one must be known to be behind. */
function ofKeys(table: string): TouchRule {
  return {
    table,
    columns: ['team_id'],
    written: 'select r.team_id, -1 from {rows} r',
    deleted: 'select t.id, -1 from {rows} r join teams t on t.id = r.team_id',
  };
}

/** What is deleted together with its product finds no product any more, and need not. */
function within(table: string, unique: readonly [string, ...string[]], joins: string): TouchRule {
  const touched = `${WITHIN_PRODUCT} ${joins}`;
  return { table, columns: [unique[0]], unique, written: touched, deleted: touched };
}
