// Counts in this process. The library's own would be a promise, a timer and several objects a request; this is a look-up.
import type { Counted, Counters } from './counters.ts';

/** Beyond this many at once the client whose window began first is forgotten: memory has an end, too. */
const KEYS_MAX = 200_000;

type Window = { count: number; readonly endsAt: number };

export function processCounters({ keysMax = KEYS_MAX, now = () => performance.now() } = {}): Counters {
  /** By the length of their windows: within one, those that began first also end first. */
  const kept = new Map<number, Map<string, Window>>();

  function begin(windows: Map<string, Window>, key: string, endsAt: number): Window {
    const time = now();
    for (const [oldest, window] of windows) {
      if (window.endsAt > time && windows.size < keysMax) break;
      windows.delete(oldest);
    }
    const window = { count: 0, endsAt };
    windows.set(key, window);
    return window;
  }

  return {
    add: (key, points, windowSeconds) => {
      const time = now();
      const windows = kept.get(windowSeconds) ?? new Map<string, Window>();
      kept.set(windowSeconds, windows);
      let window = windows.get(key);
      if (window !== undefined && window.endsAt <= time) {
        windows.delete(key);
        window = undefined;
      }
      window ??= begin(windows, key, time + windowSeconds * 1_000);
      window.count += points;
      return counted(window, time);
    },
    look: (key) => {
      const time = now();
      for (const windows of kept.values()) {
        const window = windows.get(key);
        if (window !== undefined && window.endsAt > time) return counted(window, time);
      }
      return null;
    },
    close: () => kept.clear(),
  };
}

function counted({ count, endsAt }: Window, time: number): Counted {
  return { count, msBeforeNext: endsAt - time };
}
