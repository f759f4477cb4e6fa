import { ChangelogClient } from '../../client/index.js';
import type { McpSettings, Place } from './settings.ts';

const ATTEMPT_SECONDS_MAX = 30;
const RESPONSE_BYTES_MAX = 32 * 1024 * 1024;
/** A longer wait is for the agent to decide. */
const RETRY = { attemptsMax: 3, waitSecondsMax: 5 };

export class ResponseTooLarge extends Error {
  override message = `more than ${RESPONSE_BYTES_MAX / 1024 ** 2} MiB`;
}

export function clientFor({ url, apiKey, basic }: McpSettings, { team, product }: Place): ChangelogClient {
  return new ChangelogClient({
    baseUrl: url,
    team,
    product: product ?? undefined,
    apiKey: apiKey ?? undefined,
    basic: basic ?? undefined,
    timeoutSeconds: ATTEMPT_SECONDS_MAX,
    retry: RETRY,
    fetch: fetchLimited,
  });
}

/** Where the API has a product. */
export function urlOf({ url, apiKey }: McpSettings, { team, product }: Place): string {
  return `${url}/api/v1/${apiKey === null ? 'public/' : ''}teams/${team}/products/${product}/changelog`;
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
  return new Response(bytes === 0 ? null : Buffer.concat(chunks), response);
}
