// Turns rows into API records, names the versions of a team that share changes (R64), and makes rows of content that is not
// in a database, such as a changelog file.
import type {
  FeedRecord,
  LatestVersion,
  ProductListRecord,
  Range,
  TeamFeedRecord,
  Update,
  Version,
  VersionSummary,
} from '../../client/records.d.ts';
import { DEFAULT_LANGUAGE } from '../domain/content/appearance.ts';
import { imageOf, linksTo, type VersionContent } from '../domain/content/content.ts';
import { type Shared, SharedChanges } from '../domain/content/shared-changes.ts';
import { type ChangeFilter, matchesChange } from '../domain/feed-query.ts';
import { CHANGE_TYPES } from '../domain/model.ts';
import type { FeedText } from '../store/read/find-feed.ts';
import type { UpdateRow } from '../store/read/find-update.ts';
import type { TeamList } from '../store/read/lists/listing.ts';
import type { Timeline, TimelineRow } from '../store/read/lists/timeline.ts';
import type { FullVersion, PageRow } from '../store/read/pages.ts';
import type { ChangeRow, HeadRow, LatestVersionRow, VersionRow } from '../store/read/reads.ts';
import type { Render } from '../text/render.ts';
import type { Links } from './links.ts';
import { htmlFor, renderNotes } from './texts.ts';

export type { Change, Version, VersionSummary } from '../../client/records.d.ts';

type Feed = Readonly<{ head: HeadRow; versions: readonly VersionRow[] }>;

export function presentChangelog({ head, versions }: Feed): { data: FeedRecord } {
  return { data: { object: 'changelog', ...presentHead(head), versions: versions.map(presentSummary) } };
}

/**
 * The same as JSON, from a JSON array of rows. They have the same fields as records in the same order, except that
 * `label` becomes `object` and `version`. Quotes inside a text are escaped, so this never matches content.
 */
export function formatChangelog({ head, versions }: Omit<FeedText, 'isWhole'>): string {
  const records = versions.replaceAll(',"label":', ',"object":"changelog.version","version":');
  const empty = JSON.stringify(presentChangelog({ head, versions: [] }));
  return `${empty.slice(0, -'[]}}'.length)}${records}}}`;
}

export function presentHead(head: HeadRow) {
  return {
    team: { slug: head.teamSlug, name: head.teamName },
    product: { slug: head.productSlug, name: head.productName },
    changelog: { id: head.changelogId, name: head.changelogName, status: head.changelogStatus },
  };
}

export function presentSummary(version: VersionRow): VersionSummary {
  return {
    id: version.id,
    object: 'changelog.version',
    version: version.label,
    title: version.title,
    status: version.status,
    publishedAt: version.publishedAt,
    changeCount: version.changeCount,
  };
}

export function presentLatest(version: LatestVersionRow): LatestVersion {
  return { ...presentSummary(version), yanked: version.yanked === 1 };
}

export function presentUpdate(
  { from, latest, versionCount, changeCount, hasSecurity, hasBreaking }: UpdateRow,
  url: string,
): { data: Update } {
  return {
    data: {
      object: 'changelog.update',
      from: from && { version: from.version, known: from.known, yanked: from.yanked },
      updateAvailable: versionCount > 0,
      latest: latest && presentLatest(latest),
      versionCount,
      changeCount,
      security: hasSecurity,
      breaking: hasBreaking,
      url,
    },
  };
}

/** With its changes; texts are rendered. */
export async function presentVersion(
  head: HeadRow,
  { changes, ...version }: Omit<PageRow, 'sortKey'>,
  render: Render,
): Promise<Version> {
  const { description, changes: written } = await renderNotes({ ...version, changes }, render, htmlFor(head));
  return {
    ...presentSummary(version),
    description: version.description,
    descriptionHtml: version.description === null ? null : (description ?? ''),
    yanked: version.yanked === 1,
    updatedAt: version.updatedAt,
    ...linksTo(version.compareUrl),
    ...imageOf(version.image),
    ...presentHead(head),
    changes: written.map(({ id, type, text, breaking, shown }) => ({
      id,
      object: 'changelog.change',
      type,
      text,
      html: shown,
      breaking: breaking === 1,
    })),
  };
}

/** One of a changelog file: without what only a database has. */
export async function presentFileVersion(
  version: FullVersion,
  head: HeadRow,
  render: Render,
): Promise<object> {
  const full = await presentVersion(head, { ...version, changeCount: version.changes.length }, render);
  const { id: _, updatedAt, team, product, changelog, image, ...record } = full;
  return { ...record, changes: record.changes.map(({ id: _, ...change }) => change) };
}

