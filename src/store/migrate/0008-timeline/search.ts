// The search of PostgreSQL in several changelogs at once.
import { CHECKED_MAX, SCOPED, WORDS_MAX } from '../0006-search-by-beginnings.ts';

const wordsFrom = (scopes: string, beginning: string, limit = '') => `select word from unnest(${scopes}) scope
           cross join lateral (select word from search_words
             where word >= scope || ${beginning} and word < scope || ${beginning} || chr(1114111) ${limit}) w`;

/** As before, in several changelogs at once. Each version is in one scope, so its words are too. */
export const SEARCH: readonly string[] = [
  'drop function search_versions',
  `create function search_versions(changelogs text[], states text[], all_of text[], beginnings text[], any_of json, phrases tsquery)
     returns setof version_facts stable language plpgsql set search_path from current
     set enable_bitmapscan = on set enable_indexscan = off set enable_seqscan = off as $$
   declare
     words_max integer := greatest(${WORDS_MAX}, ${WORDS_MAX / 20} * cardinality(changelogs));
     state text;
     scopes text[];
     beginning text;
     found text[];
     conditions text;
     checks text;
     many text;
     checked integer;
   begin
     <<states>>
     foreach state in array states loop
       scopes := array(select words_scope(id, state) from unnest(changelogs) every (id));
       select string_agg(format('${SCOPED} %s %L::text[]', operator, words), ' and ')
         into conditions from (
           select '@>' as operator, array(select scopes[1] || word from unnest(all_of) every (word)) as words
             where cardinality(all_of) > 0 and cardinality(scopes) = 1
           union all select '&&', array(select scope || word from unnest(scopes) scope) from unnest(all_of) every (word)
             where cardinality(scopes) <> 1
           union all select '&&', array(select scope || word from unnest(scopes) scope
               cross join json_array_elements_text(one) every (word))
             from json_array_elements(any_of) lists (one)) every;
       checks := case when phrases is null then '' else ' and words @@ $1' end;
       many := null;
       foreach beginning in array beginnings loop
         found := array(${wordsFrom('scopes', 'beginning', `limit ${WORDS_MAX + 1}`)} limit words_max + 1);
         continue states when cardinality(found) = 0;
         if cardinality(found) <= words_max then
           conditions := concat_ws(' and ', conditions, format('${SCOPED} && %L::text[]', found));
         else
           checks := checks || format(' and words @@ %L::tsquery', quote_literal(beginning) || ':*');
           many := concat_ws(' and ', many, format('${SCOPED} && array(${wordsFrom('%1$L::text[]', '%2$L')})', scopes, beginning));
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
