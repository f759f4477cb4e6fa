// What each statement touches, for any writer and on both engines.

/**
 * A team and a product: product 0 is the whole team, -1 its API keys, and team 0 everything. `PUBLIC` follows where
 * something changed that the public surface shows, or showed before.
 */
export type Pair = readonly [teamId: number, productId: number, isPublic?: typeof PUBLIC];
const PUBLIC = 'public';
export type Case = Readonly<{ what: string; statement: string; touched: readonly Pair[] }>;

/** The tables whose writes touch something. */
export const TOUCHING_TABLES = [
  'teams',
  'products',
  'changelogs',
  'versions',
  'changes',
  'api_keys',
  'api_key_products',
];

/**
 * Three teams, the last of them private; each product with a changelog has its number in the ids of what belongs to it.
 * Only that of product 21 has a version that is public, and product 14 is a draft. Nothing is touched in public yet.
 */
export const SEED = `
  insert into teams (id, slug, name, visibility, plan)
    values (1, 'acme', 'Acme', 'public', 'paid'), (2, 'vault', 'Vault', 'public', 'paid'),
      (4, 'hush', 'Hush', 'private', 'paid');
  insert into products (id, team_id, slug, name, status) values
    (11, 1, 'rocket', 'Rocket', 'published'), (12, 1, 'glider', 'Glider', 'published'),
    (13, 1, 'bare', 'Bare', 'published'), (14, 1, 'veiled', 'Veiled', 'draft'), (21, 2, 'crate', 'Crate', 'published'),
    (41, 4, 'cellar', 'Cellar', 'published');
  insert into changelogs (id, product_id, name, status) values
    ('cl_11', 11, 'Rocket', 'published'), ('cl_12', 12, 'Glider', 'published'), ('cl_14', 14, 'Veiled', 'published'),
    ('cl_21', 21, 'Crate', 'published'), ('cl_41', 41, 'Cellar', 'published');
  insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order) values
    ('ver_11', 'cl_11', '1', 'One', 'draft', null, 0, 1), ('ver_11b', 'cl_11', '2', 'Two', 'draft', null, 0, 2),
    ('ver_12', 'cl_12', '1', 'One', 'draft', null, 0, 1),
    ('ver_14', 'cl_14', '1', 'One', 'published', '2026-01-01T00:00:00.000Z', 0, 1),
    ('ver_21', 'cl_21', '1', 'One', 'published', '2026-01-01T00:00:00.000Z', 0, 1),
    ('ver_41', 'cl_41', '1', 'One', 'published', '2026-01-01T00:00:00.000Z', 0, 1);
  insert into changes (id, version_id, position, type, text, breaking) values
    ('chg_11', 'ver_11', 1, 'added', 'A', 0), ('chg_12', 'ver_12', 1, 'added', 'A', 0),
    ('chg_14', 'ver_14', 1, 'added', 'A', 0), ('chg_21', 'ver_21', 1, 'added', 'A', 0),
    ('chg_41', 'ver_41', 1, 'added', 'A', 0);
  insert into api_keys (id, team_id, kind, status, hash, created_at) values
    ('key_1', 1, 'SELECT', 'active', 'h1', '2026-01-01T00:00:00.000Z'),
    ('key_2', 2, 'FULL', 'active', 'h2', '2026-01-01T00:00:00.000Z');
  insert into api_key_products (key_id, product_id, team_id, kind) values ('key_1', 11, 1, 'SELECT');
  update touches set public_revision = 0;`;

const EVERYTHING: Pair = [0, 0, PUBLIC];

