// A product of somebody else with the widget in it, and the pages of the service behind a proxy that has browsers report
// every violation of their content security policy.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Scope } from '../../cluster/scope.ts';
import type { Finding } from '../pages/site.ts';
import type { Window } from './window.ts';

export type Host = Readonly<{
  origin: string;
  /** The origin of the service. */
  service: string;
  /** The violations that browsers have reported: each the URL of a page, a directive and what it blocked. */
  reports: string[];
}>;

/** How much a run looks at. */
export type Extent = Readonly<{ sizes: readonly (readonly [number, number])[]; paths: readonly string[] }>;

export type Check = (window: Window, host: Host, extent: Extent) => Promise<Finding>;

/** The page with the widget. */
export const PRODUCT_PAGE = '/product';
const REPORTS = '/reports';
const RECORDER = '/record.js';

export async function startHost(scope: Scope, service: string): Promise<Host> {
  const reports: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.url === REPORTS) {
      reports.push(describe(await text(request)));
      response.writeHead(204).end();
    } else if (request.url === PRODUCT_PAGE) {
      response.writeHead(200, {
        'content-type': 'text/html',
        'content-security-policy': strictPolicy(service),
      });
      response.end(writePage(service));
    } else if (request.url === RECORDER) {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(RECORD);
    } else await forward(service, request, response);
  });
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { origin: `http://127.0.0.1:${port}`, service, reports };
}

function describe(report: string): string {
  const { 'csp-report': found } = JSON.parse(report);
  return `${found['document-uri']}: ${found['effective-directive'] ?? found['violated-directive']} ${found['blocked-uri']}`;
}

/** As docs/widget.md asks for, and nothing else but the icon and the recorder of the page itself. */
const strictPolicy = (service: string) =>
  `default-src 'none'; img-src 'self'; script-src 'self' ${service}; connect-src ${service}; require-trusted-types-for 'script'; trusted-types 'none'; report-uri ${REPORTS}`;

/** Notes what would be an error or a warning in the console. */
const RECORD = `window.problems = [];
for (const type of ['error', 'unhandledrejection'])
  addEventListener(type, (event) => problems.push(type + ': ' + (event.message ?? event.reason)), true);
for (const name of ['error', 'warn']) console[name] = (...values) => problems.push(name + ': ' + values.join(' '));`;

const writePage = (service: string) => `<!doctype html><html lang="en"><head><title>Product</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<script src="${RECORDER}"></script><script type="module" src="${service}/widget.js"></script></head>
<body><main><h1>Product</h1><whats-new team="acme" product="rocket" first>
<a href="${service}/changelog/acme/rocket">What's new</a></whats-new></main></body></html>`;

async function forward(service: string, { url = '' }: IncomingMessage, response: ServerResponse) {
  const answer = await fetch(service + url);
  const policy = answer.headers.get('content-security-policy');
  response.writeHead(answer.status, {
    'content-type': answer.headers.get('content-type') ?? 'text/plain',
    ...(policy !== null && { 'content-security-policy': `${policy}; report-uri ${REPORTS}` }),
  });
  response.end(await answer.text());
}
