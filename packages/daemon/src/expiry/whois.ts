import { type BlockList, connect, isIPv6, type LookupFunction } from 'node:net';

/** The addresses that a query must not reach, the look-up of names, and a signal that ends the query. */
export interface WhoisGuard {
  blockList: BlockList;
  lookup: LookupFunction;
  signal: AbortSignal;
}

/** The list of WHOIS servers for all top-level domains: https://www.iana.org/whois */
export const ianaWhois = { host: 'whois.iana.org', port: 43 };

/** Maximum number of characters of an answer that are read. IANA's answers have about 2,000. */
const maxRead = 64 * 1024;

/**
 * Returns the address of the WHOIS server of a top-level domain; null if IANA lists none. The WHOIS client would use
 * the system's resolver, and could reach any address. So this function looks the server up with the daemon's resolver,
 * and compares the address with the block list. Throws if IANA does not answer, or if the address is blocked.
 */
export async function findWhoisServer(
  tld: string,
  root: { host: string; port: number },
  guard: WhoisGuard,
): Promise<string | null> {
  const listed = /^(?:whois|refer):[ \t]*([^\s/:]+)[ \t]*$/im.exec(await ask(root, tld, guard))?.[1];
  if (!listed) return null;
  const addresses = await addressesOf(listed, guard);
  const allowed = addresses.find((address) => !guard.blockList.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'));
  if (allowed === undefined) throw new Error(`${listed} is at ${addresses.join(', ')}, which UPTIME_TARGETS forbids`);
  return allowed;
}

/** Sends one question and returns the answer (RFC 3912). */
function ask(
  { host, port }: { host: string; port: number },
  question: string,
  { blockList, lookup, signal }: WhoisGuard,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, blockList, lookup, signal });
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('connect', () => socket.write(`${question}\r\n`));
    socket.on('data', (text: string) => {
      answer = (answer + text).slice(0, maxRead);
      if (answer.length === maxRead) socket.destroy();
    });
    socket.on('error', (error) => reject(new Error(`${host} cannot be asked: ${error.message}`, { cause: error })));
    socket.on('close', () => resolve(answer));
  });
}

/** Returns the addresses of a name. IPv4 comes first, because not every machine can reach IPv6 addresses. */
function addressesOf(name: string, { lookup }: WhoisGuard): Promise<string[]> {
  return new Promise((resolve, reject) => {
    lookup(name, { all: true }, (error, found) => {
      if (error) return reject(error);
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      resolve(addresses.toSorted((a, b) => Number(isIPv6(a)) - Number(isIPv6(b))));
    });
  });
}
