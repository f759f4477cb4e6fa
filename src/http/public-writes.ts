import { touchesOn } from '../store/engine/touches.ts';
import type { Source } from '../store/source/source.ts';

/** Changes with each public write. A revision would not: another database in its place may have the same one. */
export function countPublicWrites(source: Source): () => number {
  let writes = 0;
  source.onTouched((touches) => {
    if (touchesOn('public', touches).length > 0) writes++;
  });
  return () => writes;
}
