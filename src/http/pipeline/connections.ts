// Limits the connections of a process, so that it can always open its database's files, and chooses which to close.
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Cidr } from '../../domain/access/client-address.ts';
import type { Log } from '../telemetry/log.ts';
import { type Connection, connectionOf } from './exchange.ts';

/** Each takes about 15 KB, or up to 40 KB for a deliberately slow client. */
const CONNECTIONS_MAX = 10_000;
/** Open files for everything else: databases, Redis, the operations listener, the log. */
const OTHER_FILES = 150;
/** At the limit, up to this share of all connections is closed at once, because finding them takes time. */
const ROOM_PERCENT = 1;
/** An address with more than this share is the first to lose connections. */
const SHARE_PERCENT = 1;
/** A trusted proxy may have as many connections as this many clients. */
const CLIENTS_PER_PROXY = 100;
const LOG_EVERY_MS = 1_000;

/** An address or IPv6 network that has connections. */
type Holder = { readonly name: string; readonly clients: number; count: number };

type ConnectionsOptions = Readonly<{
  trustedProxies: readonly Cidr[];
  onConnectionsClosed: (count: number) => void;
}>;

/**
 * One address may have all connections while nobody else needs them. At the limit, the oldest idle ones make room for
 * new ones: those of the address with the most, if it exceeds its share. Only that address can lose a connection that
 * waits for a response, and only if it has no idle ones.
 */
export function limitConnections(
  server: Server,
  log: Log,
  { trustedProxies, onConnectionsClosed }: ConnectionsOptions,
): void {
  server.maxConnections = connectionLimitFor(openFilesMax());
  const holders = new Map<string, Holder>();
  /** Oldest first. */
  const open = new Map<Connection, Holder>();
  let closed = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;

  server.on('connection', (socket) => {
    const connection = connectionOf(socket);
    const holder = holderOf(connection);
    holder.count++;
    open.set(connection, holder);
    socket.once('close', () => remove(connection, holder));
    if (open.size >= server.maxConnections) makeRoom();
  });

  function holderOf(connection: Connection): Holder {
    const isProxy = connection.isFromProxy(trustedProxies);
    // A proxy's IPv6 network may contain clients, too.
    const name = isProxy ? String(connection.socket.remoteAddress) : connection.peer;
    const holder = holders.get(name) ?? { name, clients: isProxy ? CLIENTS_PER_PROXY : 1, count: 0 };
    holders.set(name, holder);
    return holder;
  }

  function remove(connection: Connection, holder: Holder): void {
    if (open.delete(connection) && --holder.count === 0) holders.delete(holder.name);
  }

  function makeRoom(): void {
    const room = (server.maxConnections * ROOM_PERCENT) / 100;
    const share = (server.maxConnections * SHARE_PERCENT) / 100;
    const largest = [...holders.values()].reduce((one, other) =>
      heldPerClient(other) > heldPerClient(one) ? other : one,
    );
    const excess = heldPerClient(largest) - share;
    const closedMax = Math.ceil(excess > 0 ? Math.min(room, excess) : room);
    const candidates = () => open.entries().filter(([, holder]) => excess <= 0 || holder === largest);
    const idle = [
      ...candidates()
        .filter(([connection]) => connection.isIdle)
        .take(closedMax),
    ];
    const chosen = idle.length > 0 ? idle : [...candidates().take(1)];
    for (const [connection, holder] of chosen) {
      // Not only on `close`, which comes later.
      remove(connection, holder);
      connection.socket.destroy();
    }
    closed += chosen.length;
    onConnectionsClosed(chosen.length);
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    const { name: client, count } = largest;
    log.warn({ connections: server.maxConnections, closed, client, open: count }, 'connections closed');
    closed = 0;
  }
}

function heldPerClient({ count, clients }: Holder): number {
  return count / clients;
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
