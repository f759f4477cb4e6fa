import type { Surface } from '../../domain/model.ts';
import { type Touch, touchesOn } from '../engine/touches.ts';
import type { OnTouched } from './source.ts';

/** The latest revision known to a source, per surface, and the listeners notified of a new one. */
export class KnownRevision {
  latest = 0;
  #latestPublic = 0;
  readonly #listeners: OnTouched[] = [];

  latestOn(surface?: Surface): number {
    return surface === 'public' ? this.#latestPublic : this.latest;
  }

  onTouched(listener: OnTouched): void {
    this.#listeners.push(listener);
  }

  advance(revision: number, touches: readonly Touch[]): void {
    this.latest = revision;
    if (touchesOn('public', touches).length > 0) this.#latestPublic = revision;
    for (const listener of this.#listeners) listener(touches);
  }
}
