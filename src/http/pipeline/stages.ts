import type { Exchange } from './exchange.ts';

/** Passes the request or an error on, or sends the response and calls nothing. */
export type Stage = (exchange: Exchange, next: Next) => void;
export type Next = (error?: unknown) => void;
export type SendError = (exchange: Exchange, error: unknown) => void;

export function runStages(stages: readonly Stage[], exchange: Exchange, sendError: SendError): void {
  let index = 0;
  const next = (error?: unknown): void => {
    try {
      if (error === undefined) stages[index++]?.(exchange, next);
      else sendError(exchange, error);
    } catch (thrown) {
      sendError(exchange, thrown);
    }
  };
  next();
}

export const pass: Stage = (_exchange, next) => next();
