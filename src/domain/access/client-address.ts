// The client that a request counts against.
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Cidr = [Address, number];

const IPV6_CLIENT_PREFIX_BITS = 64;
/** Real proxy chains are short; a longer list is not worth walking. */
const HOPS_MAX = 32;

/** Accepts a CIDR or a single address. */
export function parseCidr(text: string): Cidr | null {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text))
    return unwrapCidr(ipaddr.parseCIDR(text));
  if (ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text))
    return wholeAddress(ipaddr.process(text));
  return null;
}

/** Client addresses are unwrapped from IPv6, so IPv4-mapped networks are too. */
function unwrapCidr([network, bits]: Cidr): Cidr {
  if (!(network instanceof ipaddr.IPv6) || !network.isIPv4MappedAddress() || bits < 96)
    return [network, bits];
  return [network.toIPv4Address(), bits - 96];
}

function wholeAddress(address: Address): Cidr {
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/**
 * A request's client. Reads `X-Forwarded-For` from the right while the address that added an entry is a trusted proxy.
 * An entry that is not an address makes the proxy that sent it the client (R26).
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: readonly Cidr[],
): string {
  let client = parseAddress(peer ?? '');
  if (client === null) return 'unknown';
  if (forwardedFor !== undefined && trusted.length > 0) {
    const entries = forwardedFor.split(',').slice(-HOPS_MAX).reverse();
    for (const entry of entries) {
      if (!isTrusted(client, trusted)) break;
      const before = parseAddress(entry.trim());
      if (before === null) break;
      client = before;
    }
  }
  return nameClient(client);
}

export function isTrustedPeer(peer: string | undefined, trusted: readonly Cidr[]): boolean {
  const address = trusted.length === 0 ? null : parseAddress(peer ?? '');
  return address !== null && isTrusted(address, trusted);
}

/** An IPv6 client is its subscriber's network. */
function nameClient(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_CLIENT_PREFIX_BITS}`);
  return `${network.toString()}/${IPV6_CLIENT_PREFIX_BITS}`;
}

function isTrusted(address: Address, trusted: readonly Cidr[]): boolean {
  return trusted.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits));
}

/** Some proxies add a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. A zone (`fe80::1%eth0`) is ignored. */
function parseAddress(text: string): Address | null {
  const bare = text
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '');
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return null;
  return ipaddr.process(bare);
}
