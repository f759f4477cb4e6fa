import type { MaybePromise } from '../../domain/maybe-promise.ts';

/** Renders texts that share one budget, such as a version's changes, in order; without a promise if it is quick. */
export type Render = (texts: readonly string[]) => MaybePromise<readonly string[]>;
