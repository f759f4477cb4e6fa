// The progress of long work: one line on a terminal, and elsewhere a line every 10 seconds.
import type { Cli } from '../cli.ts';
import { cutToWidth } from './table.ts';
import { count, escapeName } from './text.ts';

const DRAW_MS = 100;
const LINE_MS = 10_000;
const CLEAR = '\r\x1b[K';

/** What is done, of how much if that is known. */
export type Done = (amount: number, whole?: number) => void;

type Work = Readonly<{
  /** `applying acme.yaml` */
  what: string;
  /** `12 MiB` or `1,000 versions` */
  format: (amount: number) => string;
  now?: () => number;
}>;

export async function withProgress<T>(
  cli: Cli,
  { what, format, now = () => performance.now() }: Work,
  work: (done: Done) => Promise<T>,
): Promise<T> {
  const startedAt = now();
  // A dumb terminal cannot redraw a line.
  const terminal = cli.environment.TERM === 'dumb' ? undefined : cli.terminal;
  let shownAt = startedAt;
  const done: Done = (amount, whole) => {
    const time = now();
    if (time - shownAt < (terminal ? DRAW_MS : LINE_MS)) return;
    shownAt = time;
    const share = whole ? `${Math.min(100, Math.floor((amount / whole) * 100))} %, ` : '';
    const line = `${escapeName(what)}: ${share}${format(amount)}`;
    if (terminal === undefined) cli.say(`changelog: ${line}`);
    else terminal.draw(CLEAR + cutToWidth(line, terminal.columns() - 1));
  };
  try {
    return await work(done);
  } finally {
    if (shownAt > startedAt) terminal?.draw(CLEAR);
  }
}

export function formatMib(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

export const formatVersions = (amount: number) => count(amount, 'version');
