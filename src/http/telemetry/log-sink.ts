// Writes log lines to standard error without ever waiting for its reader. pino's destination (sonic-boom) would not do:
// with a full pipe it retries on a timer that keeps the process alive after SIGTERM, with a closed one its flush at
// exit never returns, and each line costs fifteen times as much.
import { constants, fstatSync, openSync, writeSync } from 'node:fs';

const STANDARD_ERROR = 2;
/** Queued lines are written once they reach this length together, or once the first has waited this long. */
const BATCH_CHARACTERS_MAX = 16_384;
const WAIT_MS_MAX = 10;

export type LogSink = ReturnType<typeof openLogSink>;

/** A full pipe drops lines instead of blocking requests. Their number is logged once the pipe has space again. */
export function openLogSink(fd: number = openNonBlocking(STANDARD_ERROR)) {
  let queued = '';
  let lines = 0;
  /** The end of a partial write. It must come next, or a line would be torn. */
  let rest = Buffer.alloc(0);
  let dropped = 0;
  let linesDropped = 0;

  function flush(): void {
    if (lines === 0) return;
    writeRest();
    if (rest.length === 0) {
      rest = Buffer.from(dropped > 0 ? droppedLine(dropped) + queued : queued);
      dropped = 0;
      writeRest();
    } else {
      dropped += lines;
      linesDropped += lines;
    }
    queued = '';
    lines = 0;
  }

  function writeRest(): void {
    if (rest.length > 0) rest = rest.subarray(tryWrite(fd, rest));
  }

  /** Writes soon, together with other lines. */
  function queue(line: string): void {
    if (lines === 0) setTimeout(flush, WAIT_MS_MAX);
    queued += line;
    lines++;
    if (queued.length > BATCH_CHARACTERS_MAX) flush();
  }

  process.on('exit', flush);
  return {
    /** Writes immediately. */
    write: (line: string): void => {
      queue(line);
      flush();
    },
    queue,
    /** Since the start. */
    linesDropped: () => linesDropped,
  };
}

/** Reopens the pipe: changing the shared file description would affect other processes too. */
function openNonBlocking(fd: number): number {
  if (!fstatSync(fd).isFIFO()) return fd;
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}

function tryWrite(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes);
  } catch {
    return 0;
  }
}

function droppedLine(lines: number): string {
  return `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lines, msg: 'log lines dropped' })}\n`;
}
