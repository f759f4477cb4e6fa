// For work that is often synchronous: a promise per step would cost more than the step.

export type MaybePromise<T> = T | Promise<T>;

export function andThen<T, Next>(
  result: MaybePromise<T>,
  next: (result: T) => MaybePromise<Next>,
): MaybePromise<Next> {
  return result instanceof Promise ? result.then(next) : next(result);
}

/** Handles both exceptions and rejections. */
export function orElse<T>(
  work: () => MaybePromise<T>,
  recover: (error: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(recover) : result;
  } catch (error) {
    return recover(error);
  }
}
