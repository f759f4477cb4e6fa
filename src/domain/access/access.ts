import type { KeyState } from '../model.ts';

/** What the database knows of an API key. A `FULL` key has no list of products: it needs none. */
export type ApiKey = Readonly<{ id: string; team: string; status: KeyState }> &
  (Readonly<{ kind: 'FULL' }> | Readonly<{ kind: 'SELECT'; products: readonly string[] }>);

export type Access = 'allowed' | 'unauthorized' | 'forbidden';

/**
 * May this key read that product? Decided from the key alone, before anything is looked up by the path, so that
 * the answer for another team or an unattached product says nothing about whether they exist (R1, R2, R3).
 */
export function decideAccess(key: ApiKey | undefined, asked: { team: string; product: string }): Access {
  if (key?.status !== 'active') return 'unauthorized';
  if (key.team !== asked.team) return 'forbidden';
  if (key.kind === 'SELECT' && !key.products.includes(asked.product)) return 'forbidden';
  return 'allowed';
}
