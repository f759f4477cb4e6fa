// The results of the tools, as short Markdown. Pure functions of the records of the API.
import type {
  Change,
  Feed,
  FullTeamFeed,
  LatestVersion,
  ListedProduct,
  ProductList,
  Range,
  RangeChange,
  Update,
  Version,
  VersionSummary,
} from '../../client/index.js';
import { sectionsOf } from '../domain/content/sections.ts';
import { isPrerelease, versionOrder } from '../domain/version-order.ts';
import { code, isCut, item, oneLine, quote, TEXT_CHARACTERS_MAX } from './untrusted.ts';

/** About 6,000 tokens. */
export const RESULT_CHARACTERS_MAX = 24_000;
const URL_CHARACTERS_MAX = 2_000;

type Next = { cursor?: string | undefined } | null;
type FullFeedPage = Pick<Feed, 'team' | 'product'> & { versions: readonly Version[]; next: Next };

export function writeVersions(feed: FullFeedPage): string {
  return writeVersionList(nameOf(feed), feed, () => '');
}

export function writeTeamVersions(feed: Pick<FullTeamFeed, 'team' | 'versions' | 'next'>): string {
  return writeVersionList(teamNameOf(feed), feed, ({ product }) => `${code(product.slug)} `);
}

function writeVersionList(
  name: string,
  { versions, next }: Pick<FullFeedPage, 'versions' | 'next'>,
  placeOf: (version: Version) => string,
): string {
  if (versions.length === 0) return `${name} has no version that matches.`;
  return listOf(
    `Versions of ${name}, newest first`,
    versions.map(
      (version) => `${placeOf(version)}${code(version.version)} ${factsOf(version)}${titleOf(version)}`,
    ),
    next,
  );
}

export function writeProducts(list: Pick<ProductList, 'team' | 'products' | 'next'>): string {
  const { products, next } = list;
  if (products.length === 0) return `${teamNameOf(list)} has no product with a changelog.`;
  return listOf(`Products of ${teamNameOf(list)}`, products.map(productLine), next);
}

function productLine({ slug, name, url, latest }: ListedProduct): string {
  const newest = latest === null ? 'no versions' : `newest ${code(latest.version)} ${stateOf(latest)}`;
  const page = url === undefined ? '' : `, ${oneLine(url, URL_CHARACTERS_MAX)}`;
  return `${code(slug)} ${newest}${page}: ${oneLine(name)}`;
}

function listOf(heading: string, items: readonly string[], next: Next): string {
  return [
    `# ${heading}`,
    '',
    ...items.map((each) => `- ${each}`),
    ...(next ? ['', `There are more. For the next ones, call again with cursor ${next.cursor}`] : []),
  ].join('\n');
}

type Part = Readonly<{
  /** The number of changes to leave out, because an earlier call returned them. */
  offset: number;
  /** Where to find texts that are too long. */
  url: string;
}>;

export function writeVersion(version: Version, part: Part): string {
  const { description, changes } = version;
  const head = [
    `# ${oneLine(version.product.name)} ${code(version.version)}${titleOf(version)}`,
    '',
    `${pathOf(version)}, ${factsOf(version)}`,
    ...(description && part.offset === 0 ? ['', quote(description)] : []),
  ];
  const texts = [description ?? '', ...changes.map(({ text }) => text)];
  return withChanges(
    head,
    entriesOf(changes, () => ''),
    texts,
    part,
  );
}

type RangeView = Readonly<{
  breakingOnly: boolean;
  /** Null: of all types. */
  type: string | null;
  /** The version at the end, if it was looked up. */
  latest: Version | null;
}>;

/** Many changelogs have no mark for them at all. */
const NONE_MARKED =
  'Not all authors mark them. To see what else may break, call again without breakingOnly, with type removed, changed or other.';

export function writeRange(range: Range, { breakingOnly, type, latest }: RangeView, part: Part): string {
  const all = range.groups.flatMap((group) => group.changes);
  const changes = breakingOnly ? all.filter(({ breaking }) => breaking) : all;
  const told = breakingOnly ? [] : range.versions.filter(({ description }) => description);
  const last =
    latest === null
      ? ''
      : ` (${['the latest', ...marksOf(latest)].join(', ')}${latest.yanked ? ': do not use it' : ''})`;
  const head = [
    `# ${nameOf(range)}: changes after ${code(range.from ?? '')}, up to and including ${code(range.to ?? '')}${last}`,
    '',
    all.length + told.length === 0
      ? noChangesIn(range, type)
      : `${count(all.length, 'change')} in ${count(range.versions.length, 'version')}, ${breakingOf(all) || 'none marked as breaking'}`,
    ...(breakingOnly && all.length > 0 && changes.length === 0 ? ['', NONE_MARKED] : []),
  ];
  const entries = entriesOf(
    changes,
    ({ version }: RangeChange) => code(version) + (isPrerelease(version) ? ' (prerelease)' : ''),
  );
  const descriptions = told.map((version) => ({
    heading: 'Descriptions of versions',
    text: item(`${code(version.version)}${version.yanked ? ' (yanked)' : ''}:`, version.description ?? ''),
  }));
  const texts = [...changes.map(({ text }) => text), ...told.map(({ description }) => description ?? '')];
  return withChanges(head, [...entries, ...descriptions], texts, part);
}

