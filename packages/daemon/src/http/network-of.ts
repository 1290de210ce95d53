import { isIPv6, SocketAddress } from 'node:net';

/**
 * Returns the network that an address belongs to. For an IPv6 address, that is its /64, because one customer usually
 * has the whole /64. An IPv6 address that represents an IPv4 address becomes that IPv4 address. Other addresses are
 * unchanged.
 */
export function networkOf(written: string): string {
  const given = withoutPort(written);
  if (!isIPv6(given)) return given;
  // The canonical form: lower case, no leading zeros, the longest run of zeros as `::`, no zone.
  const { address } = new SocketAddress({ address: given, family: 'ipv6' });
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice('::ffff:'.length);
  const [before = [], after = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}

/** Removes the client's port, which some proxies append. The port changes with each connection. */
const withoutPort = (written: string): string =>
  /^\[(.+)\](?::\d+)?$/.exec(written)?.[1] ?? /^([\d.]+):\d+$/.exec(written)?.[1] ?? written;
