import { promises as dns } from 'node:dns';
import { readFileSync } from 'node:fs';
import { splitNameserver } from './dns.ts';
import { codeOf } from './failure.ts';

export interface NameServerAddress {
  address: string;
  port: number;
}

/** The file in which systemd-resolved, the server at 127.0.0.53, lists the servers that it asks. */
const behindTheStub = '/run/systemd/resolve/resolv.conf';

/**
 * Returns the name servers that the checker uses: the given servers, or the system's if none are given. If the system
 * uses systemd-resolved, the servers that systemd-resolved asks are included.
 */
export function nameServersOf(given: readonly string[]): NameServerAddress[] {
  if (given.length > 0) return given.map(addressOf);
  const known = new dns.Resolver().getServers().map(addressOf);
  return known.some(({ address }) => address === '127.0.0.53') ? [...known, ...readResolvConf(behindTheStub)] : known;
}

/** Reads `address[:port]`. */
export const addressOf = (server: string): NameServerAddress => {
  const { host, port } = splitNameserver(server);
  return { address: host.replace(/^\[|\]$/g, ''), port };
};

function readResolvConf(path: string): NameServerAddress[] {
  try {
    const lines = readFileSync(path, 'utf8').matchAll(/^nameserver\s+(\S+)/gm);
    return [...lines].map(([, address]) => ({ address: address!, port: 53 }));
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return [];
  }
}
