// The progress of long work: a bar on a terminal, and elsewhere a line every 10 seconds.
import type { Cli } from '../cli.ts';
import { escapeName } from './plain.ts';
import { splitAtWidth, widthOf } from './width.ts';

const DRAW_MS = 100;
const LINE_MS = 10_000;
const BAR_WIDTH_MAX = 24;
const BAR_WIDTH_MIN = 6;

export type Progress = Readonly<{
  done: (amount: number) => void;
  /** Removes the bar. */
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
  { what: work, whole, format, now = () => performance.now() }: Work,
): Progress {
  const what = escapeName(work);
  const startedAt = now();
  // A dumb terminal cannot redraw a line.
  const terminal = cli.environment.TERM === 'dumb' ? undefined : cli.terminal;
  const intervalMs = terminal ? DRAW_MS : LINE_MS;
  let shownAt = startedAt;
  let isDrawn = false;
  return {
    done: (amount) => {
      const time = now();
      if (time - shownAt < intervalMs) return;
      shownAt = time;
      const share = whole === 0 ? 1 : Math.min(1, amount / whole);
      const rate = `${format(Math.round(amount / ((time - startedAt) / 1000)))}/s`;
      const figures = `${Math.floor(share * 100)} %, ${format(amount)}, ${rate}`;
      if (terminal) terminal.draw(`\r\x1b[K${fit(terminal.columns(), what, share, figures)}`);
      else cli.say(`changelog: ${what}: ${figures}`);
      isDrawn = true;
    },
    end: () => {
      if (isDrawn) terminal?.draw('\r\x1b[K');
    },
  };
}

/** Shortens the bar, then drops it, then cuts the line. */
function fit(columns: number, what: string, share: number, figures: string): string {
  const width = Math.max(0, columns - 1);
  const barWidth = Math.min(BAR_WIDTH_MAX, width - widthOf(`${what} [] ${figures}`));
  if (barWidth < BAR_WIDTH_MIN) return width === 0 ? '' : splitAtWidth(`${what} ${figures}`, width)[0];
  const filled = Math.round(share * barWidth);
  return `${what} [${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${figures}`;
}

export function formatMib(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

export function formatVersions(count: number): string {
  return `${count.toLocaleString('en')} version${count === 1 ? '' : 's'}`;
}
