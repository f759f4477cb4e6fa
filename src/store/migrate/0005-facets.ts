// The fifth schema step: how many published versions each year has, and how many of them have a change of each type or a
// breaking one (`''` for any version). Drafts leave no trace in it (R9).

const TABLE = (text: string) => `create table version_facets (
  changelog_id ${text} not null, mark ${text} not null, year ${text} not null, versions integer not null,
  primary key (changelog_id, mark, year))`;

const MARKS = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security', 'other', 'breaking'];
const EVERY_MARK = `(${['', ...MARKS].map((mark, index) => `select '${mark}'${index === 0 ? ' as mark' : ''}`).join(' union all ')})`;

/** The types of `row` are separated by commas and spaces. */
const counts = (row: string, sign: '+' | '-', rows = '') =>
  `insert into version_facets (changelog_id, mark, year, versions)
    select ${row}.changelog_id, every.mark, substr(${row}.sort_key, 1, 4), ${rows === '' ? `${sign}1` : 'count(*)'}
    from ${rows === '' ? '' : `${rows} ${row} cross join `}${EVERY_MARK} every
    where ${row}.status = 'published' and (every.mark = ''
      or instr(',' || replace(${row}.types, ' ', ',') || ',', ',' || every.mark || ',') > 0)
    ${rows === '' ? `on conflict (changelog_id, mark, year) do update set versions = versions ${sign} 1` : 'group by 1, 2, 3'};`;
const FORGETS_OLD = `${counts('old', '-')}
  delete from version_facets where changelog_id = old.changelog_id and year = substr(old.sort_key, 1, 4)
    and mark in ('', ${MARKS.map((mark) => `'${mark}'`).join(', ')}) and versions = 0;`;
const factsOf = (row: string) =>
  `(${row}.changelog_id, ${row}.status, substr(${row}.sort_key, 1, 4), ${row}.types)`;

export const FILL_SQLITE = counts('f', '+', 'version_facts').slice(0, -1);

export const SQLITE: readonly string[] = [
  `${TABLE('text')} without rowid`,
  FILL_SQLITE,
  `create trigger version_facts_faceted after insert on version_facts when new.status = 'published'
  begin ${counts('new', '+')} end`,
  `create trigger version_facts_not_faceted after delete on version_facts when old.status = 'published'
  begin ${FORGETS_OLD} end`,
  `create trigger version_facts_faceted_again after update on version_facts
  when 'published' in (old.status, new.status) and ${factsOf('old')} is not ${factsOf('new')}
  begin ${FORGETS_OLD} ${counts('new', '+')} end`,
];

/** Words are read once for all marks. \`offset\` keeps \`strip\` from being worked out for each. */
const facetsOf = (
  rows: string,
  versions: number,
) => `select f.changelog_id, every.mark, left(f.sort_key, 4) as year,
        ${versions} as versions
      from ${rows} f cross join lateral (select strip(f.words) as words offset 0) read
        cross join (values ${['', ...MARKS].map((mark) => `('${mark}', '''#${mark}'''::tsquery)`).join(', ')}) every (mark, wanted)
      where f.status = 'published' and (every.mark = '' or read.words @@ every.wanted)`;
const sumOf = (
  rows: string,
) => `select changelog_id, mark, year, sum(versions)::integer as versions from (${rows}) every
      group by changelog_id, mark, year having sum(versions) <> 0`;
/** Sums do not depend on the order in which the triggers of nested statements fire: one may be negative in between. */
const adds = (rows: string) => `with written as (insert into version_facets as v ${sumOf(rows)}
      on conflict (changelog_id, mark, year) do update set versions = v.versions + excluded.versions returning v.*)
      select array_agg(written::version_facets) into emptied from written where versions = 0;`;

export const FILL_POSTGRES = `insert into version_facets ${sumOf(facetsOf('version_facts', 1))}`;

export const POSTGRES: readonly string[] = [
  TABLE('text collate "C"'),
  FILL_POSTGRES,
  // Fires after \`count_versions\`, by its name: other writers wait there.
  `create function count_facets() returns trigger language plpgsql
set search_path from current set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  emptied version_facets[];
  one version_facets;
begin
  case tg_op
    when 'INSERT' then ${adds(facetsOf('new_rows', 1))}
    when 'DELETE' then ${adds(facetsOf('old_rows', -1))}
    when 'UPDATE' then ${adds(`${facetsOf('new_rows', 1)}
      union all ${facetsOf('old_rows', -1)}`)}
    else delete from version_facets;
  end case;
  -- One by one: planned while the table is empty, a join would visit every row of it later.
  foreach one in array coalesce(emptied, '{}') loop
    delete from version_facets v
      where v.changelog_id = one.changelog_id and v.mark = one.mark and v.year = one.year and v.versions = 0;
  end loop;
  return null;
end $$`,
  `create trigger version_facts_facets_on_insert after insert on version_facts referencing new table as new_rows
    for each statement execute function count_facets()`,
  `create trigger version_facts_facets_on_delete after delete on version_facts referencing old table as old_rows
    for each statement execute function count_facets()`,
  `create trigger version_facts_facets_on_update after update on version_facts
    referencing old table as old_rows new table as new_rows for each statement execute function count_facets()`,
  `create trigger version_facts_facets_on_truncate after truncate on version_facts
    for each statement execute function count_facets()`,
];
