// A page of somebody else that uses the widget, the service that it reads, and a browser to open it in.
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { before } from 'node:test';
import type { Page } from 'playwright-core';
import type { Environment } from '../../../src/config.ts';
import type { Browser, OpenedPage } from '../../../support/browser/chromium.ts';
import { type Scope, sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { listenApp } from '../../../support/program/app.ts';
import { apply, type Sandbox } from '../../../support/program/command.ts';
import { sharedChromium } from '../../support/browser.ts';

const CLIENT = new URL('../../../client/', import.meta.url);
const SCRIPTS = new Map(
  globSync(['widget.js', 'widget/*.js'], { cwd: CLIENT }).map((file) => [
    `/${file}`,
    readFileSync(new URL(file, CLIENT)),
  ]),
);

export const FEED = '/api/v1/public/teams/acme/products/rocket/changelog';

export type Stage = {
  scope: Scope;
  sandbox: Sandbox;
  browser: Browser;
  /** The origin of the service. */
  api: string;
  /** The origin of the page. */
  host: string;
  /** The markup of an element; `%` in attributes and content stands for the service's origin. */
  element: (attributes?: string, content?: string) => string;
  publish: (...versions: object[]) => Promise<void>;
  serve: (html: string, headers?: Record<string, string>) => string;
  open: (html: string, options?: OpenOptions) => Promise<Opened>;
};

type OpenOptions = Readonly<{
  headers?: Record<string, string>;
  colorScheme?: 'light' | 'dark';
  width?: number;
  /** Runs before the page's own scripts. */
  init?: string;
}>;

export type Opened = OpenedPage & Readonly<{ url: string; asked: string[] }>;

export function version(number: string, more: object = {}): object {
  return {
    id: `ver_${number.replaceAll('.', '')}`,
    version: number,
    title: `Release ${number}`,
    status: 'published',
    publishedAt: `20${number.replaceAll('.', '').padStart(2, '0').slice(0, 2)}-03-04T09:00:00Z`,
    changes: [{ type: 'added', text: `Something for **${number}**.` }],
    ...more,
  };
}

/** Shared by the tests of a suite; call it in the body of `describe`. */
export function setStage(versions: object[], environment: Environment = {}): Stage {
  const scope = sharedScope();
  const sandbox = { folder: temporaryFolder(scope) };
  const stage = { scope, sandbox } as Stage;
  const pages = new Map<string, { html: string; headers: Record<string, string> }>();

  stage.element = (attributes = '', content = `<a href="%/changelog/acme/rocket">What's new</a>`) =>
    `<whats-new team="acme" product="rocket" base-url="%" ${attributes}>${content}</whats-new>`.replaceAll(
      '%',
      stage.api,
    );
  stage.publish = async (...more) => {
    const changelog = { id: 'cl_rocket', name: 'Rocket changelog', status: 'published', versions: more };
    const products = [{ slug: 'rocket', name: 'Rocket', status: 'published', changelog }];
    await apply(sandbox, {
      team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
      products,
    });
  };
  stage.serve = (html, headers = {}) => {
    const path = `/${pages.size}`;
    pages.set(path, { html, headers });
    return stage.host + path;
  };
  stage.open = async (html, { headers, init, ...options } = {}) => {
    const opened = await stage.browser.open({ origin: [stage.api, stage.host], ...options });
    const url = stage.serve(html, headers);
    if (init !== undefined) await opened.page.addInitScript(init);
    const asked = watchRequests(opened.page, stage.api);
    await opened.page.goto(url);
    return { ...opened, url, asked };
  };

  before(async () => {
    await stage.publish(...versions);
    stage.api = (await listenApp(scope, sandbox, environment)).address;
    const server = createServer((request, response) => {
      const path = request.url ?? '';
      const script = SCRIPTS.get(path);
      if (script) return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
      const page = pages.get(path);
      response.writeHead(page ? 200 : 404, { 'content-type': 'text/html', ...page?.headers });
      response.end(page?.html);
    });
    scope.after(() => {
      server.closeAllConnections();
      server.close();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stage.host = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    stage.browser = await sharedChromium();
  });
  return stage;
}

/** The requests to the service from now on, without its origin. */
export function watchRequests(page: Page, api: string): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(api)) asked.push(request.url().slice(api.length));
  });
  return asked;
}

/** A whole page with this content. */
export const document = (content: string, attributes = 'lang="en"', head = '') =>
  `<!doctype html><html ${attributes}><head><meta name="viewport" content="width=device-width"><title>Host</title>${head}<script type="module" src="/widget.js"></script></head><body><main><h1>Host</h1>${content}</main></body></html>`;
