// The sixth schema step: versions are found by the beginning of words (R32).

const TOKENS = `tokenize = 'unicode61 remove_diacritics 0 categories ''Lu Ll Lt Lm N*'''`;

/**
 * The index finds words by their first one to three letters as fast as whole ones. For longer beginnings, a search looks
 * up the words that exist: FTS5 itself would collect all versions of all of them first. `hashsize` keeps bulk writes fast.
 */
const indexesBeginnings = (kind: string) => [
  `drop table ${kind}_search`,
  `create virtual table ${kind}_search using fts5 (scope, types, body, content = '${kind}_search_rows',
  content_rowid = 'number', ${TOKENS}, prefix = '1 2 3')`,
  `insert into ${kind}_search (${kind}_search, rank) values ('hashsize', 16777216)`,
  `insert into ${kind}_search (${kind}_search) values ('rebuild')`,
];

const FORGETS_TEXTS = `insert into split_search (split_search) values ('delete-all');`;
const addsWords = (isPublic: string) => `insert into search_words (is_public, word)
    select ${isPublic}, term from split_search_words where length(term) > 3
    on conflict (is_public, word) do nothing;
  ${FORGETS_TEXTS}`;
const addsWordsOfRow = `insert into split_search (rowid, body) values (1, new.body);
  ${addsWords(`new.status = 'published' and exists (select 1 from public_changelogs where changelog_id = new.changelog_id)`)}`;
const addsWordsOf = (row: string, isPublic: number) => `insert into split_search (rowid, body)
    select number, body from version_facts where changelog_id = ${row}.changelog_id and status = 'published';
  ${addsWords(String(isPublic))}`;
const fills = (kind: string, isPublic: number) => [
  `create virtual table ${kind}_search_words using fts5vocab (${kind}_search, col)`,
  `insert into search_words (is_public, word)
    select ${isPublic}, term from ${kind}_search_words where col = 'body' and length(term) > 3`,
  `drop table ${kind}_search_words`,
];

export const FILL_SQLITE = [...fills('public', 1), ...fills('hidden', 0)];

/** Words are never removed: one that no version has any more finds nothing. Hidden ones are apart (R9). */
export const SQLITE: readonly string[] = [
  ...indexesBeginnings('public'),
  ...indexesBeginnings('hidden'),
  `create table search_words (is_public integer not null, word text not null, primary key (is_public, word))
  without rowid`,
  ...FILL_SQLITE,
  // Only FTS5 can split a text into words. This index has one for a moment.
  `create virtual table split_search using fts5 (body, content = '', detail = none, ${TOKENS})`,
  'create virtual table split_search_words using fts5vocab (split_search, row)',
  `create trigger version_facts_words_on_insert after insert on version_facts begin ${addsWordsOfRow} end`,
  `create trigger version_facts_words_on_update after update on version_facts
  when (old.status, old.body) is not (new.status, new.body) begin ${addsWordsOfRow} end`,
  `create trigger public_changelogs_words_on_insert after insert on public_changelogs begin ${addsWordsOf('new', 1)} end`,
  `create trigger public_changelogs_words_on_delete after delete on public_changelogs begin ${addsWordsOf('old', 0)} end`,
];

export const SCOPED = 'scoped_words(changelog_id, status, words)';
const addsScoped = (rows: string) => `insert into search_words (word)
    select distinct word from ${rows} f cross join lateral unnest(scoped_words(f.changelog_id, f.status, f.words)) word
    where split_part(word, ' ', 2) !~ '^[@#]' on conflict (word) do nothing`;
export const FILL_POSTGRES = addsScoped('version_facts');
/** With more words than this, checking the versions found by other conditions is faster. */
export const WORDS_MAX = 100;
/** With more versions than this, it is not. */
export const CHECKED_MAX = 20_000;

/** Words as in the index, each with its state and its changelog, so that a search sees no hidden one (R9). */
export const POSTGRES: readonly string[] = [
  'create table search_words (word text collate "C" not null primary key)',
  FILL_POSTGRES,
  `create function add_search_words() returns trigger language plpgsql set search_path from current as $$
begin
  ${addsScoped('new_rows')};
  return null;
end $$`,
  `create trigger version_facts_words_on_insert after insert on version_facts referencing new table as new_rows
    for each statement execute function add_search_words()`,
  `create trigger version_facts_words_on_update after update on version_facts referencing new table as new_rows
    for each statement execute function add_search_words()`,
  'drop function search_versions',
  `create function search_versions(changelog text, states text[], all_of text[], beginnings text[], any_of json, phrases tsquery)
     returns setof version_facts stable language plpgsql set search_path from current
     set enable_bitmapscan = on set enable_indexscan = off set enable_seqscan = off as $$
   declare
     state text;
     scope text;
     beginning text;
     found text[];
     conditions text;
     checks text;
     many text;
     checked integer;
   begin
     <<states>>
     foreach state in array states loop
       scope := words_scope(changelog, state);
       select string_agg(format('${SCOPED} %s %L::text[]', operator, words), ' and ')
         into conditions from (
           select '@>' as operator, array(select scope || word from unnest(all_of) every (word)) as words
             where cardinality(all_of) > 0
           union all select '&&', array(select scope || word from json_array_elements_text(one) every (word))
             from json_array_elements(any_of) lists (one)) every;
       checks := case when phrases is null then '' else ' and words @@ $1' end;
       many := null;
       foreach beginning in array beginnings loop
         found := array(select word from search_words
           where word >= scope || beginning and word < scope || beginning || chr(1114111) limit ${WORDS_MAX + 1});
         continue states when cardinality(found) = 0;
         if cardinality(found) <= ${WORDS_MAX} then
           conditions := concat_ws(' and ', conditions, format('${SCOPED} && %L::text[]', found));
         else
           checks := checks || format(' and words @@ %L::tsquery', quote_literal(beginning) || ':*');
           many := concat_ws(' and ', many, format('${SCOPED} && array(select word from search_words
             where word >= %L and word < %L)', scope || beginning, scope || beginning || chr(1114111)));
         end if;
       end loop;
       if many is not null and conditions is not null then
         execute 'select count(*) from (select 1 from version_facts where ' || conditions || ' limit ${CHECKED_MAX + 1}) f'
           into checked;
       end if;
       if many is not null and (conditions is null or checked > ${CHECKED_MAX}) then
         conditions := concat_ws(' and ', conditions, many);
       end if;
       return query execute 'select * from version_facts where ' || conditions || checks using phrases;
     end loop;
   end $$`,
];
