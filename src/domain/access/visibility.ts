import type { PublicationState, Surface, VersionState, Visibility } from '../model.ts';

/** The rows that a surface shows, for a query to apply. An absent state means no restriction. */
export type VisibleRows = Readonly<{
  team?: Visibility;
  product?: PublicationState;
  changelog?: PublicationState;
  version?: VersionState;
}>;

const PUBLIC_ROWS: VisibleRows = Object.freeze({
  team: 'public',
  product: 'published',
  changelog: 'published',
  version: 'published',
});

const ALL_ROWS: VisibleRows = Object.freeze({});

/** Public means that everything up to the team is public, whatever `publishedAt` is (R7, R8). */
export function visibleRows(surface: Surface): VisibleRows {
  return surface === 'public' ? PUBLIC_ROWS : ALL_ROWS;
}
