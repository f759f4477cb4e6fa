// What both engines have in common: tables and their indexes.

type Types = Readonly<{
  /** Text that sorts by its bytes. */
  text: string;
  /** A number that the database chooses. */
  identity: string;
  bigint: string;
  /** The id of a changelog, version or change, and for a full-text index that needs one, its number. */
  id: string;
}>;

const SLUG_FORM = `length(slug) between 1 and 64 and slug = lower(slug)
    and slug not like '%/%' and slug not like '% %' and slug not like '-%' and slug not like '%-'`;

/** In the form in which requests name it: lower case, ASCII (R60). */
const DOMAIN_FORM = `length(domain) <= 253 and domain like '%_._%'
    and trim(domain, 'abcdefghijklmnopqrstuvwxyz0123456789-.') = '' and trim(domain, '0123456789.') <> ''
    and '.' || domain || '.' not like '%..%' and '.' || domain || '.' not like '%.-%'
    and '.' || domain || '.' not like '%-.%'`;

const timestampForm = (column: string) => `${column} like '____-__-__T__:__:__.___Z'
    and substr(${column}, 1, 4) between '0000' and '9999'
    and substr(${column}, 6, 2) between '01' and '12'
    and substr(${column}, 9, 2) between '01' and '31'
    and substr(${column}, 12, 2) between '00' and '23'
    and substr(${column}, 15, 2) between '00' and '59'
    and substr(${column}, 18, 2) between '00' and '59'`;

const TYPES = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security', 'other'];
/** A bit for each type of the changes of a version, and for each type of its breaking ones. `fold` joins bits. */
export const countsOf = (versionId: string, fold: (bits: string) => string) => {
  const bits = `case type ${TYPES.map((type, index) => `when '${type}' then ${2 ** index}`).join(' ')} end`;
  return `select count(*), coalesce(${fold(bits)}, 0), coalesce(${fold(`case breaking when 1 then ${bits} end`)}, 0)
      from changes where version_id = ${versionId}`;
};

/**
 * Foreign keys of content are deferred: writers insert changes before their version, which then counts and indexes all of
 * them at once. In an index named `…_by_state` the state comes before the name: a hidden row takes as long as a missing one
 * (R9).
 */
