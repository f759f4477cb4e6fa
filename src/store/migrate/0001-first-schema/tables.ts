// What both engines have in common: tables and their indexes.

type Types = Readonly<{
  /** Text that sorts by its bytes. */
  text: string;
  /** A number that the database chooses. */
  identity: string;
  bigint: string;
}>;

const SLUG_FORM = `length(slug) between 1 and 64 and slug = lower(slug)
    and slug not like '%/%' and slug not like '% %' and slug not like '-%' and slug not like '%-'`;

export const timestampForm = (column: string) => `${column} like '____-__-__T__:__:__.___Z'
    and substr(${column}, 1, 4) between '0000' and '9999'
    and substr(${column}, 6, 2) between '01' and '12'
    and substr(${column}, 9, 2) between '01' and '31'
    and substr(${column}, 12, 2) between '00' and '23'
    and substr(${column}, 15, 2) between '00' and '59'
    and substr(${column}, 18, 2) between '00' and '59'`;

/** In an index named `…_by_state` the state comes before the name: a hidden row takes as long as a missing one (R9). */
export const contentAndKeys = ({ text, identity }: Types): readonly string[] => [
  `create table teams (
  id ${identity}, slug ${text} not null unique, name ${text} not null, visibility ${text} not null,
  plan ${text} not null,
  constraint teams_slug_form check (${SLUG_FORM}),
  constraint teams_visibility_known check (visibility in ('public', 'private')),
  constraint teams_plan_known check (plan in ('free', 'paid')))`,
  `create table products (
  id ${identity}, team_id integer not null references teams (id) on delete cascade,
  slug ${text} not null, name ${text} not null, status ${text} not null, home_url ${text}, base_url ${text}, logo ${text},
  accent ${text},
  constraint products_slug unique (team_id, slug),
  constraint products_team unique (id, team_id),
  constraint products_slug_form check (${SLUG_FORM}),
  constraint products_status_known check (status in ('draft', 'published', 'locked')))`,
  `create table changelogs (
  id ${text} not null primary key, product_id integer not null unique references products (id) on delete cascade,
  name ${text} not null, status ${text} not null, language ${text} not null default 'en',
  constraint changelogs_status_known check (status in ('draft', 'published', 'locked')))`,
  `create table versions (
  id ${text} not null primary key,
  changelog_id ${text} not null references changelogs (id) on delete cascade on update cascade,
  label ${text} not null, title ${text} not null, status ${text} not null, published_at ${text}, description ${text},
  yanked integer not null, created_order integer not null,
  sort_key ${text} generated always as (coalesce(published_at, '~' || cast(1000000000000 + created_order as text))) stored,
  change_count integer default 0 not null,
  updated_at ${text} constraint versions_updated_form check (${timestampForm('updated_at')}),
  publish_at ${text} constraint versions_schedule_form check (${timestampForm('publish_at')})
    constraint versions_scheduled_is_draft check (publish_at is null or status = 'draft'),
  constraint versions_label unique (changelog_id, label),
  constraint versions_published_has_date check (status <> 'published' or published_at is not null),
  constraint versions_date_form check (${timestampForm('published_at')}),
  constraint versions_status_known check (status in ('draft', 'published')),
  constraint versions_yanked_bit check (yanked in (0, 1)))`,
  `create index versions_in_order on versions (changelog_id, sort_key desc, id)`,
  `create table changes (
  id ${text} not null primary key, version_id ${text} not null references versions (id) on delete cascade on update cascade,
  position integer not null, type ${text} not null, text ${text} not null, breaking integer not null,
  constraint changes_position unique (version_id, position),
  constraint changes_type_known
    check (type in ('added', 'changed', 'deprecated', 'removed', 'fixed', 'security', 'other')),
  constraint changes_breaking_bit check (breaking in (0, 1)))`,
  `create table api_keys (
  id ${text} not null primary key, team_id integer not null references teams (id) on delete cascade, kind ${text} not null,
  status ${text} not null, name ${text}, hash ${text} not null unique, created_at ${text} not null,
  constraint api_keys_team_kind unique (id, team_id, kind),
  constraint api_keys_kind_known check (kind in ('FULL', 'SELECT')),
  constraint api_keys_status_known check (status in ('active', 'disabled')))`,
  `create index api_keys_of_team on api_keys (team_id, created_at, id)`,
  `create table api_key_products (
  key_id ${text} not null, product_id integer not null, team_id integer not null, kind ${text} not null,
  constraint api_key_products_pair primary key (key_id, product_id),
  constraint api_key_products_key foreign key (key_id, team_id, kind)
    references api_keys (id, team_id, kind) on delete cascade,
  constraint api_key_products_product foreign key (product_id, team_id)
    references products (id, team_id) on delete cascade,
  constraint api_key_products_kind_known check (kind in ('SELECT')))`,
  `create index api_key_products_of_product on api_key_products (product_id)`,
  `create unique index teams_by_state on teams (visibility, slug)`,
  `create unique index products_by_state on products (team_id, status, slug)`,
  `create unique index changelogs_by_state on changelogs (product_id, status)`,
  `create unique index versions_by_state on versions (changelog_id, status, id)`,
  `create unique index api_keys_by_state on api_keys (status, hash)`,
  // Tables of their own, so that recording the use of a key or what an import wrote changes neither key nor version.
  `create table key_usage (
  key_id ${text} not null primary key references api_keys (id) on delete cascade, last_used_at ${text} not null)`,
  `create table import_marks (
  version_id ${text} not null primary key references versions (id) on delete cascade on update cascade,
  mark ${text} not null)`,
];

