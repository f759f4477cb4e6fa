// A changelog file as a database in memory, so that a site is written from it as from any other.
import { hash } from 'node:crypto';
import { NO_APPEARANCE } from '../domain/content/appearance.ts';
import type { Content, VersionContent } from '../domain/content/content.ts';
import { versionOrder } from '../domain/version-order.ts';
import type { ImportedChangelog, ImportedVersion } from '../import/changelog.ts';
import type { Reader } from '../store/engine/engine.ts';
import { loadSqlite } from '../store/engine/open.ts';
import { migrate } from '../store/migrate/migrate.ts';
import { applyContent } from '../store/write/apply.ts';
import { formatId, ID_DIGITS } from '../store/write/ids.ts';

type FileOptions = Readonly<{
  name: string;
  slug: string;
  /** BCP 47. */
  language: string;
  /** The page of the repository, if it is known. */
  repository: string | null;
  /** Makes the ids of this changelog differ from those of all others. */
  seed: string;
  now: string;
}>;

/** The slug is that of the team and of the product. */
export async function openChangelog(
  changelog: ImportedChangelog,
  options: FileOptions,
): Promise<Reader & AsyncDisposable> {
  const content = contentOf(changelog, options);
  const ignore = () => {};
  const { openMemory } = await loadSqlite();
  return await openMemory(async (trx) => {
    await migrate(trx, { database: 'memory' });
    await applyContent(trx, content, {
      pruning: false,
      now: options.now,
      report: ignore,
      reportPruned: ignore,
    });
  });
}

function contentOf({ name, description, versions }: ImportedChangelog, options: FileOptions): Content {
  const { name: product, slug, seed, repository } = options;
  return {
    team: { slug, name: product, visibility: 'public', plan: 'free' },
    products: [
      {
        slug,
        name: product,
        status: 'published',
        ...NO_APPEARANCE,
        links: { ...NO_APPEARANCE.links, repository },
        changelog: {
          id: formatId('changelog', digitsOf(seed)),
          name: name ?? product,
          description,
          language: options.language,
          status: 'published',
          versions: withIds(versions, seed),
        },
      },
    ],
  };
}

/**
 * Versions without a date get the given one; or that of the next newer version, or at the top of the next older one, so that
 * the order stays; or else the last resort.
 */
export function fillDates(
  versions: readonly ImportedVersion[],
  given: string | null,
  lastResort: string,
): ImportedVersion[] {
  const ordered = newestFirst(versions);
  const first = ordered.find(({ content, isDated }) => isDated && content.publishedAt !== null);
  let newer = first?.content.publishedAt ?? lastResort;
  return ordered.map((version) => {
    const { content, isDated } = version;
    if (isDated) newer = content.publishedAt ?? newer;
    return isDated
      ? version
      : { ...version, content: { ...content, status: 'published' as const, publishedAt: given ?? newer } };
  });
}

/** Few files are the other way round. */
function newestFirst(versions: readonly ImportedVersion[]): readonly ImportedVersion[] {
  const dates = versions.flatMap(({ content, isDated }) => (isDated && content.publishedAt) || []);
  const orders = versions.flatMap(({ content }) => versionOrder(content.version) ?? []);
  const [first, last] = new Set(dates).size > 1 ? [dates[0], dates.at(-1)] : [orders[0], orders.at(-1)];
  return (first ?? '') < (last ?? '') ? versions.toReversed() : versions;
}

/**
 * The same file always has the same ids: they are in the URLs of changes and in feeds. Versions of one time are listed by
 * their ids, so these begin with their place.
 */
function withIds(versions: readonly ImportedVersion[], seed: string): VersionContent[] {
  const older = new Map<string, number>();
  const withId = ({ content }: ImportedVersion): VersionContent => {
    const { version, status, publishedAt, changes } = content;
    const place = older.get(publishedAt ?? '') ?? 0;
    older.set(publishedAt ?? '', place + 1);
    const digits = digitsOf(seed, version);
    return {
      ...content,
      id: formatId('version', placeDigits(place) + digits.slice(PLACE_DIGITS)),
      // The site must not depend on when it is built.
      updatedAt: status === 'published' ? publishedAt : null,
      changes: withChangeIds(changes, digits),
    };
  };
  return newestFirst(versions).toReversed().map(withId).reverse();
}

function withChangeIds(changes: VersionContent['changes'], versionDigits: string): VersionContent['changes'] {
  const seen = new Map<string, number>();
  return changes.map((change) => {
    const same = seen.get(change.text) ?? 0;
    seen.set(change.text, same + 1);
    return { ...change, id: formatId('change', digitsOf(versionDigits, change.text, String(same))) };
  });
}

const PLACE_DIGITS = 5;
const PLACE_MAX = 16 ** PLACE_DIGITS - 1;

/** Newer ones come first. */
function placeDigits(place: number): string {
  const number = Math.max(0, PLACE_MAX - place);
  return number.toString(16).padStart(PLACE_DIGITS, '0');
}

function digitsOf(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts)).slice(0, ID_DIGITS);
}
