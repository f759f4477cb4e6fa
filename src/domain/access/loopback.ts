import ipaddr from 'ipaddr.js';

/** Whether a host, also in the brackets of a URL, is this machine. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(address)) return address.toLowerCase() === 'localhost';
  return ipaddr.process(address).range() === 'loopback';
}
