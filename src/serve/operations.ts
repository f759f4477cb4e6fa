// The operations listener (R36): health and metrics for operators, domains for their proxies, on a separate port. With
// workers, it is in the primary process, which asks them.
import type { Worker } from 'node:cluster';
import { createServer, type ServerResponse } from 'node:http';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import type { MaybePromise } from '../domain/maybe-promise.ts';
import type { Log } from '../http/telemetry/log.ts';
import { listen, OPERATIONS } from './listen.ts';
import { type Question, sendCommand, sendEvent, type WorkerCommand, type WorkerEvent } from './messages.ts';

export type Operations = Readonly<{
  isReady: () => Promise<boolean>;
  /** Whether a public product has this domain; the name is in lower case. */
  isDomain: (name: string) => MaybePromise<boolean>;
  /** Null without an operations listener. */
  registry: () => MaybePromise<Pick<Registry, 'contentType' | 'metrics' | 'getMetricsAsJSON'> | null>;
}>;

/** What a worker says of itself. */
type State = Readonly<{ isReady: boolean; metrics: MetricObjectWithValues<MetricValue<string>>[] }>;

/** A slower worker is left out. */
const ANSWER_MS_MAX = 1_000;
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
  send(response, 200, (await current?.metrics()) ?? '', current?.contentType);
}

function send(response: ServerResponse, status: number, body: string, contentType = TEXT): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}

/** Runs in a worker. */
export function answerPrimary({ isReady, isDomain, registry }: Operations, log: Log): void {
  const stateOf = async (): Promise<State> => ({
    isReady: await isReady(),
    metrics: (await (await registry())?.getMetricsAsJSON()) ?? [],
  });
  const answerTo = async ({ domain }: Question) => (domain === undefined ? stateOf() : isDomain(domain));
  process.on('message', (command: WorkerCommand) => {
    if (typeof command === 'string') return;
    answerTo(command)
      .then((answer) => sendEvent({ question: command.question, answer }))
      .catch((error: unknown) => log.error({ err: error }, 'operations report failed'));
  });
}

/** Runs in the primary process: ready if any worker is, with metrics aggregated over the workers. */
export function operationsOf(listWorkers: () => readonly Worker[]): Operations {
  let questions = 0;
  async function ask<Answer>(about: { domain?: string } = {}): Promise<Answer[]> {
    const question = { question: ++questions, ...about };
    const answers = await Promise.all(listWorkers().map((worker) => answerOf(worker, question)));
    return answers.filter((answer) => answer !== null) as Answer[];
  }
  return {
    isReady: async () => (await ask<State>()).some(({ isReady }) => isReady),
    isDomain: async (domain) => (await ask<boolean>({ domain })).some(Boolean),
    registry: async () => {
      const { default: prometheus } = await import('prom-client');
      return prometheus.AggregatorRegistry.aggregate((await ask<State>()).map(({ metrics }) => metrics));
    },
  };
}

/** Null if it takes too long. */
function answerOf(worker: Worker, question: Question): Promise<unknown> {
  return new Promise((resolve) => {
    const end = (answer: unknown) => {
      clearTimeout(timer);
      worker.off('message', onEvent);
      resolve(answer);
    };
    const timer = setTimeout(end, ANSWER_MS_MAX, null);
    const onEvent = (event: WorkerEvent) => {
      if ('question' in event && event.question === question.question) end(event.answer);
    };
    worker.on('message', onEvent);
    sendCommand(worker, question);
  });
}