/** In each type, breaking changes come first, then those of the newest version (R33). */
export function presentRange(
  head: HeadRow,
  query: Pick<Range, 'from' | 'to'>,
  versions: readonly Version[],
): Range {
  const changes = versions
    .flatMap(({ id, version, changes }) => changes.map((change) => ({ ...change, version, versionId: id })))
    .toSorted((one, other) => Number(other.breaking) - Number(one.breaking));
  const groups = CHANGE_TYPES.map((type) => ({
    type,
    changes: changes.filter((change) => change.type === type),
  }));
  return {
    object: 'changelog.range',
    ...presentHead(head),
    ...query,
    changeCount: changes.length,
    groups: groups.filter((group) => group.changes.length > 0),
    versions: versions.map(presentRangeVersion),
  };
}

function presentRangeVersion(record: Version): Range['versions'][number] {
  const { id, version, title, publishedAt, yanked, description, descriptionHtml } = record;
  return { id, version, title, publishedAt, yanked, description, descriptionHtml };
}

/** A version without such a change is not found in the first place. */
export function onlyMatching<V extends FullVersion>(filter: ChangeFilter, version: V): V {
  return { ...version, changes: version.changes.filter((change) => matchesChange(filter, change)) };
}

export function presentTimeline({ team, versions }: Pick<Timeline, 'team' | 'versions'>): {
  data: TeamFeedRecord;
} {
  const records = versions.map(({ head, ...version }) => ({
    ...presentSummary(version),
    product: { slug: head.productSlug, name: head.productName },
  }));
  return { data: { object: 'team.timeline', team, versions: records } };
}

/** Without links, products have no URL: some of them have no page. */
export function presentProducts(
  { team, products }: Pick<TeamList, 'team' | 'products'>,
  links: Links | null,
): { data: ProductListRecord } {
  return {
    data: {
      object: 'team.products',
      team,
      products: products.map((product) => ({
        object: 'product',
        slug: product.productSlug,
        name: product.productName,
        ...(links !== null && { url: links.urlsOf(product).changelog }),
        language: product.language,
        latest: product.newest && presentLatest(product.newest),
      })),
    },
  };
}

/** A version of any product. */
export type VersionLink = Readonly<{ name: string; url: string }>;

export type SharedNotes = Readonly<{
  /** Without those that other versions show. Of several that say the same, the first names the other versions. */
  changes: readonly (ChangeRow & Readonly<{ alsoIn: readonly VersionLink[] }>)[];
  shownBy: readonly VersionLink[];
}>;

/** With each change that products share shown once among these versions. */
export async function* sharedVersions(
  versions: Iterable<TimelineRow> | AsyncIterable<TimelineRow>,
): AsyncGenerator<Shared<TimelineRow>> {
  const shared = new SharedChanges<TimelineRow>();
  for await (const version of versions) yield* shared.add(version);
  yield* shared.finish();
}

export function linkShared(
  { changes, shownBy }: Pick<Shared<TimelineRow>, 'changes' | 'shownBy'>,
  urlOf: (version: TimelineRow) => string,
): SharedNotes {
  const linkTo = (version: TimelineRow): VersionLink => ({
    name: `${version.head.productName} ${version.label}`.toWellFormed(),
    url: urlOf(version),
  });
  // Changes that say the same have the same list.
  const named = new Set<readonly TimelineRow[]>();
  const linked = changes.map((change) => {
    const alsoIn = named.has(change.alsoIn) ? [] : change.alsoIn.map(linkTo);
    named.add(change.alsoIn);
    return { ...change, alsoIn };
  });
  return { changes: linked, shownBy: shownBy.map(linkTo) };
}

const NO_ID = '';

export function rowOf({ version: label, links, ...content }: VersionContent): FullVersion {
  const { publishedAt, updatedAt, image, yanked, changes } = content;
  return {
    ...content,
    id: NO_ID,
    label,
    yanked: yanked ? 1 : 0,
    updatedAt: updatedAt ?? publishedAt ?? '',
    compareUrl: links?.compare ?? null,
    image: image ?? null,
    changes: changes.map((change) => ({ ...change, id: NO_ID, breaking: change.breaking ? 1 : 0 })),
  };
}

/** `name` is that of the changelog, such as `Rocket changelog`, which is not always known. */
export function headOf(name: string | null, language = DEFAULT_LANGUAGE): HeadRow {
  return {
    teamId: 0,
    productId: 0,
    teamSlug: '',
    teamName: '',
    productSlug: '',
    productName: (name ?? '').replace(/\s+change ?log$/i, ''),
    changelogId: NO_ID,
    changelogName: name ?? 'Changelog',
    changelogStatus: 'published',
    homeUrl: null,
    linkBase: null,
    repositoryUrl: null,
    logo: null,
    image: null,
    accent: null,
    domain: null,
    language,
  };
}
