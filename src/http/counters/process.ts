// Counts in this process. The library's own would be a promise, a timer and several objects a request; this is a look-up.
import type { Counted, Counters } from './counters.ts';

/** Beyond this many of a kind at once, the one whose window began first is forgotten: memory has an end, too. */
const CLIENTS_MAX = 200_000;

type Window = { count: number; readonly endsAt: number };

export function processCounters({ clientsMax = CLIENTS_MAX, now = () => performance.now() } = {}): Counters {
  /** All windows of a kind are of one length: those that began first also end first. */
  const kinds = new Map<string, Map<string, Window>>();

  function windowsOf(kind: string): Map<string, Window> {
    const known = kinds.get(kind);
    if (known !== undefined) return known;
    const windows = new Map<string, Window>();
    kinds.set(kind, windows);
    return windows;
  }

  function begin(windows: Map<string, Window>, client: string, time: number, windowSeconds: number): Window {
    windows.delete(client);
    for (const [oldest, { endsAt }] of windows) {
      if (endsAt > time && windows.size < clientsMax) break;
      windows.delete(oldest);
    }
    const window = { count: 0, endsAt: time + windowSeconds * 1_000 };
    windows.set(client, window);
    return window;
  }

  return {
    add: (kind, client, points, windowSeconds) => {
      const time = now();
      const windows = windowsOf(kind);
      let window = windows.get(client);
      if (window === undefined || window.endsAt <= time) window = begin(windows, client, time, windowSeconds);
      window.count += points;
      return counted(window, time);
    },
    look: (kind, client) => {
      const time = now();
      const window = kinds.get(kind)?.get(client);
      return window !== undefined && window.endsAt > time ? counted(window, time) : null;
    },
    close: () => kinds.clear(),
  };
}

/** In whole microseconds: what is lost in adding fractions must not make a window longer than it is. */
function counted({ count, endsAt }: Window, time: number): Counted {
  return { count, msBeforeNext: Math.round((endsAt - time) * 1_000) / 1_000 };
}
