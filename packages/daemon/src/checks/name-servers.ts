import { lookup as dnsLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { splitNameserver } from './dns.ts';

/**
 * Resolves the name servers of UPTIME_DNS_SERVERS, given as `host[:port]`, to addresses. The system's resolver looks
 * each name up once. If a name has no address, the error names the server.
 *
 * @example const dnsServers = await lookUpNameServers(['9.9.9.9', 'localhost:5353']); // ['9.9.9.9', '127.0.0.1:5353']
 */
export const lookUpNameServers = (servers: readonly string[], lookup = dnsLookup): Promise<string[]> =>
  Promise.all(
    servers.map(async (server) => {
      const { host, port } = splitNameserver(server);
      if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return server;
      const { address, family } = await lookup(host).catch((error: NodeJS.ErrnoException) => {
        throw new Error(`The name server ${server} of UPTIME_DNS_SERVERS has no address (${error.code}).`);
      });
      return family === 6 ? `[${address}]:${port}` : `${address}:${port}`;
    }),
  );
