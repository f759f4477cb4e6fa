import { ApiError } from '../errors.ts';

const RETRY_AFTER_SECONDS = 1;

/** Work that is done a few at a time, the others waiting for their turn; too many to wait are refused. */
export function takeTurns(atOnceMax: number, waitingMax: number) {
  const waiting: (() => void)[] = [];
  let working = 0;

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (working === atOnceMax) {
      if (waiting.length === waitingMax)
        throw new ApiError('unavailable', {
          headers: { 'retry-after': RETRY_AFTER_SECONDS },
          cause: new Error('too many long answers are being written'),
        });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else working++;
    try {
      return await work();
    } finally {
      // Whoever is next takes the place over.
      const next = waiting.shift();
      if (next === undefined) working--;
      else next();
    }
  };
}
