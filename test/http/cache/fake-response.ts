import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';

/** A response whose client reads, or does not. */
export function fakeResponse({ isFull = false } = {}) {
  const events = new EventEmitter();
  let bytes = 0;
  let isEnded = false;
  const take = (buffer: Buffer) => {
    bytes += buffer.length;
    return !isFull || bytes === 0;
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
