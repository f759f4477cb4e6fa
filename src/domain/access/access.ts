import type { KeyState } from '../model.ts';

/** An API key as stored. Only a `SELECT` key has a list of products. */
export type ApiKey = Readonly<{ id: string; team: string; status: KeyState }> &
  (Readonly<{ kind: 'FULL' }> | Readonly<{ kind: 'SELECT'; products: readonly string[] }>);

/** From then on the key is a disabled one (R67). Most keys have no end, and need no clock. */
export function hasExpired(
  { expiresAt }: Readonly<{ expiresAt: string | null }>,
  now: () => string,
): boolean {
  return expiresAt !== null && expiresAt <= now();
}

type Access = 'allowed' | 'unauthorized' | 'forbidden';

/**
 * Decides from the key alone, before anything is looked up by path, so that a 403 does not reveal whether another team
 * or product exists (R1, R2, R3).
 */
export function decideAccess(key: ApiKey | undefined, target: { team: string; product: string }): Access {
  if (key?.status !== 'active') return 'unauthorized';
  // A path without a team has nothing that belongs to one.
  if (target.team === '') return 'allowed';
  if (key.team !== target.team) return 'forbidden';
  // A path without a product is about those that the key may read.
  if (target.product === '') return 'allowed';
  if (key.kind === 'SELECT' && !key.products.includes(target.product)) return 'forbidden';
  return 'allowed';
}

/** The slugs of the products that a key is limited to; null for all of its team. */
export function readableProducts(key: ApiKey): readonly string[] | null {
  return key.kind === 'SELECT' ? key.products : null;
}
