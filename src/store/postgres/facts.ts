// What versions are found by besides their id, on PostgreSQL: a table that triggers keep, with an index over its words.
import { ACCENTS, JAPANESE_MARKS, SPACED_LETTER } from '../../domain/feed-query.ts';
import { VERSION_PATTERN } from '../../domain/version-order.ts';
import { BODY_CHARACTERS_MAX } from '../write/facts.ts';
import { IS_IN_BULK } from './bulk.ts';

/** A word of a text index has so many bytes at most, and each of these characters four. */
const WORD_CHARACTERS_MAX = 500;
/** Positions end here; words further back are found, but not as neighbours. */
const POSITION_MAX = 16_383;
/** Beyond it there are none but ideographs. */
const CODE_POINT_MAX = 0x1ffff;

const TABLE = `create table version_facts (
  version_id text collate "C" not null primary key references versions (id) on delete cascade on update cascade,
  changelog_id text collate "C" not null,
  label text collate "C" not null,
  status text collate "C" not null,
  sort_key text collate "C" not null,
  version_order text collate "C",
  major text collate "C",
  is_prerelease integer not null,
  body text collate "C" not null,
  words tsvector not null)`;

/** Digits in front of which stands how many they are, zeros aside. */
const numberOrder = (digits: string) =>
  `lpad(length(ltrim(${digits}, '0'))::text, 3, '0') || ltrim(${digits}, '0')`;

/** `versionOrder` of domain/version-order.ts in the words of PostgreSQL, so that it holds for whoever writes. */
const VERSION_ORDER = `create function version_order(label text) returns text immutable language plpgsql as $$
declare
  part text[] := regexp_match(label, '${VERSION_PATTERN}');
  numbers text;
begin
  if part is null then return null; end if;
  numbers := ${numberOrder('part[1]')} || ${numberOrder(`coalesce(part[2], '')`)} || ${numberOrder(`coalesce(part[3], '')`)};
  if part[4] is null then return numbers || '~'; end if;
  return numbers || '-' || (
    select string_agg(case when identifier ~ '^[0-9]+$' then '0' || ${numberOrder('identifier')}
      else '1' || identifier end || '!', '' order by place)
    from unnest(string_to_array(part[4], '.')) with ordinality identifiers (identifier, place));
end $$`;

/**
 * The same words as on SQLite and in domain/feed-query.ts: runs of letters that have capitals, with their accents, and of digits.
 * The server has no names for these classes of characters, so they are written out.
 */
const writeWords = (
  lowerCase: string,
) => `create function words_of(body text) returns text immutable language sql as $$
  select coalesce(string_agg('''' || left(word[1], ${WORD_CHARACTERS_MAX}) || ''':' || least(place, ${POSITION_MAX}), ' '), '')
  from regexp_matches(replace(replace(${lowerCase}, U&'i\\0307', 'i'), 'ς', 'σ'), '(?:[${spacedLetters()}][${ACCENTS}]*)+|[${SET_APART}]+', 'g') with ordinality found (word, place) $$`;

/** Of the scripts without capitals, those that are words for SQLite. */
const SET_APART = `\\u3400-\\u9fff\\uac00-\\ud7a3${JAPANESE_MARKS}`;

function spacedLetters(): string {
  const isSpaced = new RegExp(`^${SPACED_LETTER}$`, 'u');
  const written = (code: number) => `\\U${code.toString(16).padStart(8, '0')}`;
  let ranges = '';
  for (let code = 0, first = -1; code <= CODE_POINT_MAX + 1; code++) {
    const isIn = code <= CODE_POINT_MAX && isSpaced.test(String.fromCodePoint(code));
    if (isIn && first === -1) first = code;
    if (isIn || first === -1) continue;
    ranges += `${written(first)}-${written(code - 1)}`;
    first = -1;
  }
  return ranges;
}

/**
 * Markers begin with what no word holds: `c` for every version of a changelog, `p` for what is published of it, `m` for
 * those of a major version, `n` for those of a minor one.
 */
const REFRESH = `create function refresh_facts(version_ids text[]) returns void language sql
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
          ${BODY_CHARACTERS_MAX}) as body
      from versions v where version_ids is null or v.id = any (version_ids) offset 0) ordered offset 0) every
  on conflict (version_id) do update set changelog_id = excluded.changelog_id, label = excluded.label,
    status = excluded.status, sort_key = excluded.sort_key, version_order = excluded.version_order, major = excluded.major,
    is_prerelease = excluded.is_prerelease, body = excluded.body, words = excluded.words $$`;

/** Its argument selects the versions that something has happened to. */
const REFRESH_ROWS = `create function refresh_facts_of_rows() returns trigger language plpgsql
set search_path from current as $$
declare
  stale text[];
begin
  if ${IS_IN_BULK} then return null; end if;
  execute format('select array_agg(distinct id) from (%s) every (id)', tg_argv[0]) into stale;
  if stale is not null then perform refresh_facts(stale); end if;
  return null;
end $$`;

/** Through the index over words, which the plans of all other reads keep away from. */
const SEARCH = `create function search_versions(query tsquery) returns setof version_facts stable language sql
set search_path from current set enable_bitmapscan = on set enable_indexscan = off as $$
  select * from version_facts where words @@ query $$`;

export const postgresFactsTables = (hasUnicode: boolean): readonly string[] => [
  TABLE,
  'create index version_facts_words on version_facts using gin (words)',
  VERSION_ORDER,
  writeWords(hasUnicode ? 'lower(body collate "und-x-icu")' : 'lower(body collate "default")'),
  REFRESH,
  REFRESH_ROWS,
  SEARCH,
];

export const POSTGRES_FACTS_TRIGGERS: readonly string[] = [
  trigger('versions', 'insert', 'select id from new_rows'),
  trigger('versions', 'update', 'select id from new_rows'),
  trigger('changes', 'insert', 'select version_id from new_rows'),
  trigger('changes', 'delete', 'select version_id from old_rows'),
  trigger('changes', 'update', 'select version_id from old_rows union select version_id from new_rows'),
  trigger('changes', 'truncate', 'select id from versions'),
];

function trigger(table: string, event: string, stale: string): string {
  const rows = {
    insert: 'referencing new table as new_rows',
    delete: 'referencing old table as old_rows',
    update: 'referencing old table as old_rows new table as new_rows',
  }[event];
  return `create trigger ${table}_facts_on_${event} after ${event} on ${table} ${rows ?? ''}
    for each statement execute function refresh_facts_of_rows('${stale}')`;
}

/** Everything anew, where the triggers are away. */
export const POSTGRES_FACTS_OF_ALL: readonly string[] = ['select refresh_facts(null)'];
/** The same for versions whose ids stand in a JSON array, the only parameter. */
export const POSTGRES_FACTS_OF_SOME: readonly string[] = [
  'select refresh_facts(array(select json_array_elements_text(cast(? as json))))',
];
