// Rows of content that is not in a database, such as a changelog file, for the writers that take rows. They have no ids.
import { DEFAULT_LANGUAGE } from '../domain/content/appearance.ts';
import type { VersionContent } from '../domain/content/content.ts';
import type { FullVersion } from '../store/read/pages.ts';
import type { HeadRow } from '../store/read/reads.ts';

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
