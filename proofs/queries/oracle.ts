// Computes the expected result of a query by scanning all versions. Shares no code with the service.
import semver from 'semver';
import type { Changelog, Version } from './content.ts';

export type FeedQuery = Readonly<{
  limit?: number;
  since?: string;
  until?: string;
  from?: string;
  to?: string;
  type?: readonly string[];
  breaking?: boolean;
  prerelease?: boolean;
  q?: string;
  include?: 'changes';
}>;

/** In the order of R12; `changelog` lists the newest draft first. */
export function expectedVersions(
  changelog: Changelog,
  surface: 'public' | 'team',
  query: FeedQuery,
): Version[] {
  const visible = changelog.filter(({ status }) => surface === 'team' || status === 'published');
  const drafts = visible.filter(({ publishedAt }) => publishedAt === null);
  const dated = visible
    .filter(({ publishedAt }) => publishedAt !== null)
    .sort((a, b) => compare(String(b.publishedAt), String(a.publishedAt)) || compare(a.id, b.id));
  return [...drafts, ...dated].filter((version) => passes(version, query));
}

function passes(
  version: Version,
  { since, until, from, to, type, breaking, prerelease, q }: FeedQuery,
): boolean {
  const at = version.publishedAt === null ? Number.NaN : Date.parse(version.publishedAt);
  if (since !== undefined && !(at >= Date.parse(since))) return false;
  if (until !== undefined && !(at <= Date.parse(until.length === 10 ? `${until}T23:59:59.999Z` : until)))
    return false;
  const semantic = sortableVersion(version.version);
  if (
    from !== undefined &&
    !(semantic !== null && semver.compare(semantic, String(sortableVersion(from))) > 0)
  )
    return false;
  if (to !== undefined && !(semantic !== null && semver.compare(semantic, String(sortableVersion(to))) <= 0))
    return false;
  const matches = (change: Version['changes'][number]) =>
    (type === undefined || type.includes(change.type)) && (breaking !== true || change.breaking);
  if ((type !== undefined || breaking === true) && !version.changes.some(matches)) return false;
  if (prerelease === false && semantic !== null && semver.prerelease(semantic) !== null) return false;
  return q === undefined || hasWords(textsOf(version), q);
}

/** The full semantic version of a label. */
function sortableVersion(label: string): string | null {
  const bare = label.replace(/^v/, '');
  const filled = /^\d+\.\d+$/.test(bare) ? `${bare}.0` : bare;
  return semver.valid(filled);
}

/** The version that `latest` returns: a yanked one only if all are. */
export function expectedLatest(changelog: Changelog): Version | null {
  const all = expectedVersions(changelog, 'public', {});
  const published = all.every(({ yanked }) => yanked) ? all : all.filter(({ yanked }) => !yanked);
  const stable = published
    .filter(
      ({ version }) =>
        sortableVersion(version) !== null && semver.prerelease(String(sortableVersion(version))) === null,
    )
    .sort((a, b) => semver.compare(String(sortableVersion(b.version)), String(sortableVersion(a.version))));
  return stable[0] ?? published[0] ?? null;
}

/** What a version says itself is one text, and each change another. */
function textsOf({ version, title, description, changes }: Version): string[] {
  return [[version, title, description ?? ''].join('\n'), ...changes.map(({ text }) => text)];
}

const CASED = /(?:[\p{Lu}\p{Ll}\p{Lt}\p{Lm}\p{N}][\u0300-\u036f]*)+/gu;
const CASELESS = /(?:[\p{Lo}\p{Script=Georgian}ー]\p{M}*)+/gu;

/** Every chunk must match: words of cased scripts in sequence in one text, the last by its beginning, other text anywhere. */
function hasWords(texts: readonly string[], q: string): boolean {
  const bodies = texts.map((text) => ` ${wordsOf(text).join(' ')} `);
  const chunks = q.split(/\s+/).filter((chunk) => /[\p{L}\p{N}]/u.test(chunk));
  return (
    chunks.length > 0 &&
    chunks.every(
      (chunk) =>
        (chunk.match(CASELESS) ?? []).every((part) => texts.some((text) => text.includes(part))) &&
        chunk
          .split(CASELESS)
          .map(wordsOf)
          .every(
            (words) => words.length === 0 || bodies.some((body) => body.includes(` ${words.join(' ')}`)),
          ),
    )
  );
}

/** Combining marks after a caseless letter belong to it. */
function wordsOf(text: string): string[] {
  return (text.replaceAll(CASELESS, ' ').match(CASED) ?? []).map((word) =>
    word.toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i'),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
