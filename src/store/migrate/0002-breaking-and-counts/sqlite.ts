// The second schema step for SQLite.
import { factsTriggers } from '../0001-first-schema/sqlite.ts';
import { countsTable, kindOf, placeOf, SPLIT_ABOVE } from './counts.ts';

const MARKS = `type || case breaking when 1 then ' breaking breaking' || type else '' end`;
export const { onInsert, onChange, onUpdate } = factsTriggers(MARKS, 'type, text, position, breaking');

/** Versions are also found by `breaking`, and by `breakingremoved` if a change of that type is breaking (R53). */
const BREAKING = [
  'drop trigger versions_facts_on_insert',
  'drop trigger changes_facts_on_update',
  'drop trigger versions_facts_on_update',
  onInsert,
  onChange,
  onUpdate,
  `update version_facts
  set types = (select group_concat(distinct ${MARKS}) from changes where version_id = version_facts.version_id)
  where version_id in (select version_id from changes where breaking = 1)`,
];

const COLUMNS = 'changelog_id, status, kind, level, place, versions, changes, security, breaking';
const inListOf = (row: string) =>
  `changelog_id = ${row}.changelog_id and status = ${row}.status and kind = ${row}.kind`;

/** A version by itself, at level 0. */
const countsVersions = (rows: string) => `insert into version_counts (${COLUMNS})
    select f.changelog_id, f.status, ${kindOf('f')}, 0, ${placeOf('f')}, 1,
      (select count(*) from changes where version_id = f.version_id),
      exists (select 1 from changes where version_id = f.version_id and type = 'security'),
      exists (select 1 from changes where version_id = f.version_id and breaking = 1)
    from ${rows}`;
const COUNTS_NEW = countsVersions('version_facts f where f.number = new.number');
const FORGETS_OLD = `delete from version_counts where changelog_id = old.changelog_id and status = old.status
    and kind = ${kindOf('old')} and level = 0 and place = ${placeOf('old')}`;

/** Adds a row of level 0 to its group, or subtracts it. */
const adds = (row: string, sign: '+' | '-', level: number) => `update version_counts
    set versions = versions ${sign} 1, changes = changes ${sign} ${row}.changes,
      security = security ${sign} ${row}.security, breaking = breaking ${sign} ${row}.breaking
    where ${inListOf(row)} and level = ${level} and place = (select max(place) from version_counts
      where ${inListOf(row)} and level = ${level} and place <= ${row}.place)`;

const COUNTS = [
  `${countsTable('text')} without rowid`,
  `create trigger version_counts_added after insert on version_counts when new.level = 0 begin
  insert into version_counts (${COLUMNS})
    select new.changelog_id, new.status, new.kind, every.level, '', 0, 0, 0, 0
    from (select 1 as level union all select 2) every
    where not exists (select 1 from version_counts where ${inListOf('new')} and level = every.level and place = '');
  ${adds('new', '+', 1)}; ${adds('new', '+', 2)}; end`,
  `create trigger version_counts_removed after delete on version_counts when old.level = 0 begin
  ${adds('old', '-', 2)}; ${adds('old', '-', 1)}; end`,
  `create trigger version_counts_ended after delete on version_counts when old.level = 0
    and not exists (select 1 from version_counts where ${inListOf('old')} and level = 0)
  begin delete from version_counts where ${inListOf('old')}; end`,
  // A group of level 2 begins where one of level 1 does.
  `create trigger version_counts_emptied after update of versions on version_counts
  when new.versions = 0 and new.place <> '' begin
  delete from version_counts where ${inListOf('new')} and place = new.place and level = 2 and new.level = 2;
  delete from version_counts where ${inListOf('new')} and place = new.place and level = 1 and versions = 0
    and not exists (select 1 from version_counts where ${inListOf('new')} and place = new.place and level = 2); end`,
  `create trigger version_counts_split after update of versions on version_counts
  when new.level > 0 and new.versions > case new.level when 1 then ${SPLIT_ABOVE[1]} else ${SPLIT_ABOVE[2]} end begin
  insert into version_counts (${COLUMNS})
    select new.changelog_id, new.status, new.kind, new.level, place, versions, changes, security, breaking
    from (select min(number), place, sum(versions) as versions, sum(changes) as changes, sum(security) as security,
        sum(breaking) as breaking
      from (select *, row_number() over (order by place) as number, count(*) over () as count from version_counts
        where ${inListOf('new')} and level = new.level - 1 and place >= new.place and place < coalesce((
          select min(place) from version_counts
          where ${inListOf('new')} and level = new.level and place > new.place), '~~'))
      where number > count / 2);
  update version_counts set versions = version_counts.versions - upper.versions,
      changes = version_counts.changes - upper.changes, security = version_counts.security - upper.security,
      breaking = version_counts.breaking - upper.breaking
    from (select versions, changes, security, breaking from version_counts
      where ${inListOf('new')} and level = new.level and place > new.place order by place limit 1) upper
    where ${['changelog_id', 'status', 'kind', 'level', 'place'].map((column) => `version_counts.${column} = new.${column}`).join(' and ')};
  end`,
  `create trigger version_facts_counted after insert on version_facts begin ${COUNTS_NEW}; end`,
  `create trigger version_facts_not_counted after delete on version_facts begin ${FORGETS_OLD}; end`,
  `create trigger version_facts_counted_again after update on version_facts
  when (old.changelog_id, old.status, ${kindOf('old')}, ${placeOf('old')})
    is not (new.changelog_id, new.status, ${kindOf('new')}, ${placeOf('new')})
  begin ${FORGETS_OLD}; ${COUNTS_NEW}; end`,
  `${countsVersions('version_facts f')} order by f.changelog_id, f.status, ${kindOf('f')}, ${placeOf('f')}`,
];

export const SQLITE: readonly string[] = [...BREAKING, ...COUNTS];
