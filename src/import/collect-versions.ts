// Puts the versions of a source together: labels are unique.
import { type ChangeContent, VERSIONS_MAX, type VersionContent } from '../domain/content/content.ts';
import { Refusal } from '../errors.ts';
import type { ImportedVersion } from './changelog.ts';
import { requireValidVersion } from './checks.ts';
import { limitWarnings } from './warnings.ts';

type CollectOptions = Readonly<{
  /** Names the source in messages. */
  name: string;
  /** Merge versions that have the same label, instead of rejecting them. */
  merging: boolean;
}>;

const DUPLICATES_LISTED_MAX = 10;

/** In the order of the source. */
export function collectVersions(
  all: readonly ImportedVersion[],
  { name, merging }: CollectOptions,
): ImportedVersion[] {
  const groups = groupsOf(all);
  if (!merging) requireNoDuplicates(all, groups, name);
  const [beyond] = groups.values().drop(VERSIONS_MAX).next().value ?? [];
  if (beyond !== undefined)
    throw new Refusal(
      `${groups.size.toLocaleString('en')} versions; a changelog may have at most ${VERSIONS_MAX.toLocaleString('en')}.`,
      { at: [name, beyond.line] },
    );
  return [...groups.values()].map(([first, ...others]) => {
    if (others.length === 0) return first;
    // A dated one wins over one without a date.
    const dated = first.content.publishedAt === null ? others.find(isPublished) : undefined;
    const { status, publishedAt } = (dated ?? first).content;
    const content = {
      ...amend(
        first.content,
        others.map((other) => other.content),
      ),
      status,
      publishedAt,
    };
    const amended = { ...first, isDated: (dated ?? first).isDated, content };
    requireValidVersion(amended, name);
    return amended;
  });
}

export function warnOfMerged(all: readonly ImportedVersion[], file: string): string[] {
  return [...groupsOf(all.filter(isUnreleased))]
    .filter(([, sections]) => sections.length > 1)
    .map(
      ([label, sections]) =>
        `${file}:${sections[0].line}: ${sections.length} sections are named ${JSON.stringify(label)}; they were merged into one draft.`,
    );
}

export function warnOfStrays(all: readonly ImportedVersion[], file: string): string[] {
  return limitWarnings(
    all.flatMap(({ stray, line }) => (stray === undefined ? [] : `${file}:${line}: ${stray}`)),
    (more) => `${file}: … and ${more} more such headings.`,
  );
}

function isPublished({ content }: ImportedVersion): boolean {
  return content.status === 'published' && content.publishedAt !== null;
}

type Group = readonly [ImportedVersion, ...ImportedVersion[]];

function groupsOf(all: readonly ImportedVersion[]): Map<string, Group> {
  return Map.groupBy(all, ({ content }) => content.version) as Map<string, never>;
}

/** A release that never happened leaves a section behind. A label with a number is that of a version. */
function isUnreleased({ content: { version: label, status }, isDated }: ImportedVersion): boolean {
  return status === 'draft' && isDated && !/\d/.test(label);
}

/** Sections of what is not released yet are one draft. */
function requireNoDuplicates(
  all: readonly ImportedVersion[],
  groups: ReadonlyMap<string, Group>,
  file: string,
): void {
  const allowed = new Set<ImportedVersion>();
  for (const group of groups.values()) {
    allowed.add(group[0]);
    for (const version of group.filter(isUnreleased).slice(1)) allowed.add(version);
  }
  const duplicates = all.filter((version) => !allowed.has(version));
  if (duplicates.length === 0) return;
  const [first, ...others] = duplicates.slice(0, DUPLICATES_LISTED_MAX).map(({ content, line }, index) => {
    const also = `"${content.version}" (also on line ${groups.get(content.version)?.[0].line})`;
    return index === 0 ? `duplicate version ${also}` : `${also} on line ${line}`;
  });
  const more = duplicates.length - DUPLICATES_LISTED_MAX;
  const list = [first, ...others, ...(more > 0 ? [`… and ${more.toLocaleString('en')} more`] : [])];
  const what = duplicates.length === 1 ? 'rename one of them' : 'rename one of each';
  const at = [file, duplicates[0]?.line ?? 1] as const;
  throw new Refusal(`${list.join(', ')}; ${what} or use --merge-duplicates.`, { at });
}

function amend(content: VersionContent, others: readonly VersionContent[]): VersionContent {
  const changes = [...content.changes];
  const known = new Set(changes.map(keyOf));
  let { title, description, links, yanked } = content;
  for (const next of others) {
    const other = next.title;
    description = joinTexts(
      description,
      title !== '' && other !== title ? other || null : null,
      next.description === description ? null : next.description,
      // A version has one comparison.
      links && next.links && next.links.compare !== links.compare
        ? `[Full changelog](${next.links.compare})`
        : null,
    );
    links ??= next.links;
    title ||= other;
    yanked ||= next.yanked;
    for (const change of next.changes) if (!known.has(keyOf(change))) changes.push(change);
    for (const change of next.changes) known.add(keyOf(change));
  }
  return { ...content, title, description, ...(links && { links }), yanked, changes };
}

function keyOf({ type, text, breaking }: ChangeContent): string {
  return `${type} ${breaking} ${text}`;
}

/** Joins texts with a blank line. A single text is unchanged, even if it is empty. */
export function joinTexts(...texts: readonly (string | null)[]): string | null {
  const some = texts.filter((text) => text !== null);
  // Not `join`, which would copy a long text again for each one that is added to it.
  return some.length === 0 ? null : some.reduce((text, next) => `${text}\n\n${next}`);
}