export const tables = ({ text, identity, bigint, id }: Types): readonly string[] => [
  `create table teams (
  id ${identity}, slug ${text} not null unique, name ${text} not null, visibility ${text} not null,
  plan ${text} not null,
  constraint teams_slug_form check (${SLUG_FORM}),
  constraint teams_visibility_known check (visibility in ('public', 'private')),
  constraint teams_plan_known check (plan in ('free', 'paid')))`,
  `create table products (
  id ${identity}, team_id integer not null references teams (id) on delete cascade,
  slug ${text} not null, name ${text} not null, status ${text} not null, home_url ${text}, base_url ${text},
  repository_url ${text}, logo ${text}, image ${text}, accent ${text},
  domain ${text} constraint products_domain_form check (${DOMAIN_FORM}),
  constraint products_slug unique (team_id, slug),
  constraint products_team unique (id, team_id),
  constraint products_slug_form check (${SLUG_FORM}),
  constraint products_status_known check (status in ('draft', 'published', 'locked')))`,
  'create unique index products_domain on products (domain) where domain is not null',
  `create table changelogs (
  ${id}, product_id integer not null unique references products (id) on delete cascade,
  name ${text} not null, status ${text} not null, language ${text} not null default 'en', description ${text},
  description_mark ${text},
  constraint changelogs_status_known check (status in ('draft', 'published', 'locked')))`,
  `create table versions (
  ${id}, changelog_id ${text} not null references changelogs (id) on delete cascade on update cascade
    deferrable initially deferred,
  label ${text} not null, title ${text} not null, status ${text} not null, published_at ${text}, description ${text},
  yanked integer not null, created_order integer not null, compare_url ${text}, image ${text},
  sort_key ${text} generated always as (coalesce(published_at, '~' || cast(1000000000000 + created_order as text))) stored,
  change_count integer default 0 not null, types integer default 0 not null, breaking integer default 0 not null,
  updated_at ${text} constraint versions_updated_form check (${timestampForm('updated_at')}),
  publish_at ${text} constraint versions_schedule_form check (${timestampForm('publish_at')})
    constraint versions_scheduled_is_draft check (publish_at is null or status = 'draft'),
  constraint versions_label unique (changelog_id, label),
  constraint versions_published_has_date check (status <> 'published' or published_at is not null),
  constraint versions_date_form check (${timestampForm('published_at')}),
  constraint versions_status_known check (status in ('draft', 'published')),
  constraint versions_yanked_bit check (yanked in (0, 1)))`,
  `create index versions_in_order on versions (changelog_id, sort_key desc, id)`,
  `create unique index versions_by_state on versions (changelog_id, status, id)`,
  `create unique index versions_by_state_and_label on versions (changelog_id, status, label, id)`,
  // Has only the drafts that wait, so finding the next one costs the same however many versions there are (R50).
  `create index versions_scheduled on versions (publish_at) where publish_at is not null`,
  `create table changes (
  ${id}, version_id ${text} not null references versions (id) on delete cascade on update cascade
    deferrable initially deferred,
  position integer not null, type ${text} not null, text ${text} not null, breaking integer not null,
  constraint changes_position unique (version_id, position),
  constraint changes_type_known
    check (type in (${TYPES.map((type) => `'${type}'`).join(', ')})),
  constraint changes_breaking_bit check (breaking in (0, 1)))`,
  `create unique index teams_by_state on teams (visibility, slug)`,
  `create unique index products_by_state on products (team_id, status, slug)`,
  `create unique index changelogs_by_state on changelogs (product_id, status)`,
  `create table api_keys (
  id ${text} not null primary key, team_id integer not null references teams (id) on delete cascade, kind ${text} not null,
  status ${text} not null, name ${text}, hash ${text} not null unique, created_at ${text} not null,
  expires_at ${text} constraint api_keys_end_form check (${timestampForm('expires_at')}),
  constraint api_keys_team_kind unique (id, team_id, kind),
  constraint api_keys_kind_known check (kind in ('FULL', 'SELECT')),
  constraint api_keys_status_known check (status in ('active', 'disabled')))`,
  `create index api_keys_of_team on api_keys (team_id, created_at, id)`,
  // A query by status, hash and time never visits a disabled or expired key (R5).
  `create unique index api_keys_by_state on api_keys (status, hash, coalesce(expires_at, '~'))`,
  `create table api_key_products (
  key_id ${text} not null, product_id integer not null, team_id integer not null, kind ${text} not null,
  constraint api_key_products_pair primary key (key_id, product_id),
  constraint api_key_products_key foreign key (key_id, team_id, kind)
    references api_keys (id, team_id, kind) on delete cascade,
  constraint api_key_products_product foreign key (product_id, team_id)
    references products (id, team_id) on delete cascade,
  constraint api_key_products_kind_known check (kind in ('SELECT')))`,
  `create index api_key_products_of_product on api_key_products (product_id)`,
  // Tables of their own, so that recording the use of a key or what an import wrote changes neither key nor version.
  `create table key_usage (
  key_id ${text} not null primary key references api_keys (id) on delete cascade, last_used_at ${text} not null)`,
  `create table import_marks (
  version_id ${text} not null primary key references versions (id) on delete cascade on update cascade,
  mark ${text} not null)`,
  `create table hook_deliveries (
  hook ${text} not null, kind ${text} not null, about ${text} not null, state ${text} not null,
  revision ${bigint} not null default 0, message_id ${text} not null default '', attempts integer not null default 0,
  due_at ${text} not null, done_at ${text}, failure ${text},
  constraint hook_deliveries_key primary key (hook, about, kind),
  constraint hook_deliveries_kind_known check (kind in ('watch', 'announcement', 'purge')),
  constraint hook_deliveries_state_known check (state in ('known', 'pending', 'sending', 'sent', 'given_up')))`,
  `create index hook_deliveries_due on hook_deliveries (hook, due_at) where state in ('pending', 'sending')`,
  // Every publicly visible changelog (R9).
  `create table public_changelogs (
  team_slug ${text} not null, product_slug ${text} not null, team_id integer not null, product_id integer not null,
  changelog_id ${text} not null unique, primary key (team_slug, product_slug))`,
  `create index public_changelogs_of_team on public_changelogs (team_id)`,
  `create index public_changelogs_of_product on public_changelogs (product_id)`,
  // A number that every write advances, and the number of the last write to each team and product, which nodes poll to find
  // out which cached responses are out of date (R29). Product 0 is the whole team, product -1 its API keys, and team 0
  // everything. `public_revision` is the last write that changed anything public. `cursor_key` signs cursors.
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
  `create index touches_of_team_since on touches (team_id, revision)`,
  `create index touches_public_of_team_since on touches (team_id, public_revision)`,
];

