// Limits the connections of a process, so that it can always open its database's files, and chooses which to close.
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Counts } from '../telemetry/counts.ts';
import type { Log } from '../telemetry/log.ts';
import { type Connection, connectionOf } from './exchange.ts';

/** Each takes about 15 KB, or up to 40 KB for a deliberately slow client. */
const CONNECTIONS_MAX = 10_000;
/** Open files for everything else: databases, Redis, the operations listener, the log. */
const OTHER_FILES = 150;
const LOG_EVERY_MS = 1_000;

/**
 * One address may have all connections while nobody else needs them. At the limit, the oldest idle ones make room for new
 * ones: of the address with the most, if it has more than a hundredth of all. Only that address can lose a connection that
 * waits for a response while others have idle ones. Up to a hundredth is closed at once, because finding them takes time.
 */
export function limitConnections(server: Server, log: Log, counts: Pick<Counts, 'connectionsClosed'>): void {
  server.maxConnections = connectionLimitFor(openFilesMax());
  /** Oldest first. */
  const open = new Set<Connection>();
  let closed = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;

  server.on('connection', (socket) => {
    const connection = connectionOf(socket);
    open.add(connection);
    socket.once('close', () => open.delete(connection));
    if (open.size >= server.maxConnections) makeRoom();
  });

  function makeRoom(): void {
    const byPeer = [...Map.groupBy(open, ({ peer }) => peer)];
    const [client, largest] = byPeer.reduce((one, other) => (other[1].length > one[1].length ? other : one));
    const onePercent = Math.ceil(server.maxConnections / 100);
    const candidates = largest.length > onePercent ? largest : [...open];
    const idle = candidates.filter(({ isIdle }) => isIdle);
    const chosen = idle.length > 0 ? idle.slice(0, onePercent) : candidates.slice(0, 1);
    for (const connection of chosen) {
      // Not only on `close`, which comes later.
      open.delete(connection);
      connection.socket.destroy();
    }
    closed += chosen.length;
    counts.connectionsClosed += chosen.length;
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    log.warn(
      { connections: server.maxConnections, closed, client, open: largest.length },
      'connections closed',
    );
    closed = 0;
  }
}

export function connectionLimitFor(filesMax: number): number {
  return Math.min(CONNECTIONS_MAX, Math.max(filesMax - OTHER_FILES, Math.floor(filesMax / 2)));
}

/** `ulimit -n`, which Node.js raises as far as allowed; infinite where unknown. */
function openFilesMax(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