/** Each is one statement, and one transaction. */
export const STATEMENTS: readonly Case[] = [
  {
    what: 'a new team',
    statement: `insert into teams (id, slug, name, visibility, plan) values (3, 'new', 'New', 'public', 'paid')`,
    touched: [[3, 0]],
  },
  { what: 'a team', statement: `update teams set name = 'Other' where id = 1`, touched: [[1, 0, PUBLIC]] },
  {
    what: 'an existing team, by an upsert',
    statement: `insert into teams (id, slug, name, visibility, plan) values (3, 'acme', 'Other', 'public', 'paid')
      on conflict (slug) do update set name = excluded.name`,
    touched: [[1, 0, PUBLIC]],
  },
  {
    what: 'all teams',
    statement: `update teams set visibility = 'private'`,
    touched: [
      [1, 0, PUBLIC],
      [2, 0, PUBLIC],
      [4, 0],
    ],
  },
  { what: 'no team', statement: `update teams set name = 'Other' where id = 9`, touched: [] },
  {
    what: 'a deleted team with everything in it',
    statement: 'delete from teams where id = 1',
    touched: [EVERYTHING],
  },
  { what: 'every team', statement: 'delete from teams', touched: [EVERYTHING] },

  {
    what: 'a new product',
    statement: `insert into products (id, team_id, slug, name, status) values (15, 1, 'new', 'New', 'draft')`,
    touched: [[1, 15]],
  },
  {
    what: 'a product',
    statement: `update products set status = 'locked' where id = 11`,
    touched: [[1, 11, PUBLIC]],
  },
  {
    what: 'a product whose page looks different',
    statement: `update products set home_url = 'https://a.example', accent = '#ffaa00' where id = 11`,
    touched: [[1, 11, PUBLIC]],
  },
  {
    what: 'a product that gets a domain',
    statement: `update products set domain = 'changes.example.com' where id = 11`,
    touched: [[1, 11, PUBLIC]],
  },
  {
    what: 'all products',
    statement: `update products set status = 'locked'`,
    touched: [
      [1, 11, PUBLIC],
      [1, 12, PUBLIC],
      [1, 13],
      [1, 14],
      [2, 21, PUBLIC],
      [4, 41],
    ],
  },
  {
    what: 'a product and the teams it leaves and joins',
    statement: 'update products set team_id = 2 where id = 13',
    touched: [
      [1, 13],
      [2, 13],
    ],
  },
  {
    what: 'the team of a deleted product',
    statement: 'delete from products where id = 12',
    touched: [[1, 0, PUBLIC]],
  },
  {
    what: 'the team and the keys of a deleted product that a key is attached to',
    statement: 'delete from products where id = 11',
    touched: [
      [1, -1],
      [1, 0, PUBLIC],
    ],
  },

  {
    what: 'a new changelog',
    statement: `insert into changelogs (id, product_id, name, status) values ('cl_13', 13, 'Bare', 'draft')`,
    touched: [[1, 13]],
  },
  {
    what: 'a changelog',
    statement: `update changelogs set status = 'draft' where id = 'cl_12'`,
    touched: [[1, 12, PUBLIC]],
  },
  {
    what: 'a changelog in another language',
    statement: `update changelogs set language = 'de' where id = 'cl_12'`,
    touched: [[1, 12, PUBLIC]],
  },
  {
    what: 'a changelog whose id changes, with its versions',
    statement: `update changelogs set id = 'cl_x' where id = 'cl_12'`,
    touched: [[1, 12, PUBLIC]],
  },
  {
    what: 'a changelog and the products it leaves and joins',
    statement: `update changelogs set product_id = 13 where id = 'cl_21'`,
    touched: [
      [1, 13, PUBLIC],
      [2, 21, PUBLIC],
    ],
  },
  {
    what: 'a deleted changelog with its versions',
    statement: `delete from changelogs where id = 'cl_11'`,
    touched: [[1, 11, PUBLIC]],
  },

  {
    what: 'new versions',
    statement: `insert into versions (id, changelog_id, label, title, status, yanked, created_order)
      values ('ver_x', 'cl_12', '3', 'X', 'draft', 0, 3), ('ver_y', 'cl_21', '3', 'Y', 'draft', 0, 3)`,
    touched: [
      [1, 12],
      [2, 21],
    ],
  },
  {
    what: 'a version',
    statement: `update versions set title = 'Other' where id = 'ver_11'`,
    touched: [[1, 11]],
  },
  {
    what: 'a version that is scheduled',
    statement: `update versions set publish_at = '2999-01-01T00:00:00.000Z' where id = 'ver_11'`,
    touched: [[1, 11]],
  },
  {
    what: 'a version whose id changes, with its changes',
    statement: `update versions set id = 'ver_x' where id = 'ver_12'`,
    touched: [[1, 12]],
  },
  {
    what: 'a version and the products it leaves and joins',
    statement: `update versions set changelog_id = 'cl_21', label = '9' where id = 'ver_11b'`,
    touched: [
      [1, 11],
      [2, 21],
    ],
  },
  {
    what: 'a deleted version with its changes',
    statement: `delete from versions where id = 'ver_12'`,
    touched: [[1, 12]],
  },
  {
    what: 'every version',
    statement: 'delete from versions',
    touched: [
      [1, 11],
      [1, 12],
      [1, 14],
      [2, 21, PUBLIC],
      [4, 41],
    ],
  },

  {
    what: 'a new change',
    statement: `insert into changes (id, version_id, position, type, text, breaking)
      values ('chg_x', 'ver_11b', 1, 'added', 'X', 0)`,
    touched: [[1, 11]],
  },
  {
    what: 'a change',
    statement: `update changes set text = 'Other' where id = 'chg_21'`,
    touched: [[2, 21, PUBLIC]],
  },
  {
    what: 'a change and the products it leaves and joins',
    statement: `update changes set version_id = 'ver_12', position = 9 where id = 'chg_11'`,
    touched: [
      [1, 11],
      [1, 12],
    ],
  },
  { what: 'no change', statement: `delete from changes where id = 'chg_x'`, touched: [] },
  {
    what: 'the product of a deleted change',
    statement: `delete from changes where id = 'chg_12'`,
    touched: [[1, 12]],
  },

  {
    what: 'a new key',
    statement: `insert into api_keys (id, team_id, kind, status, hash, created_at)
      values ('key_x', 2, 'FULL', 'active', 'hx', '2026-01-01T00:00:00.000Z')`,
    touched: [[2, -1]],
  },
  {
    what: 'a key',
    statement: `update api_keys set status = 'disabled' where id = 'key_2'`,
    touched: [[2, -1]],
  },
  {
    what: 'a deleted key with its attached products',
    statement: `delete from api_keys where id = 'key_1'`,
    touched: [[1, -1]],
  },
  {
    what: 'a key to which a product is attached',
    statement: `insert into api_key_products (key_id, product_id, team_id, kind) values ('key_1', 12, 1, 'SELECT')`,
    touched: [[1, -1]],
  },
  {
    what: 'a key whose product is replaced',
    statement: `update api_key_products set product_id = 12 where key_id = 'key_1'`,
    touched: [[1, -1]],
  },
  {
    what: 'a key from which a product is detached',
    statement: `delete from api_key_products where key_id = 'key_1'`,
    touched: [[1, -1]],
  },
  {
    what: 'nothing when the use of a key is recorded',
    statement: `insert into key_usage (key_id, last_used_at) values ('key_1', '2026-01-01T00:00:00.000Z')`,
    touched: [],
  },
  {
    what: 'nothing when an import mark is written',
    statement: `insert into import_marks (version_id, mark) values ('ver_11', 'm')`,
    touched: [],
  },
];