export const PUBLIC_NOW = `select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
      c.id as changelog_id
    from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
    where t.visibility = 'public' and p.status = 'published' and c.status = 'published'`;
export const isPublic = (column: string, id: string) =>
  `exists (select 1 from public_changelogs where ${column} = ${id})`;

/** What the record of a version shows. */
const SHOWN = 'id, label, title, status, published_at, description, yanked, compare_url, image';

const columnsOf = (row: string, columns: string) => columns.replaceAll(/\w+/g, `${row}.$&`);
export const isChanged = (differs: string, columns = SHOWN) =>
  `(${columnsOf('new', columns)}) ${differs} (${columnsOf('old', columns)})`;

/**
 * `updated_at` is when anything that the record of a version shows last changed (R45). Null: not since it was created with
 * the date of `published_at`. A write that sets it keeps its value. A date of publication counts as ahead of the clock from
 * five minutes on, because clocks differ. A time ahead of the clock moves by a millisecond, because it must not go back.
 */
export const movedOn = (last: string, now: string, later: string) =>
  `case when ${last} <= ${now} then ${now} when ${last} < '9999' then ${later} else ${last} end`;

/** The revision was advanced before. `rows` is one of `TOUCHED`, or selects the same. */
export const touches = (rows: string, isAny: string, greatest: string) =>
  `insert into touches (team_id, product_id, revision, public_revision)
    select team_id, product_id, max(value),
      case when ${isAny}(is_public) then max(value) else coalesce(max(was_public_at), 0) end
    from (with named (team_id, product_id, is_public, was_public_at) as (${rows}) select * from named) touched, revision
    where true group by team_id, product_id
    on conflict (team_id, product_id) do update set revision = excluded.revision,
      public_revision = ${greatest}(touches.public_revision, excluded.public_revision)
    where touches.revision <> excluded.revision or touches.public_revision < excluded.public_revision`;

/** Of written rows: the team, the product, whether what is touched is public, and when it last was. */
export const TOUCHED = {
  teams: (rows: string) => `select r.id, 0, ${isPublic('team_id', 'r.id')}, 0 from ${rows} r`,
  products: (rows: string) => `select r.team_id, r.id, ${isPublic('product_id', 'r.id')}, 0 from ${rows} r`,
  changelogs: (rows: string) => `select p.team_id, p.id, ${isPublic('product_id', 'p.id')}, 0
      from ${rows} r join products p on p.id = r.product_id`,
  keys: (rows: string) => `select t.id, -1, false, 0 from ${rows} r join teams t on t.id = r.team_id`,
  /** A deleted team touches everything, and a deleted product its team, unless that is gone. */
  deletedTeams: (rows: string) => `select 0, 0, ${isPublic('team_id', 'r.id')},
        (select max(public_revision) from touches where team_id = r.id) from ${rows} r`,
  deletedProducts: (rows: string) => `select t.id, 0, ${isPublic('product_id', 'r.id')},
        (select max(public_revision) from touches where team_id = t.id and product_id = r.id)
      from ${rows} r join teams t on t.id = r.team_id or t.id in (select team_id from touches where product_id = r.id)
      where exists (select 1 from teams where id = r.team_id)`,
};
