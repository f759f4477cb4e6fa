// How many connections a process accepts: never so many that it cannot open the files of its database.
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Log } from '../telemetry/log.ts';

/** Each takes about 15 KB, and up to 40 KB if a client is slow on purpose. */
const CONNECTIONS_MAX = 10_000;
/** Open files for everything else: databases, Redis, the operations listener, the log. */
const OTHER_FILES = 150;
/** How often idle connections are closed, and a line is logged, while the limit is reached. */
const FULL_EVERY_MS = 1_000;

/** At the limit, idle connections are closed to make room; new ones are dropped until there is some. */
export function limitConnections(server: Server, log: Log): void {
  server.maxConnections = connectionLimitFor(openFilesMax());
  // Otherwise a worker hands the connection to the next one, which may be full too.
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

/** `ulimit -n`, which Node.js raises as far as it may; no limit where that is unknown. */
function openFilesMax(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
