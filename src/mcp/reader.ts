import { ChangelogClient } from '../../client/index.js';
import type { McpSettings, ProductName } from './settings.ts';

const CLIENTS_MAX = 20;
const ATTEMPT_SECONDS_MAX = 30;
/** A longer wait is for the agent to decide. */
const RETRY = { attemptsMax: 3, waitSecondsMax: 5 };

export type Reader = Readonly<{
  client: (product: ProductName) => ChangelogClient;
  /** Where the API has a product. */
  urlOf: (product: ProductName) => string;
}>;

/** Keeps a client for each product, because clients cache by ETag. */
export function createReader({ url, apiKey, basic }: McpSettings): Reader {
  const clients = new Map<string, ChangelogClient>();
  return {
    client: ({ team, product }) => {
      const name = `${team}/${product}`;
      const client =
        clients.get(name) ??
        new ChangelogClient({
          baseUrl: url,
          team,
          product,
          apiKey: apiKey ?? undefined,
          basic: basic ?? undefined,
          timeoutSeconds: ATTEMPT_SECONDS_MAX,
          retry: RETRY,
          fetch: fetchWithoutRedirects,
        });
      clients.delete(name);
      clients.set(name, client);
      const [oldest] = clients.keys();
      if (clients.size > CLIENTS_MAX && oldest !== undefined) clients.delete(oldest);
      return client;
    },
    urlOf: ({ team, product }) =>
      `${url}/api/v1/${apiKey === null ? 'public/' : ''}teams/${team}/products/${product}/changelog`,
  };
}

/** The API never redirects, and the key must not be sent to another server. */
function fetchWithoutRedirects(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, redirect: 'manual' });
}
