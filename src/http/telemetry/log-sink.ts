// Where log lines are written: standard error, without ever waiting for whoever reads it.
import { constants, fstatSync, openSync, writeSync } from 'node:fs';

const STANDARD_ERROR = 2;
/** Gathered lines are written when they are this many characters, or when the first of them has waited for this long. */
const LUMP_CHARACTERS_MAX = 16_384;
const WAIT_MS_MAX = 10;

export type LogSink = Readonly<{
  /** At once. */
  write: (line: string) => void;
  /** Soon, together with others. */
  gather: (line: string) => void;
}>;

/**
 * A pipe that nobody empties would otherwise hold up every request once it is full. Lines that find no room are
 * dropped, and their number is told as soon as there is room again.
 */
export function openLogSink(fd: number = withoutWaiting(STANDARD_ERROR)): LogSink {
  let gathered = '';
  let lines = 0;
  /** The end of a lump whose beginning is written already: it must be next, or a line would be torn. */
  let rest: Buffer | null = null;
  let dropped = 0;

  /** Is everything of it out, or at least its beginning? */
  function begin(text: string): boolean {
    const bytes = Buffer.from(text);
    const written = tryWrite(fd, bytes);
    if (written < bytes.length && written > 0) rest = bytes.subarray(written);
    return written > 0;
  }

  function finishRest(): boolean {
    if (rest !== null) {
      const written = tryWrite(fd, rest);
      rest = written < rest.length ? rest.subarray(written) : null;
    }
    return rest === null;
  }

  function flush(): void {
    if (lines === 0) return;
    if (finishRest() && dropped > 0 && begin(noteDropped(dropped))) dropped = 0;
    if (!finishRest() || dropped > 0 || !begin(gathered)) dropped += lines;
    gathered = '';
    lines = 0;
  }

  function gather(line: string): void {
    if (lines === 0) setTimeout(flush, WAIT_MS_MAX);
    gathered += line;
    lines++;
    if (gathered.length > LUMP_CHARACTERS_MAX) flush();
  }

  process.on('exit', flush);
  return {
    write: (line) => {
      gather(line);
      flush();
    },
    gather,
  };
}

/** Opened anew, so that only this process stops waiting and not the others that share the pipe. */
function withoutWaiting(fd: number): number {
  if (!fstatSync(fd).isFIFO()) return fd;
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}

/** How many bytes found room. */
function tryWrite(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes);
  } catch {
    return 0;
  }
}

function noteDropped(lines: number): string {
  return `${JSON.stringify({ level: 40, time: new Date().toISOString(), lines, msg: 'log lines dropped' })}\n`;
}
