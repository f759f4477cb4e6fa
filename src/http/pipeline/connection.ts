// Facts about a connection, remembered so that each of its requests need not find them again.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Cidr, clientAddress, isTrustedPeer } from '../../domain/access/client-address.ts';

export class Connection {
  readonly socket: Socket;
  /** The IP address or IPv6 network at the other end: the client, unless a proxy is trusted. */
  readonly peer: string;
  /** The response to its last request. Null while the connection is idle, except after a request that never ended. */
  lastResponse: ServerResponse | null = null;
  /** The last `Authorization` with a well-formed API key, and that key's hash. */
  bearer: Readonly<{ authorization: string; keyHash: string }> | null = null;
  #isFromProxy: boolean | null = null;

  constructor(socket: Socket) {
    this.socket = socket;
    this.peer = clientAddress(socket.remoteAddress, undefined, []);
  }

  /** No response is being made or sent. */
  get isIdle(): boolean {
    return this.lastResponse?.writableFinished ?? true;
  }

  isFromProxy(trustedProxies: readonly Cidr[]): boolean {
    this.#isFromProxy ??= isTrustedPeer(this.socket.remoteAddress, trustedProxies);
    return this.#isFromProxy;
  }
}

const connections = new WeakMap<Socket, Connection>();

export function connectionOf(socket: Socket): Connection {
  let connection = connections.get(socket);
  if (connection === undefined) {
    connection = new Connection(socket);
    connections.set(socket, connection);
  }
  return connection;
}
