// How far long work has come: a bar on a terminal, a line now and then elsewhere, and nothing for short work.
import type { Cli } from '../cli.ts';
import { escapeName } from './plain.ts';
import { splitAtWidth, widthOf } from './width.ts';

const DRAW_MS = 100;
const LINE_MS = 10_000;
const BAR_CELLS_MAX = 24;
const BAR_CELLS_MIN = 6;

export type Progress = Readonly<{
  /** So much of the whole is done. */
  done: (amount: number) => void;
  /** Takes the bar away. */
  end: () => void;
}>;

type Work = Readonly<{
  /** `applying acme.yaml` */
  what: string;
  whole: number;
  /** Writes an amount, such as `12 MiB` or `1,000 versions`. */
  write: (amount: number) => string;
  now?: () => number;
}>;

export const NO_PROGRESS: Progress = { done: () => {}, end: () => {} };

export function startProgress(
  cli: Cli,
  { what: work, whole, write, now = () => performance.now() }: Work,
): Progress {
  const what = escapeName(work);
  const startedAt = now();
  // A terminal that cannot go back in a line is as good as none.
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
      const rate = `${write(Math.round(amount / ((time - startedAt) / 1000)))}/s`;
      const figures = `${Math.floor(share * 100)} %, ${write(amount)}, ${rate}`;
      if (terminal) terminal.draw(`\r\x1b[K${fit(terminal.columns(), what, share, figures)}`);
      else cli.say(`changelog: ${what}: ${figures}`);
      isDrawn = true;
    },
    end: () => {
      if (isDrawn) terminal?.draw('\r\x1b[K');
    },
  };
}

/** What does not fit goes: first some of the bar, then all of it, then the end of the line. */
function fit(columns: number, what: string, share: number, figures: string): string {
  const room = Math.max(0, columns - 1);
  const cells = Math.min(BAR_CELLS_MAX, room - widthOf(`${what} [] ${figures}`));
  if (cells < BAR_CELLS_MIN) return room === 0 ? '' : splitAtWidth(`${what} ${figures}`, room)[0];
  const filled = Math.round(share * cells);
  return `${what} [${'#'.repeat(filled)}${'-'.repeat(cells - filled)}] ${figures}`;
}

export function formatMib(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

export function formatVersions(count: number): string {
  return `${count.toLocaleString('en')} versions`;
}