/** Hidden content, and content that becomes hidden or public. A touch is public only if the public API shows the row. */
export const VISIBILITIES: readonly Case[] = [
  { what: 'a private team', statement: `update teams set name = 'Other' where id = 4`, touched: [[4, 0]] },
  {
    what: 'a team that becomes public',
    statement: `update teams set visibility = 'public' where id = 4`,
    touched: [[4, 0, PUBLIC]],
  },
  {
    what: 'a team that becomes private',
    statement: `update teams set visibility = 'private' where id = 2`,
    touched: [[2, 0, PUBLIC]],
  },
  {
    what: 'no team when none has the name',
    statement: `update teams set visibility = 'public' where id = 4 and slug = 'none'`,
    touched: [],
  },
  {
    what: 'everything but no public content when a private team is deleted',
    statement: 'delete from teams where id = 4',
    touched: [[0, 0]],
  },
  {
    what: 'a draft product',
    statement: `update products set name = 'Other' where id = 14`,
    touched: [[1, 14]],
  },
  {
    what: 'a draft product that gets a domain',
    statement: `update products set domain = 'changes.example.com' where id = 14`,
    touched: [[1, 14]],
  },
  {
    what: 'a draft product that is published',
    statement: `update products set status = 'published' where id = 14`,
    touched: [[1, 14, PUBLIC]],
  },
  {
    what: 'a product without a changelog',
    statement: `update products set name = 'Other' where id = 13`,
    touched: [[1, 13]],
  },
  {
    what: 'a product that joins a private team',
    statement: 'update products set team_id = 4 where id = 12',
    touched: [
      [1, 12, PUBLIC],
      [4, 12],
    ],
  },
  {
    what: 'a team whose draft product is deleted',
    statement: 'delete from products where id = 14',
    touched: [[1, 0]],
  },
  {
    what: 'the changelog of a draft product',
    statement: `update changelogs set name = 'Other' where id = 'cl_14'`,
    touched: [[1, 14]],
  },
  {
    what: 'the changelog of a private team',
    statement: `update changelogs set status = 'draft' where id = 'cl_41'`,
    touched: [[4, 41]],
  },
  {
    what: 'a draft product whose changelog is deleted',
    statement: `delete from changelogs where id = 'cl_14'`,
    touched: [[1, 14]],
  },
  {
    what: 'a new changelog that is public',
    statement: `insert into changelogs (id, product_id, name, status) values ('cl_13', 13, 'Bare', 'published')`,
    touched: [[1, 13, PUBLIC]],
  },
  {
    what: 'new versions that are published',
    statement: `insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order) values ('ver_x', 'cl_12', '3', 'X', 'published', '2026-01-01T00:00:00.000Z', 0, 3), ('ver_y', 'cl_14', '3', 'Y', 'published', '2026-01-01T00:00:00.000Z', 0, 3), ('ver_z', 'cl_41', '3', 'Z', 'published', '2026-01-01T00:00:00.000Z', 0, 3)`,
    touched: [
      [1, 12, PUBLIC],
      [1, 14],
      [4, 41],
    ],
  },
  {
    what: 'a draft that is published',
    statement: `update versions set status = 'published', published_at = '2026-01-01T00:00:00.000Z' where id = 'ver_12'`,
    touched: [[1, 12, PUBLIC]],
  },
  {
    what: 'a version that becomes a draft',
    statement: `update versions set status = 'draft' where id = 'ver_21'`,
    touched: [[2, 21, PUBLIC]],
  },
  {
    what: 'a published version',
    statement: `update versions set title = 'Other' where id = 'ver_21'`,
    touched: [[2, 21, PUBLIC]],
  },
  {
    what: 'a published version of a draft product',
    statement: `update versions set title = 'Other' where id = 'ver_14'`,
    touched: [[1, 14]],
  },
  {
    what: 'a published version of a private team',
    statement: `delete from versions where id = 'ver_41'`,
    touched: [[4, 41]],
  },
  {
    what: 'a published version that is deleted',
    statement: `delete from versions where id = 'ver_21'`,
    touched: [[2, 21, PUBLIC]],
  },
  {
    what: 'a published version that joins a draft product',
    statement: `update versions set changelog_id = 'cl_14', label = '9' where id = 'ver_21'`,
    touched: [
      [1, 14],
      [2, 21, PUBLIC],
    ],
  },
  {
    what: 'a change of a draft product',
    statement: `update changes set text = 'Other' where id = 'chg_14'`,
    touched: [[1, 14]],
  },
  {
    what: 'a change that a published version loses to a draft',
    statement: `update changes set version_id = 'ver_12', position = 9 where id = 'chg_21'`,
    touched: [
      [1, 12],
      [2, 21, PUBLIC],
    ],
  },
  {
    what: 'a change that a published version gains',
    statement: `insert into changes (id, version_id, position, type, text, breaking) values ('chg_x', 'ver_21', 9, 'added', 'X', 0)`,
    touched: [[2, 21, PUBLIC]],
  },
];

