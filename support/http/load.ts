// Clients that send requests continuously and record status, time and failure of each.
import { EventEmitter } from 'node:events';
import http from 'node:http';

export type TimedResponse = Readonly<{ status: number; ms: number; failure: string | null }>;

export type Load = Readonly<{
  /** The next `count` responses from now on. */
  next: (count: number) => Promise<TimedResponse[]>;
  /** Stops and returns all responses since the start. */
  stop: () => Promise<TimedResponse[]>;
}>;

type Clients = Readonly<{
  urls: readonly string[];
  /** The number of clients that keep their connection. */
  lasting: number;
  /** The number of clients that open a new connection for each request. */
  fresh?: number;
  headers?: Record<string, string>;
}>;

const REQUEST_MS_MAX = 60_000;

export function startLoad({ urls, lasting, fresh = 0, headers = {} }: Clients): Load {
  const responses: TimedResponse[] = [];
  const events = new EventEmitter().setMaxListeners(0);
  let stopped = false;

  async function sendAll(keepAlive: boolean, first: number): Promise<void> {
    const agent = new http.Agent({ keepAlive, maxSockets: 1 });
    for (let turn = first; !stopped; turn++) {
      responses.push(await request(urls[turn % urls.length] as string, agent, headers));
      events.emit('response');
    }
    agent.destroy();
  }

  const clients = Array.from({ length: lasting + fresh }, (_, index) => sendAll(index < lasting, index));
  return {
    next: (count) => {
      const from = responses.length;
      return new Promise((resolve) => {
        const check = () => {
          if (responses.length < from + count) return;
          events.off('response', check);
          resolve(responses.slice(from, from + count));
        };
        events.on('response', check);
      });
    },
    stop: async () => {
      stopped = true;
      await Promise.all(clients);
      return responses;
    },
  };
}

export function request(
  url: string,
  agent: http.Agent,
  headers: Record<string, string> = {},
): Promise<TimedResponse & { headers: http.IncomingHttpHeaders }> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const done = (status: number, failure: string | null, received: http.IncomingHttpHeaders = {}) =>
      resolve({ status, ms: performance.now() - startedAt, failure, headers: received });
    const sent = http.get(url, { agent, headers, timeout: REQUEST_MS_MAX }, (response) => {
      response.resume();
      response.on('end', () => done(response.statusCode ?? 0, null, response.headers));
      response.on('error', (error) => done(0, error.message));
    });
    sent.on('timeout', () => sent.destroy(new Error('timed out')));
    sent.on('error', (error) => done(0, error.message));
  });
}

/** The response time that `share` of the responses did not exceed. */
export function percentile(responses: readonly Pick<TimedResponse, 'ms'>[], share: number): number {
  const times = responses.map(({ ms }) => ms).sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
}

export function countStatuses(responses: readonly Omit<TimedResponse, 'ms'>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, failure } of responses) {
    const what = failure ?? String(status);
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}
