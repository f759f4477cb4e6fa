import type { PublicationState, Surface, VersionState, Visibility } from '../model.ts';

/** Which rows a surface may see, for a query to apply. A state that is not named is not restricted. */
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

/** Public means published all the way up; the clock plays no part (R7, R8). */
export function visibleRows(surface: Surface): VisibleRows {
  return surface === 'public' ? PUBLIC_ROWS : ALL_ROWS;
}
