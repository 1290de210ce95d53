import { isIPv6 } from 'node:net';

/**
 * Splits an address such as `tcp://a.example:22/x` into host and port. Scheme and path may be missing. An IPv6 address
 * without brackets has no port.
 */
export function hostAndPort(address: string): { host: string; port: number | undefined } {
  const bare = address.replace(/^[a-z]+:\/\//i, '').replace(/\/.*$/, '');
  if (isIPv6(bare)) return { host: bare, port: undefined };
  const [, host = bare, port] = /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(bare) ?? [];
  return { host, port: port === undefined ? undefined : Number(port) };
}
