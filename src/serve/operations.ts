// The operations listener (R36): for those who run the service, on a port of its own.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { Refusal } from '../errors.ts';
import { listenUrl } from '../http/urls.ts';
import { describeListenError } from './listen.ts';

export type Operations = Readonly<{
  /** May requests be sent here? */
  isReady: () => Promise<boolean>;
  metrics: () => Promise<{ contentType: string; text: string }>;
}>;

const TEXT = 'text/plain; charset=utf-8';

export async function listenForOperations(
  { host, port }: { host: string; port: number },
  operations: Operations,
): Promise<{ address: string; close: () => void }> {
  const server = createServer((request, response) => {
    answer(request.method ?? '', request.url ?? '', response, operations).catch(() =>
      send(response, 500, 'failed\n'),
    );
  });
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const reason = describeListenError(error as NodeJS.ErrnoException, {
      host,
      port,
      given: { host: 'OPS_HOST', port: 'OPS_PORT' },
    });
    throw new Refusal(reason, { cause: error });
  }
  return {
    address: listenUrl(server, { host, port }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  method: string,
  url: string,
  response: ServerResponse,
  { isReady, metrics }: Operations,
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
  const { contentType, text } = await metrics();
  return send(response, 200, text, contentType);
}

function send(response: ServerResponse, status: number, body: string, contentType = TEXT): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}
