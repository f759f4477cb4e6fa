// A receiver of hooks on loopback, and a sandbox whose hooks lead there.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { before } from 'node:test';
import { sharedScope } from '../../../support/processes/scope.ts';
import type { Sandbox } from '../../../support/program/command.ts';
import { sandboxOf } from '../helpers.ts';

export type Received = Readonly<{
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}>;

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** What `hooks:` lists; `URL` is the receiver. */
export function sandboxWithHooks(hooks: string) {
  const scope = sharedScope();
  const sandbox: Sandbox = sandboxOf(scope, {
    environment: { HOOKS: 'hooks.yaml', SECRET, BASE_URL: 'https://changes.example' },
  });
  const received: Received[] = [];
  const state = { status: 204, path: '' };
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, path: url, headers, body });
      response.writeHead(url.startsWith(state.path) ? state.status : 204).end();
    });
  });
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    scope.after(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    writeFileSync(path.join(sandbox.folder, 'hooks.yaml'), `hooks:\n${hooks.replaceAll('URL', url)}`);
  });
  return {
    scope,
    sandbox,
    /** What arrived since it was last taken. */
    take: () => received.splice(0),
    /** The status of all responses from now on, or of those to some paths. */
    respondWith: (status: number, path = '') => Object.assign(state, { status, path }),
  };
}

export const labelsOf = (received: readonly Received[]): string[] =>
  received.map(({ body }) => JSON.parse(body).data.version as string);
