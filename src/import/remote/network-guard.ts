// Keeps a server on the internet from leading a fetch into the network of this machine, by redirects or by DNS.
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Refusal } from '../../errors.ts';

type Found = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;
export type Resolve = (host: string, options: LookupAllOptions, found: Found) => void;

export type NetworkGuard = Readonly<{
  /** For hosts that are addresses: these are not looked up. */
  requireAllowed: (url: URL) => void;
  /** Each name is resolved once: what was checked is what is connected to. */
  lookup: LookupFunction;
}>;

/**
 * The first host is the one that was typed, and may be anywhere. Unless that is in a private network itself, all others
 * must be on the internet.
 */
export function guardNetwork(name: string, resolve: Resolve = lookup): NetworkGuard {
  const resolved = new Map<string, LookupAddress[]>();
  let isPrivate: boolean | null = null;
  const refusalFor = (host: string, addresses: readonly LookupAddress[]): Refusal | null => {
    if (isPrivate === null) {
      // A host with addresses of both kinds may send redirects from the public one.
      isPrivate = !addresses.some(isPublic);
      return null;
    }
    const internal = isPrivate ? undefined : addresses.find((each) => !isPublic(each));
    if (internal === undefined) return null;
    const where = internal.address === host ? host : `${host} (${internal.address})`;
    return new Refusal(
      `${name} redirects to ${where}, which is not on the internet; import its own URL if you trust it`,
    );
  };
  return {
    requireAllowed: ({ hostname }) => {
      const host = hostname.replace(/^\[(.*)\]$/, '$1');
      const family = isIP(host);
      const refusal = family === 0 ? null : refusalFor(host, [{ address: host, family }]);
      if (refusal !== null) throw refusal;
    },
    lookup: (host, options, found) => {
      const connectTo = (addresses: LookupAddress[]) => {
        const [{ address, family } = { address: '' }] = addresses;
        return options.all ? found(null, addresses) : found(null, address, family);
      };
      const known = resolved.get(host);
      if (known !== undefined) return connectTo(known);
      resolve(host, { ...options, all: true }, (error, addresses) => {
        const failure = error ?? refusalFor(host, addresses);
        if (failure !== null) return found(failure, []);
        resolved.set(host, addresses);
        connectTo(addresses);
      });
    },
  };
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** No reserved range is: behind some of these are private addresses in another form. */
function isPublic({ address }: LookupAddress): boolean {
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast';
  if (parsed.match(NAT64)) return new ipaddr.IPv4(parsed.toByteArray().slice(-4)).range() === 'unicast';
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST);
}
