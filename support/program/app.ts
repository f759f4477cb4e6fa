// The service inside the test process, for `inject` or on a real socket.
import { setImmediate } from 'node:timers/promises';
import inject, { type InjectOptions, type Response } from 'light-my-request';
import { collectLines, type Lines } from '../../cluster/lines.ts';
import { type Environment, readConfig } from '../../src/config.ts';
import type { HubsFor } from '../../src/domain/hook.ts';
import { type App, buildApp } from '../../src/http/app.ts';
import { openCounters } from '../../src/http/guards/counters/exchange.ts';
import { createLog } from '../../src/http/telemetry/log.ts';
import { listen } from '../../src/serve/listen.ts';
import type { QueryEvent } from '../../src/store/engine/engine.ts';
import { openSource } from '../../src/store/source/open.ts';
import { openRenderer } from '../../src/text/render.ts';
import { environmentOf } from '../databases/engine.ts';
import { stretched } from '../processes/busy.ts';
import type { Scope } from '../processes/scope.ts';
import type { Sandbox } from './command.ts';
import { assertDescribed } from './openapi.ts';

/** The service, with a way to send requests without a socket. */
export type TestApp = App & Readonly<{ inject: (options: InjectOptions | string) => Promise<Response> }>;

export type StartedApp = { app: TestApp; queries: QueryEvent[]; logLines: string[]; log: Lines };

/** Shared by all tests of a process: HTML depends only on the Markdown text. */
const render = openRenderer(1);

/** `countMsMax`: a process that serves many requests at once on a busy machine may exceed what is right for one. */
type Options = Readonly<{ countMsMax?: number; hubsFor?: HubsFor }>;

/** Limits are out of reach unless a test sets them. */
const DEFAULTS: Environment = { PUBLIC_RATE_LIMIT: '1000000', LOG_LEVEL: 'info' };

export async function startApp(
  scope: Scope,
  sandbox: Sandbox,
  environment: Environment = {},
  { countMsMax, hubsFor }: Options = {},
): Promise<StartedApp> {
  const queries: QueryEvent[] = [];
  const lines = collectLines();
  const config = readConfig({ ...(await environmentOf(sandbox)), ...DEFAULTS, ...environment });
  const source = await openSource(config.databaseUrls, {
    onQuery: (event) => queries.push(event),
    limit: stretched,
  });
  const log = createLog(config.logLevel, { write: lines.add });
  const counters = await openCounters({ ...config, isWorker: false }, log, countMsMax);
  const app = buildApp({ config, source, log, render, counters, ...(hubsFor && { hubsFor }) });
  scope.after(async () => {
    counters.close();
    await source.close();
  });
  const gated = config.gate !== null;
  return {
    app: { ...app, inject: injectAndCheck(app, { gated }) },
    queries,
    logLines: lines.all,
    log: lines,
  };
}

/**
 * Checks every response against the OpenAPI document. Waits first, because a request over a socket is also read in a
 * later tick of the event loop than the one that sent it.
 */
function injectAndCheck({ handle }: App, options: Readonly<{ gated: boolean }>) {
  return async (asked: InjectOptions | string): Promise<Response> => {
    await setImmediate();
    const response = await inject(handle, asked);
    const { method, url } = typeof asked === 'string' ? { method: 'GET', url: asked } : asked;
    const checked = {
      method: method ?? 'GET',
      url: String(url),
      status: response.statusCode,
      headers: response.headers,
      body: response.body,
    };
    assertDescribed(checked, options);
    // The log line is written after the response.
    await setImmediate();
    return response;
  };
}

/** Starts the service on a free port; also returns its URL. */
export async function listenApp(
  scope: Scope,
  sandbox: Sandbox,
  environment: Environment = {},
  options: Options = {},
): Promise<StartedApp & { address: string; port: number }> {
  const started = await startApp(scope, sandbox, environment, options);
  scope.after(async () => {
    started.app.server.closeAllConnections();
    await new Promise((resolve) => started.app.server.close(resolve));
  });
  const address = await listen(started.app, { host: '127.0.0.1', port: 0 });
  return { ...started, address, port: Number(new URL(address).port) };
}
