// Turns rows of a team into API records, and names the versions that share changes (R64).
import type { ProductListRecord, TeamFeedRecord } from '../../client/records.d.ts';
import { type Shared, SharedChanges } from '../domain/content/shared-changes.ts';
import type { TeamList } from '../store/read/lists/listing.ts';
import type { Timeline, TimelineRow } from '../store/read/lists/timeline.ts';
import type { ChangeRow } from '../store/read/reads.ts';
import { presentLatest, presentSummary } from './changelog.ts';
import type { Links } from './links.ts';

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
