// The results of the tools, as short Markdown. Pure functions of the records of the API.
import type * as Api from '../../client/index.js';
import { sectionsOf } from '../domain/model.ts';
import { isPrerelease, versionOrder } from '../domain/version-order.ts';
import { code, isCut, item, oneLine, quote, TEXT_CHARACTERS_MAX } from './untrusted.ts';

/** About 6,000 tokens. */
export const RESULT_CHARACTERS_MAX = 24_000;
const URL_CHARACTERS_MAX = 2_000;

type Next = { cursor?: string | undefined } | null;
type OfTeam = Pick<Api.Version, 'team'>;
type OfProduct = Pick<Api.Version, 'team' | 'product'>;

/** Without a product, those of all products of the team. */
export function writeVersions(
  feed: OfTeam & Partial<OfProduct> & { versions: readonly Api.Version[]; next: Next },
): string {
  const { team, product, versions, next } = feed;
  const name = product === undefined ? teamName(feed) : productName({ team, product });
  if (versions.length === 0) return `${name} has no version that matches.`;
  const items = versions.map((version) => {
    const place = product === undefined ? `${code(version.product.slug)} ` : '';
    return `${place}${code(version.version)} ${factsOf(version)}${titleOf(version)}`;
  });
  return listOf(`Versions of ${name}, newest first`, items, next);
}

export function writeProducts(list: OfTeam & Pick<Api.ProductList, 'products'> & { next: Next }): string {
  const { products, next } = list;
  if (products.length === 0) return `${teamName(list)} has no product with a changelog.`;
  const items = products.map(({ slug, name, url, latest }) => {
    const newest = latest === null ? 'no versions' : `newest ${code(latest.version)} ${stateOf(latest)}`;
    const page = url === undefined ? '' : `, ${oneLine(url, URL_CHARACTERS_MAX)}`;
    return `${code(slug)} ${newest}${page}: ${oneLine(name)}`;
  });
  return listOf(`Products of ${teamName(list)}`, items, next);
}

function listOf(heading: string, items: readonly string[], next: Next): string {
  return paragraphs(
    `# ${heading}`,
    items.map((each) => `- ${each}`).join('\n'),
    next && `There are more. For the next ones, call again with cursor ${next.cursor}`,
  );
}

type Part = Readonly<{
  /** The number of changes to leave out, because an earlier call returned them. */
  offset: number;
  /** Where to find texts that are too long. */
  url: string;
}>;

export function writeVersion(version: Api.Version, part: Part): string {
  const { product, description, changes } = version;
  const head = paragraphs(
    `# ${oneLine(product.name)} ${code(version.version)}${titleOf(version)}`,
    `${pathOf(version)}, ${factsOf(version)}`,
    description && part.offset === 0 && quote(description),
  );
  return withEntries(head, entriesOf(changes), { ...part, isCut: isCut(description ?? '') });
}

type RangeView = Readonly<{
  breakingOnly: boolean;
  type: string | null;
  /** The version at the end, if it was looked up. */
  latest: Api.Version | null;
}>;

/** Many changelogs have no mark for them at all. */
const NONE_MARKED =
  'Not all authors mark them. To see what else may break, call again without breakingOnly, with type removed, changed or other.';

export function writeRange(range: Api.Range, { breakingOnly, type, latest }: RangeView, part: Part): string {
  const all = range.groups.flatMap((group) => group.changes);
  const changes = breakingOnly ? all.filter(({ breaking }) => breaking) : all;
  const told = breakingOnly ? [] : range.versions.filter(({ description }) => description);
  const advice = latest?.yanked ? ': do not use it' : '';
  const last = latest ? ` (${listed('the latest', marksOf(latest))}${advice})` : '';
  const head = paragraphs(
    `# ${productName(range)}: changes after ${code(range.from ?? '')}, up to and including ${code(range.to ?? '')}${last}`,
    all.length + told.length === 0
      ? noChangesIn(range, type)
      : `${count(all.length, 'change')} in ${count(range.versions.length, 'version')}, ${breakingOf(all) || 'none marked as breaking'}`,
    breakingOnly && all.length > 0 && changes.length === 0 && NONE_MARKED,
  );
  const placeOf = ({ version }: Api.RangeChange) =>
    `${code(version)}${isPrerelease(version) ? ' (prerelease)' : ''}`;
  const descriptions = told.map(({ version, yanked, description }) =>
    entryOf('Descriptions of versions', `${code(version)}${yanked ? ' (yanked)' : ''}`, description ?? ''),
  );
  return withEntries(head, [...entriesOf(changes, placeOf), ...descriptions], part);
}

