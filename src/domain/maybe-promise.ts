// For work that is often synchronous: a promise per step would cost more than the step.

export type MaybePromise<T> = T | Promise<T>;

export function andThen<T, Next>(
  result: MaybePromise<T>,
  next: (result: T) => MaybePromise<Next>,
): MaybePromise<Next> {
  return result instanceof Promise ? result.then(next) : next(result);
}
