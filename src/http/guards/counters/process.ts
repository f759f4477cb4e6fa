import { type Allowance, type Count, ZERO_COUNT } from './counters.ts';
import { CLIENTS_MAX, Windows } from './windows.ts';

/** Counters within this process. */
export function processCounters({ clientsMax = CLIENTS_MAX, now = () => performance.now() } = {}) {
  const kinds = new Map<string, Windows>();

  function addKind(kind: string, time: number): Windows {
    // A kind whose windows have all expired may belong to old settings.
    for (const [name, windows] of kinds) if (windows.lastEndsAt <= time) kinds.delete(name);
    const windows = new Windows(clientsMax);
    kinds.set(kind, windows);
    return windows;
  }

  return {
    add: ({ kind, max, windowSeconds }: Allowance, client: string, points: number): Count => {
      const time = now();
      const windows = kinds.get(kind) ?? addKind(kind, time);
      let window = windows.find(client, time);
      if (window === undefined) {
        if (points === 0) return ZERO_COUNT;
        window = windows.begin(client, time, time + windowSeconds * 1_000);
      }
      window.count += points;
      if (window.count >= max) windows.keep(window);
      return { count: window.count, msBeforeNext: window.msLeft(time) };
    },
    close: () => kinds.clear(),
  };
}
