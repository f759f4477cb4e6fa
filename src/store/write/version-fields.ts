import type { Selectable } from 'kysely';
import type { VersionContent } from '../../domain/content/content.ts';
import { applyPublication } from '../../domain/content/lifecycle.ts';
import type { Tables } from '../engine/schema.ts';

export type ExistingVersion = Selectable<Tables['versions']>;

/** What a document decides of the row of a version. */
export type VersionFields = Omit<
  ExistingVersion,
  'sort_key' | 'created_order' | 'changelog_id' | 'change_count' | 'updated_at'
>;

export function fieldsOf(
  version: VersionContent,
  id: string,
  before: ExistingVersion | null,
  now: string,
): VersionFields {
  const had = before && {
    status: before.status,
    publishedAt: before.published_at,
    publishAt: before.publish_at,
  };
  const { status, publishedAt, publishAt } = applyPublication(had, version, now);
  return {
    id: version.id ?? id,
    label: version.version,
    title: version.title,
    status,
    published_at: publishedAt,
    publish_at: publishAt,
    description: version.description,
    compare_url: version.links?.compare ?? null,
    image: version.image === undefined ? (before?.image ?? null) : version.image,
    yanked: version.yanked ? 1 : 0,
  };
}
