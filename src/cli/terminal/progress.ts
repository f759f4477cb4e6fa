// The progress of long work: one line on a terminal, and elsewhere a line every 10 seconds.
import type { Cli } from '../cli.ts';
import { count, escapeName } from './plain.ts';
import { cutToWidth } from './width.ts';

const DRAW_MS = 100;
const LINE_MS = 10_000;
const CLEAR = '\r\x1b[K';

export type Progress = Readonly<{
  done: (amount: number) => void;
  /** Removes the line from a terminal. */
  end: () => void;
}>;

type Work = Readonly<{
  /** `applying acme.yaml` */
  what: string;
  whole: number;
  /** `12 MiB` or `1,000 versions` */
  format: (amount: number) => string;
  now?: () => number;
}>;

export const NO_PROGRESS: Progress = { done: () => {}, end: () => {} };

export function startProgress(
  cli: Cli,
  { what, whole, format, now = () => performance.now() }: Work,
): Progress {
  const startedAt = now();
  // A dumb terminal cannot redraw a line.
  const terminal = cli.environment.TERM === 'dumb' ? undefined : cli.terminal;
  let shownAt = startedAt;
  return {
    done: (amount) => {
      const time = now();
      if (time - shownAt < (terminal ? DRAW_MS : LINE_MS)) return;
      shownAt = time;
      const share = whole === 0 ? 1 : Math.min(1, amount / whole);
      const line = `${escapeName(what)}: ${Math.floor(share * 100)} %, ${format(amount)}`;
      if (terminal === undefined) cli.say(`changelog: ${line}`);
      else terminal.draw(CLEAR + cutToWidth(line, terminal.columns() - 1));
    },
    end: () => {
      if (shownAt > startedAt) terminal?.draw(CLEAR);
    },
  };
}

export function formatMib(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

export const formatVersions = (amount: number) => count(amount, 'version');