/** Every publicly visible changelog (R9). */
export const publicChangelogs = ({ text }: Types): readonly string[] => [
  `create table public_changelogs (
  team_slug ${text} not null, product_slug ${text} not null, team_id integer not null, product_id integer not null,
  changelog_id ${text} not null unique, primary key (team_slug, product_slug))`,
  `create index public_changelogs_of_team on public_changelogs (team_id)`,
  `create index public_changelogs_of_product on public_changelogs (product_id)`,
];

/**
 * A number that every write advances, and the number of the last write to each team and product, which nodes poll to find
 * out which cached responses are out of date (R29). Product 0 is the whole team, product -1 its API keys, and team 0
 * everything. `public_revision` is the last write that changed anything public. `cursor_key` signs cursors.
 */
export const revisions = ({ text, bigint }: Types): readonly string[] => [
  `create table revision (
  id integer not null primary key, value ${bigint} not null, cursor_key ${text} default '' not null,
  constraint revision_is_one_row check (id = 1))`,
  `create table touches (
  team_id integer not null, product_id integer not null, revision ${bigint} not null,
  public_revision ${bigint} not null default 0,
  constraint touches_pair primary key (team_id, product_id))`,
  `create index touches_since on touches (revision)`,
  `create index touches_of_product on touches (product_id)`,
  `create index touches_public_since on touches (public_revision)`,
];

/** The indexes of `version_facts`: columns derived from each version and its changes, for search and sorting (R31 to R33). */
export const FACTS_INDEXES: readonly string[] = [
  `create index version_facts_by_state_in_order on version_facts
  (changelog_id, status, sort_key desc, version_id, is_prerelease, version_order)`,
  `create index version_facts_by_version on version_facts
  (changelog_id, status, version_order desc, sort_key desc, version_id, is_prerelease)`,
  `create index version_facts_by_major on version_facts
  (changelog_id, status, major, sort_key desc, version_id, version_order, is_prerelease)`,
  `create index version_facts_by_label on version_facts (changelog_id, status, label, version_id)`,
  `create index version_facts_in_order on version_facts
  (changelog_id, sort_key desc, version_id, is_prerelease, version_order) where changelog_id <> ''`,
];
