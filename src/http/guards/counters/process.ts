import { type Allowance, type Count, ZERO_COUNT } from './counters.ts';
import { type WindowOptions, WindowTable } from './windows.ts';

type ProcessCounters = Readonly<{
  add: (allowance: Allowance, client: string, points: number) => Count;
  close: () => void;
}>;

export function processCounters({
  clientsMax,
  now = () => performance.now(),
}: WindowOptions = {}): ProcessCounters {
  const table = new WindowTable(clientsMax);
  return {
    add: ({ kind, max, windowSeconds }, client, points) => {
      const time = now();
      const windows = table.of(kind, time);
      let window = windows.find(client, time);
      if (window === undefined) {
        if (points === 0) return ZERO_COUNT;
        window = windows.begin(client, time, time + windowSeconds * 1_000);
      }
      window.count += points;
      if (window.count >= max) windows.keep(window);
      return { count: window.count, msBeforeNext: window.msLeft(time) };
    },
    close: () => table.clear(),
  };
}
