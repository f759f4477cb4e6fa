import type { Touch } from '../../src/store/source/revisions.ts';
import type { Source } from '../../src/store/source/source.ts';

type SourceState = { isConfirmed: boolean; unconfirmedMs: number; revision: number };
type Touched = (touches: readonly Touch[] | null) => void;

/** A source whose state the test sets, and whose touches it reports. */
export function fakeSource(read: Source['read']) {
  const state: SourceState = { isConfirmed: true, unconfirmedMs: 0, revision: 1 };
  let touch: Touched = () => {};
  const source: Source = {
    read,
    isConfirmed: () => state.isConfirmed,
    unconfirmedMs: () => state.unconfirmedMs,
    revision: () => state.revision,
    onTouched: (listener) => {
      touch = listener;
    },
    isUp: () => true,
    databases: () => [],
    close: async () => {},
  };
  return { state, source, touch: (touches: readonly Touch[] | null) => touch(touches) };
}
