// What versions are found by besides their id, on SQLite. The triggers that keep it run the same SQL: what changes here
// needs a schema step.
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
export const writeFacts = (where: string) => `insert into version_facts (${COLUMNS})
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

export const SQLITE_REFRESH_FACTS: readonly string[] = [
  'delete from version_facts where version_id in (select value from json_each(?))',
  writeFacts('v.id in (select value from json_each(?))'),
];
