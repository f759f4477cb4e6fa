import { PRODUCT_RULES } from './appearance.ts';

const PROTOCOLS = ['https:', 'http:', 'ssh:', 'git:', 'git+ssh:'];
/** `git@host:owner/name.git` */
const SHORT = /^(?:[^@:/]+@)?(?<host>[A-Za-z0-9.-]+):(?<path>[^/].*)$/;

/**
 * Hosts that only their own network or an SSH configuration (`github.com-work`) knows, and those whose pages are not where
 * their repositories are.
 */
const LOCAL =
  /^[^.]*$|\.(?!xn--)[^.]*[^a-z.][^.]*$|^\[|\.(?:arpa|corp|home|internal|intranet|invalid|lan|local|localhost|test)$/i;
const ELSEWHERE = /(?:^|\.)(?:amazonaws\.com|dev\.azure\.com|visualstudio\.com)$/i;

/** The page of the repository that a git remote names, without user name and password; null if it is not known. */
export function repositoryOf(remote: string): string | null {
  const { host, path } = partsOf(remote);
  const name = host.replace(/:\d+$/, '');
  if (LOCAL.test(name) || ELSEWHERE.test(name)) return null;
  // An @ may be part of a password that is not encoded.
  if (/@|%40/.test(path) || !/^[^/]+\/+[^/]/.test(path)) return null;
  return PRODUCT_RULES.repository.read(`https://${host}/${path}`);
}

/** The host with its port, if that is one for browsers. */
function partsOf(remote: string): Readonly<{ host: string; path: string }> {
  const { host = '', path = '' } = SHORT.exec(remote)?.groups ?? {};
  if (!remote.includes('://')) return { host: withoutSsh(host), path };
  const url = URL.parse(remote);
  if (url === null || !PROTOCOLS.includes(url.protocol)) return { host: '', path: '' };
  return {
    host: url.protocol === 'https:' ? url.host : withoutSsh(url.hostname),
    path: `${url.pathname.replace(/^\/+/, '')}${url.search}${url.hash}`,
  };
}

/** GitHub and others take SSH on port 443 at a host of its own. */
function withoutSsh(host: string): string {
  return host.replace(/^(?:alt)?ssh\.(?=.+\.)/i, '');
}
