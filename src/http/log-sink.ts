// Where log lines are written: standard error, without ever waiting for whoever reads it.
import { constants, fstatSync, openSync, writeSync } from 'node:fs';

const STANDARD_ERROR = 2;

export type LogSink = Readonly<{ write: (line: string) => void }>;

/**
 * A pipe that nobody empties would otherwise hold up every request once it is full. Lines that find no room are
 * dropped, and their number is told as soon as there is room again.
 */
export function openLogSink(fd: number = withoutWaiting(STANDARD_ERROR)): LogSink {
  let dropped = 0;
  return {
    write: (line) => {
      if (dropped > 0 && tryWrite(fd, noteDropped(dropped))) dropped = 0;
      if (dropped > 0 || !tryWrite(fd, line)) dropped++;
    },
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

function tryWrite(fd: number, line: string): boolean {
  try {
    writeSync(fd, line);
    return true;
  } catch {
    return false;
  }
}

function noteDropped(lines: number): string {
  return `${JSON.stringify({ level: 40, time: new Date().toISOString(), lines, msg: 'log lines dropped' })}\n`;
}
