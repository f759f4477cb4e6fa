// How many connections a process takes: never so many that no file is left to open for its database.
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Log } from '../telemetry/log.ts';

/** Each takes some 15 KB, and up to 40 KB if it is slow on purpose. */
const CONNECTIONS_MAX = 10_000;
/** Open files for everything else: databases, Redis, the operations listener, the log. */
const OTHER_FILES = 150;
/** Full is said once in this time, and so often room is made. */
const FULL_EVERY_MS = 1_000;

/** Beyond the limit, connections that wait for their next request make room; a new one is closed until there is some. */
export function limitConnections(server: Server, log: Log): void {
  server.maxConnections = connectionLimitFor(openFilesMax());
  // A worker would otherwise hand the connection on to the next, which may be full as well.
  Object.assign(server, { dropMaxConnection: true });
  let dropped = 0;
  let fullAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    dropped++;
    if (performance.now() - fullAt < FULL_EVERY_MS) return;
    fullAt = performance.now();
    log.warn({ connections: server.maxConnections, dropped }, 'connections dropped');
    dropped = 0;
    server.closeIdleConnections();
  });
}

export function connectionLimitFor(filesMax: number): number {
  return Math.min(CONNECTIONS_MAX, Math.max(filesMax - OTHER_FILES, Math.floor(filesMax / 2)));
}

/** What `ulimit -n` says, which Node.js has raised as far as it may; where that is not told, it is no limit of ours. */
function openFilesMax(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
