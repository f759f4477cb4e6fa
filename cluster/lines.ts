// Collects the lines of a log as they are written, and waits for one.
import { EventEmitter } from 'node:events';

export type Lines = Readonly<{
  all: string[];
  count: (text: string) => number;
  /** Resolves when `count` lines contain the text. */
  until: (text: string, count?: number) => Promise<void>;
}>;

export function collectLines(): Lines & { add: (line: string) => void } {
  const all: string[] = [];
  const added = new EventEmitter().setMaxListeners(0);
  const count = (text: string) => all.filter((line) => line.includes(text)).length;
  return {
    all,
    count,
    add: (line) => {
      all.push(line);
      added.emit('line', line);
    },
    until: (text, wanted = 1) =>
      new Promise((resolve) => {
        let seen = count(text);
        if (seen >= wanted) return resolve();
        const check = (line: string) => {
          if (!line.includes(text) || ++seen < wanted) return;
          added.off('line', check);
          resolve();
        };
        added.on('line', check);
      }),
  };
}
