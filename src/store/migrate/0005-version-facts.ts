import type { Step } from './step.ts';

/**
 * Columns derived from each version and its changes, for search and sorting (R31 to R33), maintained by triggers, with a
 * full-text index. `version_order` is `versionOrder` of domain/version-order.ts in SQL, so that it is right whichever
 * program writes.
 */
export const VERSION_FACTS: Step = {
  name: '0005_version_facts',
  sqlite: [
    // The full-text index returns rows in the order of their numbers, so the upper bits of a number are the second when
    // its version was published. Versions that were never published come after all others.
    `create table version_facts (
    number integer not null primary key,
    version_id text not null unique,
    changelog_id text not null,
    label text not null,
    status text not null,
    sort_key text not null,
    version_order text,
    major text,
    is_prerelease integer not null,
    scope text not null,
    types text not null,
    body text not null)`,
    `create virtual table version_search using fts5 (
    scope, types, body, content = 'version_facts', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 0 categories ''Lu Ll Lt Lm N*''')`,
    // Some scripts without capitals count as words for the index. They are separated by spaces from letters next to them:
    // a hundred characters at a time, and one by one only where there are any. The Turkish dotted capital I is the one
    // letter that the index does not lower.
    `insert into version_facts (number, version_id, changelog_id, label, status, sort_key, version_order, major, is_prerelease, scope, types, body)
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
      from versions v where true)) every`,
    `insert into version_search (version_search) values ('rebuild')`,
    `create index "version_facts_by_state_in_order" on "version_facts" ("changelog_id", "status", "sort_key" desc, "version_id", "is_prerelease", "version_order")`,
    `create index "version_facts_by_version" on "version_facts" ("changelog_id", "status", "version_order" desc, "sort_key" desc, "version_id", "is_prerelease")`,
    `create index "version_facts_by_major" on "version_facts" ("changelog_id", "status", "major", "sort_key" desc, "version_id", "version_order", "is_prerelease")`,
    `create index "version_facts_by_label" on "version_facts" ("changelog_id", "status", "label", "version_id")`,
    `create index "version_facts_in_order" on "version_facts" ("changelog_id", "sort_key" desc, "version_id", "is_prerelease", "version_order") where changelog_id <> ''`,
    `create trigger versions_facts_on_insert after insert on versions begin delete from version_facts where version_id = new.id;
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
    `create trigger versions_facts_on_update after update of id, changelog_id, label, title, status, published_at, description, created_order, change_count on versions
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
    `create trigger changes_facts_on_update after update of type, text, position on changes begin
     delete from version_facts where version_id = new.version_id; \
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
      from versions v where v.id = new.version_id)) every; end`,
    `create trigger version_facts_go_with_versions after delete on versions
     begin delete from version_facts where version_id = old.id; end`,
    `create trigger version_facts_indexed after insert on version_facts begin
     insert into version_search (rowid, scope, types, body) values (new.number, new.scope, new.types, new.body); end`,
    `create trigger version_facts_not_indexed after delete on version_facts begin
     insert into version_search (version_search, rowid, scope, types, body)
       values ('delete', old.number, old.scope, old.types, old.body); end`,
    `alter table "revision" add column "cursor_key" text default '' not null`,
    `update revision set cursor_key = lower(hex(randomblob(16)))`,
  ],
  postgres: [
    `create table version_facts (
  version_id text collate "C" not null primary key references versions (id) on delete cascade on update cascade,
  changelog_id text collate "C" not null,
  label text collate "C" not null,
  status text collate "C" not null,
  sort_key text collate "C" not null,
  version_order text collate "C",
  major text collate "C",
  is_prerelease integer not null,
  body text collate "C" not null,
  words tsvector not null)`,
    `create index version_facts_words on version_facts using gin (words)`,
    `create function version_order(label text) returns text immutable language plpgsql as $$
declare
  part text[] := regexp_match(label, \
'^[vV]?([0-9]+)(?:\\.([0-9]+)(?:\\.([0-9]+))?(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$');
  numbers text;
begin
  if part is null then return null; end if;
  numbers := lpad(length(ltrim(part[1], '0'))::text, 3, '0') || ltrim(part[1], '0') \
|| lpad(length(ltrim(coalesce(part[2], ''), '0'))::text, 3, '0') || ltrim(coalesce(part[2], ''), '0') \
|| lpad(length(ltrim(coalesce(part[3], ''), '0'))::text, 3, '0') || ltrim(coalesce(part[3], ''), '0');
  if part[4] is null then return numbers || '~'; end if;
  return numbers || '-' || (
    select string_agg(case when identifier ~ '^[0-9]+$' then '0' || lpad(length(ltrim(identifier, '0'))::text, 3, '0') || ltrim(identifier, '0')
      else '1' || identifier end || '!', '' order by place)
    from unnest(string_to_array(part[4], '.')) with ordinality identifiers (identifier, place));
end $$`,
    // Words are runs of digits and of letters that have capitals, with their accents. PostgreSQL has no names for these
    // classes, so they are listed. A server built without ICU knows only the letters of its own language.
    `do $do$
    declare
      letters text := '
        30-39 41-5a 61-7a b2-b3 b5 b9 bc-be c0-d6 d8-f6 f8-1ba 1bc-1bf 1c4-293 296-2c1 2c6-2d1 2e0-2e4 2ec 2ee
        370-374 376-377 37a-37d 37f 386 388-38a 38c 38e-3a1 3a3-3f5 3f7-481 48a-52f 531-556 559 560-588 640
        660-669 6e5-6e6 6f0-6f9 7c0-7c9 7f4-7f5 7fa 81a 824 828 8c9 966-96f 971 9e6-9ef 9f4-9f9 a66-a6f ae6-aef
        b66-b6f b72-b77 be6-bf2 c66-c6f c78-c7e ce6-cef d58-d5e d66-d78 de6-def e46 e50-e59 ec6 ed0-ed9 f20-f33
        1040-1049 1090-1099 1369-137c 16ee-16f0 17d7 17e0-17e9 17f0-17f9 1810-1819 1843 1946-194f 19d0-19da
        1a80-1a89 1a90-1a99 1aa7 1b50-1b59 1bb0-1bb9 1c40-1c49 1c50-1c59 1c78-1c7d 1c80-1c8a 1d00-1dbf 1e00-1f15
        1f18-1f1d 1f20-1f45 1f48-1f4d 1f50-1f57 1f59 1f5b 1f5d 1f5f-1f7d 1f80-1fb4 1fb6-1fbc 1fbe 1fc2-1fc4
        1fc6-1fcc 1fd0-1fd3 1fd6-1fdb 1fe0-1fec 1ff2-1ff4 1ff6-1ffc 2070-2071 2074-2079 207f-2089 2090-209c 2102
        2107 210a-2113 2115 2119-211d 2124 2126 2128 212a-212d 212f-2134 2139 213c-213f 2145-2149 214e 2150-2189
        2460-249b 24ea-24ff 2776-2793 2c00-2ce4 2ceb-2cee 2cf2-2cf3 2cfd 2d00-2d25 2d27 2d2d 2d6f 2e2f 3007
        3021-3029 3038-303a 3192-3195 3220-3229 3248-324f 3251-325f 3280-3289 32b1-32bf a015 a4f8-a4fd a60c
        a620-a629 a640-a66d a67f-a69d a6e6-a6ef a717-a71f a722-a788 a78b-a78e a790-a7dc a7f1-a7f6 a7f8-a7fa
        a830-a835 a8d0-a8d9 a900-a909 a9cf-a9d9 a9e6 a9f0-a9f9 aa50-aa59 aa70 aadd aaf3-aaf4 ab30-ab5a ab5c-ab69
        ab70-abbf abf0-abf9 fb00-fb06 fb13-fb17 ff10-ff19 ff21-ff3a ff41-ff5a 10107-10133 10140-10178
        1018a-1018b 102e1-102fb 10320-10323 10341 1034a 103d1-103d5 10400-1044f 104a0-104a9 104b0-104d3
        104d8-104fb 10570-1057a 1057c-1058a 1058c-10592 10594-10595 10597-105a1 105a3-105b1 105b3-105b9
        105bb-105bc 10780-10785 10787-107b0 107b2-107ba 10858-1085f 10879-1087f 108a7-108af 108fb-108ff
        10916-1091b 109bc-109bd 109c0-109cf 109d2-109ff 10a40-10a48 10a7d-10a7e 10a9d-10a9f 10aeb-10aef
        10b58-10b5f 10b78-10b7f 10ba9-10baf 10c80-10cb2 10cc0-10cf2 10cfa-10cff 10d30-10d39 10d40-10d49 10d4e
        10d50-10d65 10d6f-10d85 10e60-10e7e 10ec5 10f1d-10f26 10f51-10f54 10fc5-10fcb 11052-1106f 110f0-110f9
        11136-1113f 111d0-111d9 111e1-111f4 112f0-112f9 11450-11459 114d0-114d9 11650-11659 116c0-116c9
        116d0-116e3 11730-1173b 118a0-118f2 11950-11959 11bf0-11bf9 11c50-11c6c 11d50-11d59 11da0-11da9 11dd9
        11de0-11de9 11f50-11f59 11fc0-11fd4 12400-1246e 16130-16139 16a60-16a69 16ac0-16ac9 16b40-16b43
        16b50-16b59 16b5b-16b61 16d40-16d42 16d6b-16d6c 16d70-16d79 16e40-16e96 16ea0-16eb8 16ebb-16ed3
        16f93-16f9f 16fe0-16fe1 16fe3 16ff2-16ff6 1aff0-1aff3 1aff5-1affb 1affd-1affe 1ccf0-1ccf9 1d2c0-1d2d3
        1d2e0-1d2f3 1d360-1d378 1d400-1d454 1d456-1d49c 1d49e-1d49f 1d4a2 1d4a5-1d4a6 1d4a9-1d4ac 1d4ae-1d4b9
        1d4bb 1d4bd-1d4c3 1d4c5-1d505 1d507-1d50a 1d50d-1d514 1d516-1d51c 1d51e-1d539 1d53b-1d53e 1d540-1d544
        1d546 1d54a-1d550 1d552-1d6a5 1d6a8-1d6c0 1d6c2-1d6da 1d6dc-1d6fa 1d6fc-1d714 1d716-1d734 1d736-1d74e
        1d750-1d76e 1d770-1d788 1d78a-1d7a8 1d7aa-1d7c2 1d7c4-1d7cb 1d7ce-1d7ff 1df00-1df09 1df0b-1df1e
        1df25-1df2a 1e030-1e06d 1e137-1e13d 1e140-1e149 1e2f0-1e2f9 1e4eb 1e4f0-1e4f9 1e5f1-1e5fa 1e6ff
        1e8c7-1e8cf 1e900-1e943 1e94b 1e950-1e959 1ec71-1ecab 1ecad-1ecaf 1ecb1-1ecb4 1ed01-1ed2d 1ed2f-1ed3d
        1f100-1f10c 1fbf0-1fbf9';
    begin
      execute replace(replace($create$create function words_of(body text) returns text immutable language sql as $$
  select coalesce(string_agg('''' || left(word[1], 500) || ''':' || least(place, 16383), ' '), '')
  from regexp_matches(replace(replace(lower(body collate "{collation}"), U&'i\\0307', 'i'), 'ς', 'σ'), '(?:[{letters}][\\u0300-\\u036f]*)+|[\\u3400-\\u9fff\\uac00-\\ud7a3\\u3005\\u3031-\\u3035\\u303b\\u309d-\\u309e\\u30fc-\\u30fe\\uff70\\uff9e-\\uff9f]+', 'g') with ordinality found (word, place) $$ $create$,
        '{letters}', (select string_agg('\\U' || lpad(range[1], 8, '0')
          || '-\\U' || lpad(coalesce(nullif(range[2], ''), range[1]), 8, '0'), '' order by place)
        from regexp_matches(letters, '([0-9a-f]+)-?([0-9a-f]*)', 'g') with ordinality ranges (range, place))),
        '{collation}', coalesce((select min(collname) from pg_collation where collname = 'und-x-icu'), 'default'));
    end $do$`,
    `create function refresh_facts(version_ids text[]) returns void language sql
set search_path from current as $$
  -- Without \`offset\`, what is worked out once would be worked out wherever it stands.
  insert into version_facts (version_id, changelog_id, label, status, sort_key, version_order, major, is_prerelease, body, words)
    select id, changelog_id, label, status, sort_key, version_order, major,
      case when version_order like '%~' or version_order is null then 0 else 1 end, body,
      (words_of(body) || ' ''@c' || scope || '''' || case status when 'published' then ' ''@p' || scope || '''' else '' end
        || coalesce(' ''@m' || major || ''' ''@n' || left(version_order,
          length(major) + 3 + cast(substr(version_order, length(major) + 1, 3) as integer)) || '''', '')
        || coalesce((select string_agg(distinct ' ''#' || type || '''', '') from changes where version_id = every.id), '')
      )::tsvector
    from (select *, left(version_order, 3 + cast(left(version_order, 3) as integer)) as major
      from (select v.*, version_order(v.label) as version_order, encode(convert_to(v.changelog_id, 'UTF8'), 'hex') as scope,
        left(v.label || chr(10) || v.title || chr(10) || coalesce(v.description, '') || chr(10) || coalesce(
          (select string_agg(text, chr(10) order by position) from changes where version_id = v.id), ''),
          100000) as body
      from versions v where version_ids is null or v.id = any (version_ids) offset 0) ordered offset 0) every
  on conflict (version_id) do update set changelog_id = excluded.changelog_id, label = excluded.label,
    status = excluded.status, sort_key = excluded.sort_key, version_order = excluded.version_order, major = excluded.major,
    is_prerelease = excluded.is_prerelease, body = excluded.body, words = excluded.words $$`,
    `create function refresh_facts_of_rows() returns trigger language plpgsql
set search_path from current as $$
declare
  stale text[];
begin
  if current_setting('changelog.bulk', true) = 'on' then return null; end if;
  execute format('select array_agg(distinct id) from (%s) every (id)', tg_argv[0]) into stale;
  if stale is not null then perform refresh_facts(stale); end if;
  return null;
end $$`,
    `create function search_versions(query tsquery) returns setof version_facts stable language sql
set search_path from current set enable_bitmapscan = on set enable_indexscan = off as $$
  select * from version_facts where words @@ query $$`,
    `select refresh_facts(null)`,
    `create index version_facts_by_state_in_order on version_facts
      (changelog_id, status, sort_key desc, version_id, is_prerelease, version_order)`,
    `create index version_facts_by_version on version_facts
      (changelog_id, status, version_order desc, sort_key desc, version_id, is_prerelease)`,
    `create index version_facts_by_major on version_facts
      (changelog_id, status, major, sort_key desc, version_id, version_order, is_prerelease)`,
    `create index version_facts_by_label on version_facts
      (changelog_id, status, label, version_id)`,
    `create index version_facts_in_order on version_facts
      (changelog_id, sort_key desc, version_id, is_prerelease, version_order) where changelog_id <> ''`,
    `create trigger versions_facts_on_insert after insert on versions referencing new table as new_rows
    for each statement execute function refresh_facts_of_rows('select id from new_rows')`,
    `create trigger versions_facts_on_update after update on versions referencing old table as old_rows new table as new_rows
    for each statement execute function refresh_facts_of_rows('select id from new_rows')`,
    `create trigger changes_facts_on_insert after insert on changes referencing new table as new_rows
    for each statement execute function refresh_facts_of_rows('select version_id from new_rows')`,
    `create trigger changes_facts_on_delete after delete on changes referencing old table as old_rows
    for each statement execute function refresh_facts_of_rows('select version_id from old_rows')`,
    `create trigger changes_facts_on_update after update on changes referencing old table as old_rows new table as new_rows
    for each statement execute function refresh_facts_of_rows('select version_id from old_rows union select version_id from new_rows')`,
    `create trigger changes_facts_on_truncate after truncate on changes
    for each statement execute function refresh_facts_of_rows('select id from versions')`,
    `alter table revision add column cursor_key text collate "C" default '' not null`,
    `update revision set cursor_key =
      left(encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex'), 32)`,
  ],
};
