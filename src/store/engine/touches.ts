// What a write changed, as nodes learn it from the table `touches`, and which responses that makes out of date (R29).
import type { Surface } from '../../domain/model.ts';

export type Touch = Readonly<{ isHidden: boolean }> &
  (
    | Readonly<{ kind: 'everything' }>
    | Readonly<{ kind: 'team' | 'keys'; teamId: number }>
    | Readonly<{ kind: 'product'; teamId: number; productId: number }>
  );

export type ProductOrigin = Readonly<{ teamId: number; productId: number }>;

/** What a response was made from: one product, the list of a team, or a list of everything. */
export type Origin =
  | ProductOrigin
  | Readonly<{ teamId: number; productId: null }>
  | Readonly<{ teamId: null; productId: null }>;

export const ALL_TEAMS: Origin = { teamId: null, productId: null };

export type TouchRow = Readonly<{ teamId: number; productId: number; publicRevision: number }>;

export const EVERYTHING: Touch = { kind: 'everything', isHidden: false };

/** Beyond this many, invalidating everything costs less than finding what to invalidate. */
export const TOUCHES_MAX = 1_000;

/** The triggers write team 0 for everything, product 0 for a whole team, and product -1 for its API keys. */
export function parseTouches(rows: readonly TouchRow[], since: number): Touch[] {
  const isHidden = ({ publicRevision }: TouchRow) => publicRevision <= since;
  if (rows.length > TOUCHES_MAX) return [{ kind: 'everything', isHidden: rows.every(isHidden) }];
  return rows.map((row) => ({ ...targetOf(row), isHidden: isHidden(row) }));
}

function targetOf({ teamId, productId }: TouchRow) {
  if (teamId === 0) return { kind: 'everything' } as const;
  if (productId === 0) return { kind: 'team', teamId } as const;
  if (productId === -1) return { kind: 'keys', teamId } as const;
  return { kind: 'product', teamId, productId } as const;
}

/** The touches that can change what a surface shows: hidden content was and is nothing to the public one (R9). */
export function touchesOn(surface: Surface, touches: readonly Touch[]): readonly Touch[] {
  return surface === 'team' ? touches : touches.filter(({ isHidden }) => !isHidden);
}

/** Is a response with this origin out of date after the touch? */
export function affects(touch: Touch, { teamId, productId }: Origin): boolean {
  switch (touch.kind) {
    case 'everything':
      return true;
    case 'team':
      return teamId === null || touch.teamId === teamId;
    case 'keys':
      return false;
    case 'product':
      return productId === null ? teamId === null || touch.teamId === teamId : touch.productId === productId;
  }
}
