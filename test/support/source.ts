import type { Touch } from '../../src/store/engine/touches.ts';
import type { OnTouched, Source } from '../../src/store/source/source.ts';

type SourceState = { isConfirmed: boolean; unconfirmedMs: number; revision: number };

export const productTouch = (teamId: number, productId: number): Touch => ({
  kind: 'product',
  teamId,
  productId,
  isHidden: false,
});
export const teamTouch = (teamId: number): Touch => ({ kind: 'team', teamId, isHidden: false });
export const keysTouch = (teamId: number): Touch => ({ kind: 'keys', teamId, isHidden: false });

/** A source whose state the test sets, and which reports the touches that the test names. */
export function fakeSource(read: Source['read']) {
  const state: SourceState = { isConfirmed: true, unconfirmedMs: 0, revision: 1 };
  let touch: OnTouched = () => {};
  const source: Source = {
    read,
    isConfirmed: () => state.isConfirmed,
    unconfirmedMs: () => state.unconfirmedMs,
    revision: () => state.revision,
    onTouched: (listener) => {
      touch = listener;
    },
    onDue: () => {},
    overdueMs: () => 0,
    isUp: () => true,
    databases: () => [],
    close: async () => {},
  };
  return { state, source, touch: (touches: readonly Touch[]) => touch(touches) };
}
