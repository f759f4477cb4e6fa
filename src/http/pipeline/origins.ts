// Requests from other sites' pages (R28).
import type { Stage } from './stages.ts';

const EXPOSED_HEADERS = 'RateLimit, RateLimit-Policy, ETag, Link, Retry-After, X-Request-Id';

export const allowAnyOrigin = allowReading(EXPOSED_HEADERS);
/** For lists of Gitea, whose clients need their length. */
export const allowCounting = allowReading(`${EXPOSED_HEADERS}, X-Total-Count`);

function allowReading(headers: string): Stage {
  return ({ head }, next) => {
    head.push('access-control-allow-origin', '*');
    head.push('access-control-expose-headers', headers);
    next();
  };
}

/** Lets pages of other sites load it, even isolated ones (`Cross-Origin-Embedder-Policy`). */
export const allowEmbedding: Stage = ({ head }, next) => {
  head.push('access-control-allow-origin', '*', 'cross-origin-resource-policy', 'cross-origin');
  next();
};
