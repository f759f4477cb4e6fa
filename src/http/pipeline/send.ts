// The only way that responses leave: the headers collected by the stages, then the bytes, then the log.
import type { ServerResponse } from 'node:http';
import type { Log } from '../telemetry/log.ts';
import type { Exchange, OnSent } from './exchange.ts';
import { ClientGone } from './waiter.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
export const HTML_TYPE = 'text/html; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';
export const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/**
 * A response's bytes. Small ones are a string with one character per byte: Node.js sends it together with the headers,
 * which is cheaper than two writes.
 */
export type ResponseBody = string | readonly Buffer[] | BodyStream;

/** A body made while it is sent. */
type BodyStream = Readonly<{ bytes: number; sendTo: (response: ServerResponse) => Promise<void> }>;

/** Text as a body with one character per byte. */
export function toBody(text: string): string {
  return Buffer.from(text).toString('latin1');
}

export function byteLength(body: ResponseBody): number {
  if (typeof body === 'string') return body.length;
  if ('bytes' in body) return body.bytes;
  return body.reduce((sum, piece) => sum + piece.length, 0);
}

export type Send = (exchange: Exchange, status: number, body: ResponseBody | null) => void;

type QueuedResponse = Readonly<{ exchange: Exchange; status: number; body: ResponseBody | null }>;

/** In a larger batch, the first would wait too long for the last. */
const BATCH_MAX = 32;

/**
 * Responses to requests that arrived together are sent together, once all are decided. A client that waits for several
 * wakes up once, and the CPU does one thing at a time: sending is by far the largest part of a cached read.
 */
export function createSend(log: Log, listeners: readonly OnSent[]): Send {
  let queue: QueuedResponse[] = [];

  function trySend(queued: QueuedResponse): void {
    const { id: reqId, trace, response } = queued.exchange;
    const abort = (error: unknown) => {
      if (!(error instanceof ClientGone)) log.error({ reqId, ...trace, err: error }, 'response not sent');
      response.destroy();
    };
    try {
      sendNow(queued)?.catch(abort);
    } catch (error) {
      abort(error);
    }
  }

  function sendBatch(): void {
    const batch = queue;
    queue = [];
    for (const queued of batch) trySend(queued);
    const sentAt = performance.now();
    for (const { exchange, status, body } of batch) {
      const bytes = body === null || exchange.request.method === 'HEAD' ? 0 : byteLength(body);
      for (const listener of listeners) listener(exchange, status, bytes, sentAt - exchange.startedAt);
    }
  }

  return (exchange, status, body) => {
    // A request gets one response, whatever fails afterwards.
    if (exchange.isSent) return;
    exchange.isSent = true;
    if (queue.length === 0) setImmediate(sendBatch);
    queue.push({ exchange, status, body });
    if (queue.length === BATCH_MAX) sendBatch();
  };
}

/** Returns a promise if the body is still to be made. */
function sendNow({ exchange, status, body }: QueuedResponse): Promise<void> | null {
  const { request, response, head } = exchange;
  if (body !== null) head.push('content-length', String(byteLength(body)));
  response.writeHead(status, head);
  if (body === null || request.method === 'HEAD') response.end();
  else if (typeof body === 'string') response.end(body, 'latin1');
  else if ('bytes' in body) return body.sendTo(response);
  else {
    for (const piece of body) response.write(piece);
    response.end();
  }
  return null;
}
