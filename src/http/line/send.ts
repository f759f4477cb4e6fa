// The one way by which answers leave: headers as the stages have put them together, then the bytes, then what is noted.

import type { Log } from '../telemetry/log.ts';
import type { Exchange } from './exchange.ts';

/**
 * The bytes of a response. Small ones as a text of one character a byte: Node.js sends such a text in one piece together
 * with the headers, which is cheaper than to send two pieces.
 */
export type ResponseBody = string | readonly Buffer[];

export function byteLength(body: ResponseBody): number {
  if (typeof body === 'string') return body.length;
  return body.reduce((sum, piece) => sum + piece.length, 0);
}

export type Send = (exchange: Exchange, status: number, body: ResponseBody | null) => void;

/** Takes note of an answer that has been handed to the socket. */
export type OnSent = (exchange: Exchange, status: number, bytes: number) => void;

type QueuedResponse = Readonly<{ exchange: Exchange; status: number; body: ResponseBody | null }>;

/** With more than this many at once, the first would wait too long for the last. */
const TOGETHER_MAX = 32;

/**
 * The answers to all requests that came in together leave together, when each has been decided. Whoever waits for several
 * is woken once and not for each, and the processor does one thing at a time: by far the largest part of a hot request.
 */
export function createSend(log: Log, notes: readonly OnSent[]): Send {
  let waiting: QueuedResponse[] = [];

  function trySend(outgoing: QueuedResponse): void {
    try {
      sendNow(outgoing);
    } catch (error) {
      log.error({ reqId: outgoing.exchange.id, err: error }, 'answer not sent');
      outgoing.exchange.response.destroy();
    }
  }

  function sendWaiting(): void {
    const together = waiting;
    waiting = [];
    for (const outgoing of together) trySend(outgoing);
    for (const { exchange, status, body } of together) {
      const bytes = body === null || exchange.request.method === 'HEAD' ? 0 : byteLength(body);
      for (const note of notes) note(exchange, status, bytes);
    }
  }

  return (exchange, status, body) => {
    // Whatever goes wrong after an answer, there is no second one.
    if (exchange.isSent) return;
    exchange.isSent = true;
    if (waiting.length === 0) setImmediate(sendWaiting);
    waiting.push({ exchange, status, body });
    if (waiting.length === TOGETHER_MAX) sendWaiting();
  };
}

function sendNow({ exchange: { request, response, head }, status, body }: QueuedResponse): void {
  if (body !== null) head.push('content-length', String(byteLength(body)));
  response.writeHead(status, head);
  if (body === null || request.method === 'HEAD') return void response.end();
  if (typeof body === 'string') return void response.end(body, 'latin1');
  for (const piece of body) response.write(piece);
  response.end();
}
