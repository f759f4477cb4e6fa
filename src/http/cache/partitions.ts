import { createResponseCache, type ResponseCache } from './response-cache.ts';

/** The share of the cache for responses to requests with parameters. */
const PARAMETERS_SHARE = 1 / 4;

/**
 * Anyone can make up parameter values, and each has its own response. Those may evict each other, but never a whole
 * changelog or a version.
 */
export function createPartitionedCache(bytesMax: number): ResponseCache {
  const withParameters = createResponseCache(bytesMax * PARAMETERS_SHARE);
  const plain = createResponseCache(bytesMax * (1 - PARAMETERS_SHARE));
  const partitionOf = (key: string) => (key.includes('?') ? withParameters : plain);
  return {
    // Most requests have no parameters; these are found without searching the key for a `?`.
    find: (key) => {
      const found = plain.find(key);
      return found === undefined ? withParameters.find(key) : found;
    },
    put: (key, entry) => partitionOf(key).put(key, entry),
    resize: (key, response) => partitionOf(key).resize(key, response),
    putNotFound: (key, surface) => partitionOf(key).putNotFound(key, surface),
    delete: (key) => partitionOf(key).delete(key),
    invalidate: (touches) => {
      plain.invalidate(touches);
      withParameters.invalidate(touches);
    },
    size: () => {
      const [one, other] = [plain.size(), withParameters.size()];
      return { responses: one.responses + other.responses, bytes: one.bytes + other.bytes };
    },
  };
}
