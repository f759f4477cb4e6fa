// Requests from pages of other sites (R28).
import type { Stage } from './stages.ts';

const EXPOSED_HEADERS = 'RateLimit, RateLimit-Policy, ETag, Link, Retry-After, X-Request-Id';

export const allowAnyOrigin: Stage = ({ head }, next) => {
  head.push('access-control-allow-origin', '*');
  head.push('access-control-expose-headers', EXPOSED_HEADERS);
  next();
};

/** Pages of other sites may load it, also those that isolate themselves (`Cross-Origin-Embedder-Policy`). */
export const allowEmbedding: Stage = ({ head }, next) => {
  head.push('access-control-allow-origin', '*', 'cross-origin-resource-policy', 'cross-origin');
  next();
};
