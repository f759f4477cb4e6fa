// A server that answers whatever a test wants answered, for what our own does not do at will.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { Scope } from '../../support/processes/scope.ts';

export type StandInAnswer = Readonly<{
  status?: number;
  headers?: Record<string, string>;
  body?: string | object;
  /** Is the body only begun? */
  isCut?: boolean;
}>;
export type StandInRequest = Readonly<{ url: string; headers: IncomingHttpHeaders }>;

/** `answer` null: the connection is cut. */
export async function startStandIn(
  scope: Scope,
  answer: (request: StandInRequest, count: number) => StandInAnswer | null,
): Promise<{ address: string; requests: StandInRequest[] }> {
  const requests: StandInRequest[] = [];
  const server = createServer((request, response) => {
    const seen = { url: request.url ?? '', headers: request.headers };
    requests.push(seen);
    const answered = answer(seen, requests.length);
    if (answered === null) return void request.socket.destroy();
    const { status = 200, headers = {}, body = '', isCut = false } = answered;
    response.writeHead(status, headers);
    response.write(typeof body === 'string' ? body : JSON.stringify(body));
    if (!isCut) response.end();
  });
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { address: `http://127.0.0.1:${port}`, requests };
}