function noChangesIn({ from, to }: Range, type: string | null): string {
  const [first, last] = [from, to].map((label) => versionOrder(label ?? ''));
  if (!first || !last || first <= last) return `No changes${type === null ? '' : ` of type ${type}`}.`;
  return `No changes: ${code(from ?? '')} is after ${code(to ?? '')}. For those of a downgrade, swap from and to.`;
}

export function writeUpdate(update: Update): string {
  const { from, latest, updateAvailable, versionCount, changeCount, security, breaking, url } = update;
  const installed = code(from?.version ?? '');
  const found = latest && `${code(latest.version)} (${stateOf(latest)})${titleOf(latest)}`;
  return [
    updateAvailable ? `# An update of ${installed} is available: ${found}` : `# No update of ${installed}`,
    '',
    updateAvailable
      ? `${count(changeCount, 'change')} in ${count(versionCount, 'version')}, ${security ? 'some' : 'none'} of type security, ${breaking ? 'some' : 'none'} marked as breaking`
      : `The latest version: ${found ?? 'none is published'}`,
    ...(from?.yanked ? ['', `${installed} was yanked: do not use it.`] : []),
    ...(latest?.yanked ? ['', `All versions were yanked: do not use ${code(latest.version)}.`] : []),
    ...(from?.known ? [] : ['', `The changelog has no version ${installed}.`]),
    ...(updateAvailable ? ['', `What's new, for people: ${oneLine(url, URL_CHARACTERS_MAX)}`] : []),
  ].join('\n');
}

type Entry = Readonly<{ heading: string; text: string }>;

function entriesOf<C extends Change>(changes: readonly C[], placeOf: (change: C) => string): Entry[] {
  return sectionsOf(changes).flatMap(({ kind, changes }) =>
    changes.map((change) => {
      const facts = [placeOf(change), change.breaking ? oneLine(change.type) : ''];
      const prefix = facts.filter((fact) => fact !== '').join(' ');
      return { heading: capitalized(oneLine(kind)), text: item(prefix && `${prefix}:`, change.text) };
    }),
  );
}

function withChanges(
  head: readonly string[],
  entries: readonly Entry[],
  texts: readonly string[],
  { offset, url }: Part,
): string {
  let result = head.join('\n');
  let heading = '';
  let next = offset;
  for (const entry of entries.slice(offset)) {
    const addition = `${entry.heading === heading ? '' : `\n\n## ${entry.heading}\n`}\n${entry.text}`;
    if (next > offset && result.length + addition.length > RESULT_CHARACTERS_MAX) break;
    result += addition;
    heading = entry.heading;
    next++;
  }
  if (offset >= entries.length && offset > 0)
    result += `\n\nThere are only ${entries.length} entries; use a smaller offset.`;
  else if (next < entries.length || offset > 0)
    result += `\n\nThese are entries ${offset + 1} to ${next} of ${entries.length}.`;
  if (next < entries.length) result += ` For the rest, call again with offset ${next}.`;
  if (texts.some(isCut))
    result += `\n\nTexts of more than ${TEXT_CHARACTERS_MAX} characters are cut. They are complete in ${url}`;
  return result;
}

/** Imported versions often have none. */
function titleOf({ title }: VersionSummary): string {
  const line = oneLine(title);
  return line && `: ${line}`;
}

function nameOf(record: Pick<Version, 'team' | 'product'>): string {
  return `${oneLine(record.product.name)} (${pathOf(record)})`;
}

function teamNameOf({ team }: Pick<Version, 'team'>): string {
  return `${oneLine(team.name)} (${oneLine(team.slug)})`;
}

function pathOf({ team, product }: Pick<Version, 'team' | 'product'>): string {
  return `${oneLine(team.slug)}/${oneLine(product.slug)}`;
}

/** All in our own words, so that they come before anything an author wrote. */
function factsOf(version: Version): string {
  const { changes } = version;
  return [stateOf(version), count(changes.length, 'change'), breakingOf(changes)]
    .filter((fact) => fact !== '')
    .join(', ');
}

function stateOf(version: LatestVersion): string {
  return [version.status === 'draft' ? 'draft' : dayOf(version), ...marksOf(version)].join(', ');
}

function marksOf({ version, yanked }: LatestVersion): string[] {
  return [...(isPrerelease(version) ? ['prerelease'] : []), ...(yanked ? ['yanked'] : [])];
}

function dayOf({ publishedAt }: Pick<VersionSummary, 'publishedAt'>): string {
  return oneLine(publishedAt ?? '').slice(0, 10);
}

function breakingOf(changes: readonly Change[]): string {
  const number = changes.filter(({ breaking }) => breaking).length;
  return number === 0 ? '' : `${number} breaking`;
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
