// The operations listener (R36): health and metrics for operators, domains for their proxies, on a separate port.
import { createServer, type ServerResponse } from 'node:http';
import type { MaybePromise } from '../domain/maybe-promise.ts';
import { listen, OPERATIONS } from './listen.ts';

export type Operations = Readonly<{
  isReady: () => Promise<boolean>;
  /** Whether a public product has this domain; the name is in lower case. */
  isDomain: (name: string) => MaybePromise<boolean>;
  registry: () => Promise<Readonly<{ contentType: string; metrics: () => Promise<string> }>>;
}>;

const PATHS = ['/livez', '/readyz', '/domains', '/metrics'];
/** What Caddy requests before it obtains a certificate. Anything but a host name is not found, without a look-up. */
const ASKED_DOMAIN = /^\/domains\?domain=([A-Za-z\d.-]{1,253})$/;
const TEXT = 'text/plain; charset=utf-8';

export async function listenForOperations(
  target: { host: string; port: number },
  operations: Operations,
): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    respond(request.method ?? '', request.url ?? '', response, operations).catch(() =>
      send(response, 500, 'failed\n'),
    );
  });
  return {
    url: await listen({ server }, target, OPERATIONS),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function respond(
  method: string,
  url: string,
  response: ServerResponse,
  { isReady, isDomain, registry }: Operations,
): Promise<void> {
  const [path = ''] = url.split('?', 1);
  if (!PATHS.includes(path)) return send(response, 404, 'not found\n');
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return send(response, 405, 'method not allowed\n');
  }
  if (path === '/livez') return send(response, 200, 'alive\n');
  if (path === '/readyz')
    return (await isReady()) ? send(response, 200, 'ready\n') : send(response, 503, 'not ready\n');
  if (path === '/domains') {
    const [, name] = ASKED_DOMAIN.exec(url) ?? [];
    const isDeclared = name !== undefined && (await isDomain(name.toLowerCase()));
    return isDeclared ? send(response, 200, 'declared\n') : send(response, 404, 'not found\n');
  }
  const current = await registry();
  return send(response, 200, await current.metrics(), current.contentType);
}

function send(response: ServerResponse, status: number, body: string, contentType = TEXT): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}
