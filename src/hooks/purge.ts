// What a purge hook is sent when something public changed (R66): the tags of the responses that are out of date.
import type { PurgeHook } from '../domain/hook.ts';
import type { OutgoingRequest } from './outgoing.ts';

/** What Fastly takes in one request. Within the 8 KiB of a header in Varnish, too. */
const KEYS_MAX = 256;
/** What Cloudflare takes in one request. */
const CLOUDFLARE_TAGS_MAX = 100;

/** Without tags there is nothing to purge. */
export function purgesFor({ kind, url, secret }: PurgeHook, tags: readonly string[]): OutgoingRequest[] {
  const bearer: Record<string, string> = secret === null ? {} : { Authorization: `Bearer ${secret}` };
  switch (kind) {
    case 'purge-varnish':
      return inBatches(tags, KEYS_MAX, (batch) => ({
        method: 'PURGE',
        url,
        headers: { 'xkey-purge': batch.join(' '), ...bearer },
        body: '',
      }));
    case 'purge-fastly':
      return inBatches(tags, KEYS_MAX, (batch) => ({
        method: 'POST',
        url,
        headers: { 'Surrogate-Key': batch.join(' '), ...(secret === null ? {} : { 'Fastly-Key': secret }) },
        body: '',
      }));
    case 'purge-cloudflare':
      return inBatches(tags, CLOUDFLARE_TAGS_MAX, (batch) => ({
        method: 'POST',
        url,
        headers: { 'Content-Type': 'application/json', ...bearer },
        body: JSON.stringify({ tags: batch }),
      }));
    // A cache without tags forgets everything. A list of URLs would miss some: other parameters, an old slug or domain that
    // is nowhere in the database any more, another way to escape a path.
    case 'purge-url':
      return tags.length === 0 ? [] : [{ method: 'PURGE', url, headers: bearer, body: '' }];
  }
}

function inBatches(
  tags: readonly string[],
  tagsMax: number,
  request: (batch: readonly string[]) => OutgoingRequest,
): OutgoingRequest[] {
  const starts = Array.from({ length: Math.ceil(tags.length / tagsMax) }, (_, index) => index * tagsMax);
  return starts.map((start) => request(tags.slice(start, start + tagsMax)));
}
