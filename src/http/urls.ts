import type { Server } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config.ts';
import { isLoopback } from '../domain/access/loopback.ts';

/** Without a server, or before it listens, the URL it would have. */
export function listenUrl(server: Server | null, { host, port }: Pick<Config, 'host' | 'port'>): string {
  const bound = server?.address();
  const actual = typeof bound === 'object' ? bound?.port : undefined;
  return `http://${inUrl(host)}:${actual ?? port}`;
}

/** The base of all links from a server at this URL. They never depend on a request's `Host`. */
export function baseUrlFor({ host, baseUrl }: Pick<Config, 'host' | 'baseUrl'>, url: string): string {
  if (baseUrl !== null) return baseUrl;
  const reachable = url.replace(inUrl(host), inUrl(reachableHost(host)));
  // In ASCII, because headers contain it. A `HOST` such as `fe80::1%eth0` does not make a valid URL.
  return URL.parse(reachable)?.origin ?? reachable;
}

/** Null if `BASE_URL` is set, or if all clients are probably on this machine. */
export function unsetBaseUrlWarning(
  config: Pick<Config, 'host' | 'baseUrl' | 'trustedProxies' | 'hooksFile' | 'cdnMaxAgeSeconds'>,
  url: string,
): string | null {
  const reason = [
    config.trustedProxies.length > 0 && 'TRUSTED_PROXIES is set',
    !isLoopback(config.host) && `HOST is ${config.host}`,
    config.hooksFile !== null && 'HOOKS is set',
    config.cdnMaxAgeSeconds !== null && 'CDN_MAX_AGE_SECONDS is set',
  ].find((each) => each !== false);
  if (config.baseUrl !== null || reason === undefined) return null;
  return `${reason} and BASE_URL is unset, so links begin with ${baseUrlFor(config, url)}. Set BASE_URL to the URL that clients use.`;
}

/** No client can connect to 0.0.0.0 or `::`, every address, but one on this machine can connect to loopback. */
function reachableHost(host: string): string {
  const address = ipaddr.isValid(host) ? ipaddr.process(host) : null;
  if (address?.range() !== 'unspecified') return host;
  return address.kind() === 'ipv4' ? '127.0.0.1' : '::1';
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
