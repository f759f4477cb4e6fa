import type { Server } from 'node:net';
import type { Config } from '../config.ts';

type Listening = Pick<Config, 'host' | 'port'>;

/** Without a server, or before it listens, the URL it would have. */
export function listenUrl(server: Server | null, { host, port }: Listening): string {
  const bound = server?.address();
  const actual = typeof bound === 'object' ? bound?.port : undefined;
  return `http://${host.includes(':') ? `[${host}]` : host}:${actual ?? port}`;
}

/** Links never depend on the `Host` of a request. */
export function baseUrlFor(config: Listening & Pick<Config, 'baseUrl'>, server: Server | null): string {
  return config.baseUrl ?? listenUrl(server, config);
}
