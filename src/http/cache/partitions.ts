import { createResponseCache, type ResponseCache } from './response-cache.ts';

/** Of all the room, what is kept for answers to questions with parameters. */
const PARAMETERS_SHARE = 1 / 4;

/**
 * Anybody can make up ever new values of parameters, each of which is an answer of its own: they may push out one
 * another, but never a whole changelog or a version.
 */
export function createPartitionedCache(bytesMax: number): ResponseCache {
  const withParameters = createResponseCache(bytesMax * PARAMETERS_SHARE);
  const plain = createResponseCache(bytesMax * (1 - PARAMETERS_SHARE));
  const partitionOf = (key: string) => (key.includes('?') ? withParameters : plain);
  return {
    // Most of what is asked for has none, and is found without a look at the key.
    find: (key) => {
      const found = plain.find(key);
      return found === undefined ? withParameters.find(key) : found;
    },
    keep: (key, answer, origin) => partitionOf(key).keep(key, answer, origin),
    weigh: (key, answer) => partitionOf(key).weigh(key, answer),
    keepMiss: (key) => partitionOf(key).keepMiss(key),
    forget: (key) => partitionOf(key).forget(key),
    drop: (touches) => {
      plain.drop(touches);
      withParameters.drop(touches);
    },
    size: () => {
      const [one, other] = [plain.size(), withParameters.size()];
      return { answers: one.answers + other.answers, bytes: one.bytes + other.bytes };
    },
  };
}
