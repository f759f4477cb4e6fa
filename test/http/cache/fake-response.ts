import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A response whose client reads, or does not. */
export function fakeResponse() {
  let isFull = false;
  const events = new EventEmitter();
  let bytes = 0;
  let isEnded = false;
  const take = (buffer: Buffer) => {
    bytes += buffer.length;
    return !isFull;
  };
  const response = Object.assign(events, {
    destroyed: false,
    write: take,
    end: (buffer: Buffer) => {
      take(buffer);
      isEnded = true;
    },
    bytes: () => bytes,
    isEnded: () => isEnded,
    fill: () => {
      isFull = true;
    },
    drain: () => {
      isFull = false;
      events.emit('drain');
    },
    hangUp: () => {
      response.destroyed = true;
      events.emit('close');
    },
  });
  return response as unknown as ServerResponse & Omit<typeof response, keyof EventEmitter>;
}

/** A client that waits for a response and may hang up, with the headers of its request. */
export function fakeClient(client = 'one', headers: IncomingMessage['headers'] = {}, method = 'GET') {
  const socket = { readableEnded: false };
  const request = { socket, headers, method } as unknown as IncomingMessage;
  return { client, request, response: fakeResponse(), startedAt: performance.now(), socket };
}
