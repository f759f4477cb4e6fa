// A request is a straight line of stages, and this is what leads it from one to the next.
import type { SendError } from './errors.ts';
import type { Exchange } from './exchange.ts';

/** It goes on, is refused with an error, or was answered and is left at that. */
export type Stage = (exchange: Exchange, next: Next) => void;
export type Next = (error?: unknown) => void;

/** Whatever goes wrong on the way is answered here, too. */
export function runStages(stages: readonly Stage[], exchange: Exchange, refuse: SendError): void {
  let index = 0;
  const next = (error?: unknown): void => {
    try {
      if (error === undefined) stages[index++]?.(exchange, next);
      else refuse(exchange, error);
    } catch (thrown) {
      refuse(exchange, thrown);
    }
  };
  next();
}