/** The touches of deleted rows are deleted too, but what they recorded about public content must remain. */
const DELETIONS: readonly Case[] = [
  {
    what: 'everything when a team is hidden and deleted',
    statement: `begin; update teams set visibility = 'private' where id = 2; delete from teams where id = 2; commit`,
    touched: [[0, 0, PUBLIC]],
  },
  {
    what: 'the team of a product that is hidden and deleted',
    statement: `begin; update products set status = 'draft' where id = 12; delete from products where id = 12; commit`,
    touched: [[1, 0, PUBLIC]],
  },
  {
    what: 'both teams of a product that is moved and deleted',
    statement:
      'begin; update products set team_id = 4 where id = 12; delete from products where id = 12; commit',
    touched: [
      [1, 0, PUBLIC],
      [4, 0],
    ],
  },
  {
    what: 'everything when a team is deleted in which a product was hidden',
    statement: `begin; update products set status = 'draft' where id = 21; delete from teams where id = 2; commit`,
    touched: [[0, 0, PUBLIC]],
  },
  {
    what: 'nothing public when hidden content is deleted',
    statement: `begin; update versions set title = 'X' where id = 'ver_14'; delete from products where id = 14; commit`,
    touched: [[1, 0]],
  },
];

/** Several statements, some of them rolled back. */
export const TRANSACTIONS: readonly Case[] = [
  {
    what: 'everything that its statements touch',
    statement: `begin; update versions set title = 'X' where id = 'ver_11'; update teams set name = 'X' where id = 2;
      update versions set title = 'Y' where id = 'ver_11'; commit`,
    touched: [
      [1, 11],
      [2, 0, PUBLIC],
    ],
  },
  {
    what: 'nothing when it is rolled back',
    statement: `begin; update versions set title = 'X' where id = 'ver_11'; rollback`,
    touched: [],
  },
  {
    what: 'what is written before and after a savepoint that is rolled back',
    statement: `begin; update versions set title = 'X' where id = 'ver_11'; savepoint s;
      update teams set name = 'X' where id = 2; rollback to s; update versions set title = 'X' where id = 'ver_12';
      commit`,
    touched: [
      [1, 11],
      [1, 12],
    ],
  },
  {
    what: 'what is written after a first savepoint that is rolled back',
    statement: `begin; savepoint s; update teams set name = 'X' where id = 2; rollback to s;
      update versions set title = 'X' where id = 'ver_12'; commit`,
    touched: [[1, 12]],
  },
  {
    what: 'nothing when all of its savepoints are rolled back',
    statement: `begin; savepoint s; delete from versions; rollback to s; commit`,
    touched: [],
  },
  ...DELETIONS,
];

/** Only on SQLite: conflicting rows are deleted without firing their trigger. */
export const REPLACEMENTS: readonly Case[] = [
  {
    what: 'a team whose slug another takes',
    statement: `insert or replace into teams (id, slug, name, visibility, plan)
      values (3, 'vault', 'New', 'public', 'paid')`,
    touched: [
      [2, 0, PUBLIC],
      [3, 0],
    ],
  },
  {
    what: 'a product whose changelog another takes',
    statement: `insert or replace into changelogs (id, product_id, name, status)
      values ('cl_21', 13, 'Bare', 'published')`,
    touched: [
      [1, 13, PUBLIC],
      [2, 21, PUBLIC],
    ],
  },
  {
    what: 'a product whose version another takes',
    statement: `replace into versions (id, changelog_id, label, title, status, yanked, created_order)
      values ('ver_21', 'cl_11', '9', 'Moved', 'draft', 0, 9)`,
    touched: [
      [1, 11],
      [2, 21, PUBLIC],
    ],
  },
];
