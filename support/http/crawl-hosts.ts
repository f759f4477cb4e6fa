// Follows every link of the sites behind a proxy. Their hosts are names that only the proxy knows.
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { idsIn, linksIn } from './crawl.ts';

/** A proxy on loopback; over TLS if it has the certificate of an authority. */
export type Front = Readonly<{ port: number; ca?: string }>;

export type Reply = Readonly<{ status: number; headers: http.IncomingHttpHeaders; body: string }>;

export type HostsCrawl = Readonly<{
  visited: ReadonlyMap<string, Reply>;
  /** Where a link is, what it says, and what is wrong. */
  broken: readonly string[];
  /** Links to other hosts, which are not followed. */
  outside: readonly string[];
}>;

/** By media type; the names are those that `linksIn` knows. */
const FILES: Record<string, string> = {
  'text/html': 'a.html',
  'text/markdown': 'a.md',
  'text/plain': 'a.txt',
  'application/json': 'a.json',
  'application/feed+json': 'a.json',
  'application/atom+xml': 'a.atom',
  'application/rss+xml': 'a.rss',
  'application/xml': 'a.xml',
  'image/svg+xml': 'a.svg',
};
/** Its examples are not links. */
const OPENAPI = '/api/openapi.json';

/** Origins are those of the sites, such as `https://changes.rocket.example`. */
export async function crawlHosts(
  client: HostClient,
  origins: readonly string[],
  starts: readonly string[],
): Promise<HostsCrawl> {
  const [visited, ids] = [new Map<string, Reply>(), new Map<string, ReadonlySet<string>>()];
  const [broken, outside] = [[] as string[], new Set<string>()];
  /** Each with the first page that links to it. Grows while it is read. */
  const links = new Map(starts.map((start) => [new URL(start).href, 'the start']));
  for (const [link, from] of links) {
    const [name = '', fragment = ''] = link.split('#', 2);
    const problem = await problemOf(name, decodeURIComponent(fragment));
    if (problem !== null) broken.push(`${from} links to ${link}, which ${problem}`);
  }
  return { visited, broken, outside: [...outside].sort() };

  async function problemOf(url: string, fragment: string): Promise<string | null> {
    const { status, body } = visited.get(url) ?? (await visit(url));
    if (status !== 200 && (status < 300 || status > 399)) return `is ${status}`;
    if (fragment === '') return null;
    const known = ids.get(url) ?? idsIn(body);
    ids.set(url, known);
    return known.has(fragment) ? null : 'has no such place';
  }

  async function visit(url: string): Promise<Reply> {
    const reply = await client.get(url);
    visited.set(url, reply);
    for (const link of linksOf(new URL(url), reply)) {
      const target = URL.parse(link, url);
      if (target === null) broken.push(`${url} links to ${link}, which is not a URL`);
      else if (origins.includes(target.origin)) {
        // Filters lead to more filters without an end.
        const isFollowed = target.search === '' || !url.includes('?') || link.startsWith('#');
        if (isFollowed && !links.has(target.href)) links.set(target.href, url);
      } else if (target.protocol !== 'data:') outside.add(target.href);
    }
    return reply;
  }
}

function linksOf(url: URL, { headers, body }: Reply): string[] {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const file = url.pathname.endsWith('/llms.txt') ? 'llms.txt' : (FILES[type] ?? path.basename(url.pathname));
  const inHead = [headers.link].flat().flatMap((link) => [...(link ?? '').matchAll(/<([^>]*)>/g)]);
  return [
    ...(headers.location === undefined ? [] : [headers.location]),
    ...inHead.map(([, link = '']) => link),
    ...(url.pathname.endsWith(OPENAPI) ? [] : linksIn(file, body)),
  ];
}

export type HostClient = ReturnType<typeof openHostClient>;

/** Sends all requests to the proxy, with the host that their URLs have. */
export function openHostClient({ port, ca }: Front) {
  const scheme = ca === undefined ? http : https;
  const agent = new scheme.Agent({ keepAlive: true, ca });
  return {
    port,
    get: (url: string, headers: Record<string, string> = {}): Promise<Reply> => {
      const { host, hostname, pathname, search } = new URL(url);
      const { promise, resolve, reject } = Promise.withResolvers<Reply>();
      const receive = (response: http.IncomingMessage) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const body = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        });
      };
      const target = { host: '127.0.0.1', port, servername: hostname, path: pathname + search };
      scheme.get({ ...target, agent, headers: { host, ...headers } }, receive).on('error', reject);
      return promise;
    },
    close: () => agent.destroy(),
  };
}