function noChangesIn({ from, to }: Api.Range, type: string | null): string {
  const [first, last] = [from, to].map((label) => versionOrder(label ?? ''));
  if (!first || !last || first <= last) return `No changes${type === null ? '' : ` of type ${type}`}.`;
  return `No changes: ${code(from ?? '')} is after ${code(to ?? '')}. For those of a downgrade, swap from and to.`;
}

export function writeUpdate(update: Api.Update): string {
  const { from, latest, updateAvailable, versionCount, changeCount, security, breaking, url } = update;
  const installed = code(from?.version ?? '');
  const found = latest && `${code(latest.version)} (${stateOf(latest)})${titleOf(latest)}`;
  return paragraphs(
    updateAvailable ? `# An update of ${installed} is available: ${found}` : `# No update of ${installed}`,
    updateAvailable
      ? `${count(changeCount, 'change')} in ${count(versionCount, 'version')}, ${security ? 'some' : 'none'} of type security, ${breaking ? 'some' : 'none'} marked as breaking`
      : `The latest version: ${found ?? 'none is published'}`,
    from?.yanked && `${installed} was yanked: do not use it.`,
    latest?.yanked && `All versions were yanked: do not use ${code(latest.version)}.`,
    !from?.known && `The changelog has no version ${installed}.`,
    updateAvailable && `What's new, for people: ${oneLine(url, URL_CHARACTERS_MAX)}`,
  );
}

type Entry = Readonly<{ heading: string; text: string; isCut: boolean }>;

function entryOf(heading: string, prefix: string, text: string): Entry {
  return { heading, text: item(prefix && `${prefix}:`, text), isCut: isCut(text) };
}

function entriesOf<C extends Api.Change>(changes: readonly C[], placeOf = (_: C) => ''): Entry[] {
  return sectionsOf(changes).flatMap(({ kind, changes }) => {
    const heading = oneLine(kind).replace(/^./, (first) => first.toUpperCase());
    return changes.map((change) => {
      const prefix = `${placeOf(change)} ${change.breaking ? oneLine(change.type) : ''}`;
      return entryOf(heading, prefix.trim(), change.text);
    });
  });
}

function withEntries(
  head: string,
  entries: readonly Entry[],
  { offset, url, isCut = false }: Part & { isCut?: boolean },
): string {
  let result = head;
  let heading = '';
  let next = offset;
  for (const entry of entries.slice(offset)) {
    const addition = `${entry.heading === heading ? '' : `\n\n## ${entry.heading}\n`}\n${entry.text}`;
    if (next > offset && result.length + addition.length > RESULT_CHARACTERS_MAX) break;
    result += addition;
    heading = entry.heading;
    next++;
  }
  const rest = next < entries.length ? ` For the rest, call again with offset ${next}.` : '';
  return paragraphs(
    result,
    offset >= entries.length && offset > 0
      ? `There are only ${entries.length} entries; use a smaller offset.`
      : (rest || offset > 0) && `These are entries ${offset + 1} to ${next} of ${entries.length}.${rest}`,
    (isCut || entries.some((entry) => entry.isCut)) &&
      `Texts of more than ${TEXT_CHARACTERS_MAX} characters are cut. They are complete in ${url}`,
  );
}

/** Imported versions often have none. */
function titleOf({ title }: Pick<Api.Version, 'title'>): string {
  const line = oneLine(title);
  return line && `: ${line}`;
}

const productName = (record: OfProduct) => `${oneLine(record.product.name)} (${pathOf(record)})`;
const teamName = ({ team }: OfTeam) => `${oneLine(team.name)} (${oneLine(team.slug)})`;
const pathOf = ({ team, product }: OfProduct) => `${oneLine(team.slug)}/${oneLine(product.slug)}`;

/** All in our own words, so that they come before anything an author wrote. */
const factsOf = (version: Api.Version) =>
  listed(stateOf(version), count(version.changes.length, 'change'), breakingOf(version.changes));

function stateOf(version: Api.LatestVersion): string {
  const day = oneLine(version.publishedAt ?? '').slice(0, 10);
  return listed(version.status === 'draft' ? 'draft' : day, marksOf(version));
}

const marksOf = ({ version, yanked }: Api.LatestVersion) =>
  listed(isPrerelease(version) && 'prerelease', yanked && 'yanked');

function breakingOf(changes: readonly Api.Change[]): string {
  const number = changes.filter(({ breaking }) => breaking).length;
  return number === 0 ? '' : `${number} breaking`;
}

const count = (number: number, thing: string) => `${number} ${thing}${number === 1 ? '' : 's'}`;

/** What there is not is left out. */
type Some = readonly (string | false | null | undefined)[];
const listed = (...facts: Some) => facts.filter(Boolean).join(', ');
const paragraphs = (...texts: Some) => texts.filter(Boolean).join('\n\n');
