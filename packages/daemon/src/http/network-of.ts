import { isIPv6, SocketAddress } from 'node:net';

/**
 * Whom an address counts as: an IPv6 address as its /64, which a single customer has whole, and one that stands for an
 * IPv4 address as that. Anything else as it is.
 */
export function networkOf(written: string): string {
  const given = withoutPort(written);
  if (!isIPv6(given)) return given;
  // Written in one way: small letters, no leading zeros, the longest zeros as `::`, no zone.
  const { address } = new SocketAddress({ address: given, family: 'ipv6' });
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice('::ffff:'.length);
  const [before = [], after = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}

/** Some proxies write the client's port behind its address, and another one for each connection. */
const withoutPort = (written: string): string =>
  /^\[(.+)\](?::\d+)?$/.exec(written)?.[1] ?? /^([\d.]+):\d+$/.exec(written)?.[1] ?? written;
