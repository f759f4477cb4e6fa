// The operations listener (R36): health and metrics for operators, on a separate port.
import { createServer, type ServerResponse } from 'node:http';
import { listen } from './listen.ts';

export type Operations = Readonly<{
  isReady: () => Promise<boolean>;
  registry: () => Promise<Readonly<{ contentType: string; metrics: () => Promise<string> }>>;
}>;

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
    url: await listen({ server }, target, { host: 'OPS_HOST', port: 'OPS_PORT' }),
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
  { isReady, registry }: Operations,
): Promise<void> {
  const path = url.split('?', 1)[0];
  if (path !== '/livez' && path !== '/readyz' && path !== '/metrics')
    return send(response, 404, 'not found\n');
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return send(response, 405, 'method not allowed\n');
  }
  if (path === '/livez') return send(response, 200, 'alive\n');
  if (path === '/readyz')
    return (await isReady()) ? send(response, 200, 'ready\n') : send(response, 503, 'not ready\n');
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
