import { isIP } from 'node:net';
import { asciiHostName } from '@uptime/sdk/contract';

// Each of these functions parses one kind of value. It throws an Error whose message says what was expected: `must be
// …`.

/** Accepts any text. */
export const text = (value: string): string => value;

/** Accepts one of a few words. */
export const oneOf =
  <const V extends string>(...values: V[]) =>
  (given: string): V => {
    const found = values.find((value) => value === given);
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`);
    return found;
  };

/** Accepts a comma list of some of these words. Returns each word once, in the order of `values`. */
export const someOf =
  <const V extends string>(...values: V[]) =>
  (given: string): V[] => {
    const named = list(given);
    const isValid = named.length > 0 && named.every((one) => values.some((value) => value === one));
    if (!isValid) throw new Error(`must be a comma list of ${values.join(', ')}`);
    return values.filter((value) => named.includes(value));
  };

/** Accepts a whole number from `min` to `max`, both included. */
export const whole = (min: number, max: number) => (given: string) => {
  const number = Number(given);
  if (!/^\d+$/.test(given) || number < min || number > max) {
    throw new Error(`must be a whole number from ${min} to ${max}`);
  }
  return number;
};

/** Accepts a limit. Returns a number, or null for no limit. */
export const limit = (given: string): number | null => {
  if (given === 'off' || given === '0') return null;
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new Error('must be a whole number from 1 to 999999999, or off');
  return Number(given);
};

/** Accepts an address with one of these schemes. Returns the address as it was written. */
export const address =
  (...schemes: string[]) =>
  (given: string) => {
    const url = URL.parse(given);
    if (!url || !schemes.includes(url.protocol.slice(0, -1))) {
      throw new Error(`must be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`);
    }
    return given;
  };

/** Accepts the address of the site. Returns the origin of the address. */
export const siteAddress = (given: string) => {
  const url = new URL(address('http', 'https')(given));
  if (asciiHostName(url.hostname) === null) throw new Error('must name a host, such as status.example.com');
  if (url.search || url.hash || url.username || url.password || url.pathname !== '/') {
    throw new Error('must be an address without path, query or credentials, such as https://status.example.com');
  }
  return url.origin;
};

/** Accepts a host name or an IP address, without a port. */
export const hostName = (given: string) => {
  const host = asciiHostName(given);
  if (host === null || (given.includes(':') && !given.startsWith('[')))
    throw new Error('must be a host name or an address, without a port');
  return host;
};

const list = (given: string) =>
  given
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Accepts a comma list of name servers. */
export const nameServers = (given: string) => {
  const servers = list(given);
  const areValid = servers.every((server) => {
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^[\]]+?))(?::(\d{1,5}))?$/.exec(server) ?? [];
    const named = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
    return (
      isIP(server) !== 0 || (named && (isIP(bracketed ?? '') === 6 || isIP(plain ?? '') === 4 || isName(plain ?? '')))
    );
  });
  if (!areValid) throw new Error('must be a comma list of host[:port], such as 9.9.9.9:53');
  return servers;
};

/** Accepts `auto`, `off`, or a list of hosts whose answers show that the network works. */
export const gatewayCheck = (given: string): 'auto' | 'off' | { address: string; port: number }[] => {
  if (given === 'auto' || given === 'off') return given;
  const hosts = list(given).map((item) => {
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^[\]:]+)):(\d{1,5})$/.exec(item) ?? [];
    return { address: bracketed ?? plain ?? '', port: Number(port) };
  });
  if (hosts.length === 0 || hosts.some(({ address, port }) => isIP(address) === 0 || port < 1 || port > 65_535))
    throw new Error('must be auto, off or a comma list of address:port, such as 9.9.9.9:53');
  return hosts;
};

/** Whether a text is a host name. A text of only digits and dots is an address, perhaps a faulty one. */
const isName = (host: string) => /[^\d.]/.test(host) && asciiHostName(host) !== null;

/** Accepts the name of a region. */
export const region = (given: string) => {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(given))
    throw new Error('must be 1 to 63 characters of a-z, 0-9 and -, and must not begin with a dash');
  return given;
};

/** Accepts a key that is too long to be guessed. */
export const secretKey = (given: string) => {
  if (given.length < 32) throw new Error('must be at least 32 characters; make one with `openssl rand -hex 32`');
  return given;
};

/**
 * Accepts `true`, `false`, a number of proxies, or addresses of trusted proxies. Trusting all proxies is not possible,
 * because clients can write the first entries of X-Forwarded-For themselves.
 */
export const trust = (given: string): false | number | string => {
  if (given === 'false') return false;
  if (given === 'true') return 1;
  if (/^\d{1,3}$/.test(given)) return Number(given);
  if (/^[\d a-fA-F.:,/]+$/.test(given)) return given;
  throw new Error('must be true, false, a number of proxies, or a comma list of their addresses');
};
