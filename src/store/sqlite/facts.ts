// What versions are found by besides their id, on SQLite: a table that triggers keep, and a full-text index over it.
import { BODY_CHARACTERS_MAX } from '../write/facts.ts';

/** Versions of the same second take numbers next to each other, so many bits of them at most. */
export const SECOND_BITS = 24;
const NUMBERS_A_SECOND = 2 ** SECOND_BITS;
/** Greater than every second that there is: versions that never were published come after all others. */
export const NEVER_SECONDS = 2 ** 38;

/**
 * The index answers in the order of its rows' numbers, and no other without having read everything. So a version's
 * number says when it was published, to the second.
 */
const SECOND = `case when v.published_at is null then ${NEVER_SECONDS} + v.created_order
  else cast(strftime('%s', v.published_at) as integer) end`;

/**
 * Scripts without capitals are not words of the index, which would take what stands between two spaces for one. Neither
 * are their marks; accents belong to their letters in any case.
 */
const TOKENS = "unicode61 remove_diacritics 0 categories ''Lu Ll Lt Lm N*''";

const TABLES = [
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
    scope, types, body, content = 'version_facts', content_rowid = 'number', tokenize = '${TOKENS}')`,
];

const isDotted = (text: string) => `${text} <> '' and ${text} not glob '*[^0-9A-Za-z.-]*'
  and ${text} not glob '.*' and ${text} not glob '*.' and ${text} not glob '*..*'`;
const splitAtDots = (text: string) => `'["' || replace(${text}, '.', '","') || '"]'`;
const numberOrder = (digits: string) =>
  `printf('%03d%s', length(ltrim(${digits}, '0')), ltrim(${digits}, '0'))`;
const numberAt = (place: number) =>
  numberOrder(`coalesce(json_extract(${splitAtDots('numbers')}, '$[${place}]'), '')`);
const before = (sign: string, text: string) =>
  `case when instr(${text}, '${sign}') > 0 then substr(${text}, 1, instr(${text}, '${sign}') - 1) else ${text} end`;
const after = (sign: string, text: string) =>
  `case when instr(${text}, '${sign}') > 0 then substr(${text}, instr(${text}, '${sign}') + 1) end`;

/** `versionOrder` of domain/version-order.ts in the words of SQLite, so that it holds for whoever writes. */
const VERSION_ORDER = `(select case when numbers glob '[0-9]*' and numbers not glob '*[^0-9.]*'
      and numbers not glob '*.' and numbers not glob '*..*' and numbers not glob '*.*.*.*'
      and (build is null or ${isDotted('build')})
      and (prerelease is null or numbers glob '*.*' and ${isDotted('prerelease')})
    then ${numberAt(0)} || ${numberAt(1)} || ${numberAt(2)} || case when prerelease is null then '~' else '-' ||
      (select group_concat(case when value glob '*[^0-9]*' then '1' || value
        else '0' || ${numberOrder('value')} end || '!', '') from json_each(${splitAtDots('prerelease')})) end end
  from (select ${before('-', 'released')} as numbers, ${after('-', 'released')} as prerelease, build
    from (select ${before('+', 'bare')} as released, ${after('+', 'bare')} as build
      from (select case when v.label glob '[vV][0-9]*' then substr(v.label, 2) else v.label end as bare))))`;

/** Scripts without capitals that are words for the index nevertheless, and so would be part of what touches them. */
const SET_APART = '[㐀-鿿가-힣𐀀-􏿿々〱-〵〻ゝ-ゞー-ヾｰﾞ-ﾟ]';
/** What words are made of that could touch them: letters with capitals, digits, and what stands between them. */
const SPACED = '[\u0001-\u058fḀ-῿⁰-ↈ①-⓿❶-➓Ⰰ-ⴥꙀ-ꟿꬰ-ꭥ０-ｚ]';
const LETTERS_AT_ONCE = 100;

/** They are set apart with spaces: some letters at a time, and one by one where it is not clear that there are none. */
const setApart = (text: string) => `case when ${text} not glob '*${SET_APART}*' then ${text} else (
  with recursive chunks (chunk, before, rest) as (
    select substr(${text}, 1, ${LETTERS_AT_ONCE}), '', substr(${text}, ${LETTERS_AT_ONCE + 1}) union all
    select substr(rest, 1, ${LETTERS_AT_ONCE}), substr(chunk, -1), substr(rest, ${LETTERS_AT_ONCE + 1})
      from chunks where rest <> '')
  select group_concat(case when before || chunk not glob '*${SET_APART}*' then chunk else (
    with recursive letters (place, pair) as (select 1, before || substr(chunk, 1, 1) union all
      select place + 1, substr(chunk, place, 2) from letters where place < length(chunk))
    select group_concat(case when pair glob '${SET_APART}${SPACED}' or pair glob '${SPACED}${SET_APART}' then ' '
      else '' end || substr(pair, -1), '') from letters) end, '') from chunks) end`;

/** The dotted capital of Turkish is the one that the index does not know in lower case. */
const TEXT = `replace(substr(v.label || char(10) || v.title || char(10) || coalesce(v.description, '') || char(10) || coalesce(
  (select group_concat(text, char(10)) from
    (select text from changes where version_id = v.id order by position)), ''), 1, ${BODY_CHARACTERS_MAX}), 'İ', 'i')`;

const COLUMNS =
  'number, version_id, changelog_id, label, status, sort_key, version_order, major, is_prerelease, scope, types, body';

/** Writes what is known of the versions that `where` selects; nothing may be there of them yet. */
const writeFacts = (where: string) => `insert into version_facts (${COLUMNS})
  select coalesce((select max(number) + 1 from version_facts f
        where f.number between second * ${NUMBERS_A_SECOND} and (second + 1) * ${NUMBERS_A_SECOND} - 1),
      second * ${NUMBERS_A_SECOND}) + row_number() over (partition by second order by id) - 1,
    id, changelog_id, label, status, sort_key, version_order, major,
    coalesce(substr(version_order, -1) <> '~', 0),
    'c' || hex(changelog_id) || case status when 'published' then ' p' || hex(changelog_id) else '' end
      || coalesce(' m' || major || ' n' || substr(version_order, 1,
        length(major) + 3 + cast(substr(version_order, length(major) + 1, 3) as integer)), ''),
    coalesce((select group_concat(distinct type) from changes where version_id = every.id), ''),
    ${setApart('written')}
  from (select *, substr(version_order, 1, 3 + cast(substr(version_order, 1, 3) as integer)) as major
    from (select v.*, ${SECOND} as second, ${VERSION_ORDER} as version_order, ${TEXT} as written
      from versions v where ${where})) every`;

const forgetFacts = (where: string) => `delete from version_facts where ${where}`;

const FACTS =
  'id, changelog_id, label, title, status, published_at, description, created_order, change_count';

/** Another version that has the label still has been replaced, and went without a word. */
const REFRESH_NEW = `${forgetFacts('version_id = new.id')};
  ${forgetFacts(`changelog_id = new.changelog_id and status in ('draft', 'published') and label = new.label`)};
  ${writeFacts('v.id = new.id')};`;

/** A change that comes, goes or moves is counted, and so changes the version that it belongs to. */
const TRIGGERS = [
  `create trigger versions_facts_on_insert after insert on versions begin ${REFRESH_NEW} end`,
  `create trigger versions_facts_on_update after update of ${FACTS} on versions
     begin ${forgetFacts('version_id = old.id')}; ${REFRESH_NEW} end`,
  `create trigger changes_facts_on_update after update of type, text, position on changes begin
     ${forgetFacts('version_id = new.version_id')}; ${writeFacts('v.id = new.version_id')}; end`,
  `create trigger version_facts_go_with_versions after delete on versions
     begin ${forgetFacts('version_id = old.id')}; end`,
  `create trigger version_facts_indexed after insert on version_facts begin
     insert into version_search (rowid, scope, types, body) values (new.number, new.scope, new.types, new.body); end`,
  `create trigger version_facts_not_indexed after delete on version_facts begin
     insert into version_search (version_search, rowid, scope, types, body)
       values ('delete', old.number, old.scope, old.types, old.body); end`,
];

export const SQLITE_FACTS_TABLES: readonly string[] = TABLES;
export const SQLITE_FACTS_TRIGGERS: readonly string[] = TRIGGERS;
/** Everything anew, where the triggers are away; the indexes over words are not. */
export const SQLITE_FACTS_ANEW: readonly string[] = [forgetFacts('true'), writeFacts('true')];
/** The same with the index over words that there was before step 0007. */
export const SQLITE_FACTS_OF_ALL: readonly string[] = [
  ...SQLITE_FACTS_ANEW,
  `insert into version_search (version_search) values ('rebuild')`,
];
/** The same for versions whose ids stand in a JSON array, the only parameter of each. */
export const SQLITE_FACTS_OF_SOME: readonly string[] = [
  forgetFacts('version_id in (select value from json_each(?))'),
  writeFacts('v.id in (select value from json_each(?))'),
];
