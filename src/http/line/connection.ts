// What is known about a connection, so that none of its requests has to find it out again.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export class Connection {
  /** The response to its last request. Null while the connection is idle, except after a request that never ended. */
  lastResponse: ServerResponse | null = null;
  /** The client at the other end, if no proxy is trusted. */
  client: string | null = null;
  isFromProxy: boolean | null = null;
  /** The last `Authorization` with a well-formed API key, and the hash of that key. */
  bearer: Readonly<{ authorization: string; keyHash: string }> | null = null;
}

const connections = new WeakMap<Socket, Connection>();

export function connectionOf(socket: Socket): Connection {
  let connection = connections.get(socket);
  if (connection === undefined) {
    connection = new Connection();
    connections.set(socket, connection);
  }
  return connection;
}
