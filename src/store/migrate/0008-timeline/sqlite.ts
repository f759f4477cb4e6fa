// The eighth schema step for SQLite. Triggers on a table fire in the reverse order of their creation.
import { COLUMNS, columns, KEY, TOUCHES_OF_TEAM } from './tables.ts';

/** The row of a version `facts` in a changelog of `team_changelogs`. */
const keyOf = (facts: string, changelog: string) => `${changelog}.team_id,
      ${changelog}.is_public = 1 and ${facts}.status = 'published', ${facts}.is_prerelease, ${facts}.sort_key,
      ${facts}.version_id`;
const lists = (facts: string, changelog: string, from: string) =>
  `insert into timeline (${COLUMNS}) select ${keyOf(facts, changelog)}, ${facts}.changelog_id from ${from}`;
const listsRow = (row: string) =>
  `${lists(row, 'c', `team_changelogs c where c.changelog_id = ${row}.changelog_id`)};`;
const unlistsRow = (row: string) => `delete from timeline
    where team_id = (select team_id from team_changelogs where changelog_id = ${row}.changelog_id)
      and is_public in (0, 1) and is_prerelease = ${row}.is_prerelease and sort_key = ${row}.sort_key
      and version_id = ${row}.version_id;`;
const listsAllOf = (changelog: string) =>
  `${lists('f', changelog, `version_facts f where f.changelog_id = ${changelog}.changelog_id`)};`;
const unlistsAllOf = (changelog: string) => `delete from timeline
    where (team_id, is_public, is_prerelease, sort_key, version_id) in (
      select ${keyOf('f', changelog)} from version_facts f where f.changelog_id = ${changelog}.changelog_id);`;
const placeOf = (row: string) =>
  ['changelog_id', 'status', 'sort_key', 'version_id', 'is_prerelease']
    .map((column) => `${row}.${column}`)
    .join(', ');

const CHANGELOGS_NOW = `select c.id, p.team_id, p.slug, p.id,
      exists (select 1 from public_changelogs k where k.changelog_id = c.id)
    from changelogs c join products p on p.id = c.product_id`;

/** Also for rows that `or replace` deleted without firing a trigger: `stale` finds them by what they had in common. */
const forgets = (stale: string) => `delete from team_changelogs where (${stale})
    and not exists (select 1 from changelogs c join products p on p.id = c.product_id
      where c.id = team_changelogs.changelog_id);`;
const adds = (
  written: string,
) => `insert into team_changelogs (changelog_id, team_id, product_slug, product_id, is_public)
    ${CHANGELOGS_NOW} where ${written}
    on conflict (changelog_id) do update set team_id = excluded.team_id, product_slug = excluded.product_slug,
      product_id = excluded.product_id
    where (team_id, product_slug, product_id) is not
      (excluded.team_id, excluded.product_slug, excluded.product_id);`;
const refreshesOn = (table: string, updated: string, stale: (row: string) => string, written: string) => [
  `create trigger ${table}_timeline_on_insert after insert on ${table}
  begin ${forgets(stale('new'))} ${adds(written)} end`,
  `create trigger ${table}_timeline_on_update after update of ${updated} on ${table}
  begin ${forgets(`${stale('new')} or ${stale('old')}`)} ${adds(written)} end`,
  `create trigger ${table}_timeline_on_delete after delete on ${table} begin ${forgets(stale('old'))} end`,
];

export const FILL_SQLITE = [
  `insert into team_changelogs (changelog_id, team_id, product_slug, product_id, is_public) ${CHANGELOGS_NOW}`,
  `${lists('f', 'c', 'version_facts f join team_changelogs c on c.changelog_id = f.changelog_id')}
    order by 1, 2, 3, 4 desc, 5`,
];

/** `timeline` has the versions of the changelogs in `team_changelogs`; triggers on both tables keep it so. */
export const SQLITE: readonly string[] = [
  ...TOUCHES_OF_TEAM,
  `create table team_changelogs (
  changelog_id text not null primary key, team_id integer not null, product_slug text not null,
  product_id integer not null, is_public integer not null) without rowid`,
  'create index team_changelogs_of_team on team_changelogs (team_id, product_slug)',
  'create index team_changelogs_of_product on team_changelogs (product_id)',
  `create table timeline (${columns('text')}, primary key (${KEY})) without rowid`,
  ...FILL_SQLITE,
  `create trigger version_facts_timeline_on_insert after insert on version_facts begin ${listsRow('new')} end`,
  `create trigger version_facts_timeline_on_delete after delete on version_facts begin ${unlistsRow('old')} end`,
  `create trigger version_facts_timeline_on_update after update on version_facts
  when (${placeOf('old')}) is not (${placeOf('new')}) begin ${unlistsRow('old')} ${listsRow('new')} end`,
  `create trigger team_changelogs_on_insert after insert on team_changelogs begin ${listsAllOf('new')} end`,
  `create trigger team_changelogs_on_delete after delete on team_changelogs begin ${unlistsAllOf('old')} end`,
  `create trigger team_changelogs_on_update after update on team_changelogs
  when (old.team_id, old.is_public) is not (new.team_id, new.is_public)
  begin ${unlistsAllOf('old')} ${listsAllOf('new')} end`,
  ...refreshesOn(
    'products',
    'id, team_id, slug',
    (row) => `product_id = ${row}.id or team_id = ${row}.team_id and product_slug = ${row}.slug`,
    'p.id = new.id',
  ),
  ...refreshesOn(
    'changelogs',
    'id, product_id',
    (row) => `changelog_id = ${row}.id or product_id = ${row}.product_id`,
    'c.id = new.id',
  ),
  `create trigger public_changelogs_timeline_on_insert after insert on public_changelogs
  begin update team_changelogs set is_public = 1 where changelog_id = new.changelog_id; end`,
  `create trigger public_changelogs_timeline_on_delete after delete on public_changelogs
  begin update team_changelogs set is_public = 0 where changelog_id = old.changelog_id; end`,
];
