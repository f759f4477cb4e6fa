import type { Step } from './step.ts';

/**
 * A version whose state or date changes keeps what was worked out from its texts. Most of the work of publishing was to
 * read its changes and to find the same words again.
 */
export const KEPT_WORDS: Step = {
  name: '0013_kept_words',
  sqlite: [
    // First out of the index, as when a row is deleted, and then in again, as when one is inserted.
    `create trigger version_facts_reindexed after update on version_facts begin
     insert into public_search (public_search, rowid, scope, types, body)
     select 'delete', number, scope, types, body from (select old.number as number, old.scope as scope, old.types as types, old.body as body
    where exists (select 1 from public_facts where number = old.number));
     insert into hidden_search (hidden_search, rowid, scope, types, body)
     select 'delete', number, scope, types, body from (select old.number as number, old.scope as scope, old.types as types, old.body as body
    where not exists (select 1 from public_facts where number = old.number));
     delete from public_facts where number = old.number;
     insert into public_search (rowid, scope, types, body) select number, scope, types, body \
from (select new.number as number, new.scope as scope, new.types as types, new.body as body
    where new.status = 'published'
  and exists (select 1 from public_changelogs where changelog_id = new.changelog_id));
     insert into hidden_search (rowid, scope, types, body) select number, scope, types, body \
from (select new.number as number, new.scope as scope, new.types as types, new.body as body
    where not (new.status = 'published'
  and exists (select 1 from public_changelogs where changelog_id = new.changelog_id)));
     insert into public_facts (number) select new.number where new.status = 'published'
  and exists (select 1 from public_changelogs where changelog_id = new.changelog_id); end`,
    `drop trigger versions_facts_on_update`,
    `create trigger versions_facts_on_update after update of id, changelog_id, label, title, description, change_count on versions
     begin delete from version_facts where version_id = old.id; delete from version_facts where version_id = new.id;
  delete from version_facts where changelog_id = new.changelog_id and status in ('draft', 'published') and label = new.label;
  insert into version_facts (number, version_id, changelog_id, label, status, sort_key, version_order, major, is_prerelease, scope, types, body)
  select coalesce((select max(number) + 1 from version_facts f
        where f.number between second * 16777216 and (second + 1) * 16777216 - 1),
      second * 16777216) + row_number() over (partition by second order by id) - 1,
    id, changelog_id, label, status, sort_key, version_order, major,
    coalesce(substr(version_order, -1) <> '~', 0),
    'c' || hex(changelog_id) || case status when 'published' then ' p' || hex(changelog_id) else '' end
      || coalesce(' m' || major || ' n' || substr(version_order, 1,
        length(major) + 3 + cast(substr(version_order, length(major) + 1, 3) as integer)), ''),
    coalesce((select group_concat(distinct type) from changes where version_id = every.id), ''),
    case when written not glob '*[㐀-鿿가-힣𐀀-􏿿々〱-〵〻ゝ-ゞー-ヾｰﾞ-ﾟ]*' then written else (
  with recursive chunks (chunk, before, rest) as (
    select substr(written, 1, 100), '', substr(written, 101) union all
    select substr(rest, 1, 100), substr(chunk, -1), substr(rest, 101)
      from chunks where rest <> '')
  select group_concat(case when before || chunk not glob '*[㐀-鿿가-힣𐀀-􏿿々〱-〵〻ゝ-ゞー-ヾｰﾞ-ﾟ]*' then chunk else (
    with recursive letters (place, pair) as (select 1, before || substr(chunk, 1, 1) union all
      select place + 1, substr(chunk, place, 2) from letters where place < length(chunk))
    select group_concat(case when pair glob '[㐀-鿿가-힣𐀀-􏿿々〱-〵〻ゝ-ゞー-ヾｰﾞ-ﾟ][\u0001-\u058fḀ-῿⁰-ↈ①-⓿❶-➓Ⰰ-ⴥꙀ-ꟿꬰ-ꭥ０-ｚ]' \
or pair glob '[\u0001-\u058fḀ-῿⁰-ↈ①-⓿❶-➓Ⰰ-ⴥꙀ-ꟿꬰ-ꭥ０-ｚ][㐀-鿿가-힣𐀀-􏿿々〱-〵〻ゝ-ゞー-ヾｰﾞ-ﾟ]' then ' '
      else '' end || substr(pair, -1), '') from letters) end, '') from chunks) end
  from (select *, substr(version_order, 1, 3 + cast(substr(version_order, 1, 3) as integer)) as major
    from (select v.*, case when v.published_at is null then 274877906944 + v.created_order
  else cast(strftime('%s', v.published_at) as integer) end as second, (select case when numbers glob '[0-9]*' and numbers not glob '*[^0-9.]*'
      and numbers not glob '*.' and numbers not glob '*..*' and numbers not glob '*.*.*.*'
      and (build is null or build <> '' and build not glob '*[^0-9A-Za-z.-]*'
  and build not glob '.*' and build not glob '*.' and build not glob '*..*')
      and (prerelease is null or numbers glob '*.*' and prerelease <> '' and prerelease not glob '*[^0-9A-Za-z.-]*'
  and prerelease not glob '.*' and prerelease not glob '*.' and prerelease not glob '*..*')
    then printf('%03d%s', length(ltrim(coalesce(json_extract('["' || replace(numbers, '.', '","') \
|| '"]', '$[0]'), ''), '0')), ltrim(coalesce(json_extract('["' || replace(numbers, '.', '","') \
|| '"]', '$[0]'), ''), '0')) || printf('%03d%s', length(ltrim(coalesce(json_extract('["' \
|| replace(numbers, '.', '","') || '"]', '$[1]'), ''), '0')), ltrim(coalesce(json_extract('["' \
|| replace(numbers, '.', '","') || '"]', '$[1]'), ''), '0')) \
|| printf('%03d%s', length(ltrim(coalesce(json_extract('["' || replace(numbers, '.', '","') \
|| '"]', '$[2]'), ''), '0')), ltrim(coalesce(json_extract('["' || replace(numbers, '.', '","') \
|| '"]', '$[2]'), ''), '0')) || case when prerelease is null then '~' else '-' ||
      (select group_concat(case when value glob '*[^0-9]*' then '1' || value
        else '0' || printf('%03d%s', length(ltrim(value, '0')), ltrim(value, '0')) end || '!', '') \
from json_each('["' || replace(prerelease, '.', '","') || '"]')) end end
  from (select case when instr(released, '-') > 0 then substr(released, 1, instr(released, '-') - 1) else released \
end as numbers, case when instr(released, '-') > 0 then substr(released, instr(released, '-') + 1) end as prerelease, build
    from (select case when instr(bare, '+') > 0 then substr(bare, 1, instr(bare, '+') - 1) else bare end as released, \
case when instr(bare, '+') > 0 then substr(bare, instr(bare, '+') + 1) end as build
      from (select case when v.label glob '[vV][0-9]*' \
then substr(v.label, 2) else v.label end as bare)))) as version_order, replace(substr(v.label || char(10) \
|| v.title || char(10) || coalesce(v.description, '') || char(10) || coalesce(
  (select group_concat(text, char(10)) from
    (select text from changes where version_id = v.id order by position)), ''), 1, 100000), 'İ', 'i') as written
      from versions v where v.id = new.id)) every; end`,
    `create trigger versions_facts_on_restate after update of status, published_at, created_order on versions
     when (new.status, new.published_at, new.created_order) is not (old.status, old.published_at, old.created_order)
     begin update version_facts set status = new.status, sort_key = new.sort_key,
    number = case when number between every.second * 16777216 and (every.second + 1) * 16777216 - 1 then number
      else coalesce((select max(number) + 1 from version_facts f
        where f.number between every.second * 16777216 and (every.second + 1) * 16777216 - 1), every.second * 16777216, number) end,
    scope = 'c' || hex(changelog_id) || case new.status when 'published' then ' p' || hex(changelog_id) else '' end
      || coalesce(' m' || major || ' n' || substr(version_order, 1,
        length(major) + 3 + cast(substr(version_order, length(major) + 1, 3) as integer)), '')
  from (select case when new.published_at is null then 274877906944 + new.created_order
  else cast(strftime('%s', new.published_at) as integer) end as second) every
  where version_id = new.id; end`,
  ],
  postgres: [
    `create function refresh_facts_of_versions() returns trigger language plpgsql set search_path from current as $$
declare
  rewritten text[];
  restated text[];
begin
  if current_setting('changelog.bulk', true) = 'on' then return null; end if;
  -- Planned for each statement: a plan for few rows would be slow for many.
  execute 'select array_agg(id) filter (where is_rewritten), array_agg(id) filter (where not is_rewritten)
    from (select n.id,
        (o.changelog_id, o.label, o.title, o.description) is distinct from (n.changelog_id, n.label, n.title, n.description),
        (o.status, o.published_at, o.created_order) is distinct from (n.status, n.published_at, n.created_order)
      from new_rows n left join old_rows o using (id)) every (id, is_rewritten, is_restated)
    where is_rewritten or is_restated' into rewritten, restated;
  if rewritten is not null then perform refresh_facts(rewritten); end if;
  if restated is not null then
    update version_facts f set status = v.status, sort_key = v.sort_key, words = case
        when v.status = f.status then f.words
        when v.status = 'published' then f.words || format('''@p%s''', scope)::tsvector
        else ts_delete(f.words, '@p' || scope) end
      from versions v cross join lateral encode(convert_to(v.changelog_id, 'UTF8'), 'hex') scope
      where v.id = any (restated) and f.version_id = v.id;
  end if;
  return null;
end $$`,
    `drop trigger versions_facts_on_update on versions`,
    `create trigger versions_facts_on_update after update on versions referencing old table as old_rows new table as new_rows
    for each statement execute function refresh_facts_of_versions()`,
  ],
};
