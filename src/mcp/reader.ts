import { LRUCache } from 'lru-cache';
import { ChangelogClient } from '../../client/index.js';
import { type McpSettings, nameOf, type Place } from './settings.ts';

const CLIENTS_MAX = 20;
const ATTEMPT_SECONDS_MAX = 30;
const RESPONSE_BYTES_MAX = 32 * 1024 * 1024;
/** A larger response is not cached: a client keeps up to 100 of them. */
const CACHED_BYTES_MAX = 128 * 1024;
/** A longer wait is for the agent to decide. */
const RETRY = { attemptsMax: 3, waitSecondsMax: 5 };

export type Reader = ReturnType<typeof createReader>;

export class ResponseTooLarge extends Error {
  override message = `more than ${RESPONSE_BYTES_MAX / 1024 ** 2} MiB`;
}

/** Keeps a client for each product and team, because clients cache by ETag. */
export function createReader({ url, apiKey, basic }: McpSettings) {
  const clients = new LRUCache<string, ChangelogClient>({ max: CLIENTS_MAX });
  return {
    client: (place: Place): ChangelogClient => {
      const { team, product } = place;
      const name = nameOf(place);
      const known = clients.get(name);
      if (known !== undefined) return known;
      const client = new ChangelogClient({
        baseUrl: url,
        team,
        product: product ?? undefined,
        apiKey: apiKey ?? undefined,
        basic: basic ?? undefined,
        timeoutSeconds: ATTEMPT_SECONDS_MAX,
        retry: RETRY,
        fetch: fetchLimited,
      });
      clients.set(name, client);
      return client;
    },
    /** Where the API has a product. */
    urlOf: ({ team, product }: Place) =>
      `${url}/api/v1/${apiKey === null ? 'public/' : ''}teams/${team}/products/${product}/changelog`,
  };
}

/**
 * The API never redirects, and the key must not be sent to another server. Bytes are counted as they are decoded: a small
 * compressed response can be a very large one.
 */
async function fetchLimited(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > RESPONSE_BYTES_MAX) throw new ResponseTooLarge();
    chunks.push(chunk);
  }
  const { status, headers } = response;
  const kept = new Headers(headers);
  if (bytes > CACHED_BYTES_MAX) kept.delete('etag');
  return new Response(bytes === 0 ? null : Buffer.concat(chunks), { status, headers: kept });
}
