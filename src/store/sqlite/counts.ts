// How the number of a version's changes is kept on SQLite, row by row.

const COUNT = '(select count(*) from changes where version_id = versions.id)';
const count = (ids: string) => `update versions set change_count = ${COUNT} where id in (${ids});`;
const COUNT_NOTED = `${count('select version_id from uncounted')} delete from uncounted;`;
const MOVES = 'update of id, version_id, position';

/**
 * Counted anew instead of by one more or less: that is right whatever happened before. In `uncounted` stand versions that
 * may lose a change to a replacement, which is known before it is done, and counted after.
 */
export const COUNT_TRIGGERS: readonly string[] = [
  'create table uncounted (version_id text not null primary key)',
  writeNote('insert', 'insert', ''),
  writeNote('update', MOVES, 'and id <> old.id'),
  `create trigger changes_count_on_insert after insert on changes
     begin ${count('new.version_id')} ${COUNT_NOTED} end`,
  `create trigger changes_count_on_update after ${MOVES} on changes
     when old.version_id <> new.version_id or exists (select 1 from uncounted)
     begin ${count('old.version_id, new.version_id')} ${COUNT_NOTED} end`,
  `create trigger changes_count_on_delete after delete on changes
     begin ${count('old.version_id')} end`,
  ...['insert', 'update of id, change_count'].map(
    (event) =>
      `create trigger versions_count_on_${event.slice(0, 6)} after ${event} on versions
         when new.change_count <> (select count(*) from changes where version_id = new.id)
         begin ${count('new.id')} end`,
  ),
];

/** With `or replace`, rows that are in the way go without a word; whether they do is known only when they are gone. */
function writeNote(name: string, event: string, others: string): string {
  const inTheWay = `from changes
    where (id = new.id or version_id = new.version_id and position = new.position) ${others}`;
  return `create trigger changes_count_on_${name}_replacing before ${event} on changes
    when exists (select 1 ${inTheWay})
    begin insert into uncounted select distinct version_id ${inTheWay} on conflict (version_id) do nothing; end`;
}
