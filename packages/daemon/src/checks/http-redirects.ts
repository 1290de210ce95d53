import type { IncomingHttpHeaders } from 'node:http';
import type { MonitorFields } from '@uptime/sdk/contract';
import { type Cookie, keepCookies } from './cookies.ts';
import { CheckFailure } from './failure.ts';
import { headerText } from './header-text.ts';

/** One request of an http check. A redirect leads to the next request. */
export interface Hop {
  url: URL;
  method: string;
  body: string | null;
  /** The monitor's own headers, with lower-case names. */
  headers: ReadonlyMap<string, string>;
  /** The cookies that redirects have set so far. */
  cookies: readonly Cookie[];
}

/** Maximum number of redirects that are followed. */
export const maxRedirects = 10;

const withBody = ['POST', 'PUT', 'PATCH'];
const ofBody = ['content-type', 'content-encoding', 'content-language', 'content-location'];

/** Returns the first request of a monitor. Credentials in its URL become an Authorization header (Basic). */
export function firstHop(monitor: MonitorFields<'http'>): Hop {
  const headers = new Map<string, string>();
  for (const name in monitor.headers) headers.set(name.toLowerCase(), monitor.headers[name]!);
  const body = withBody.includes(monitor.method) ? (monitor.body ?? '') : null;
  return { url: authorized(new URL(monitor.url), headers), method: monitor.method, body, headers, cookies: [] };
}

export const isRedirect = (status: number): boolean =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308;

/**
 * Returns the request after a redirect. It has the method and the body that a browser would send
 * (https://fetch.spec.whatwg.org/#http-redirect-fetch).
 */
export function nextHop(hop: Hop, status: number, answered: IncomingHttpHeaders, now: number): Hop {
  const { location } = answered;
  if (location === undefined) throw new CheckFailure('http_redirect', `a redirect (${status}) without a Location`);
  const url = URL.parse(headerText(location), hop.url);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '' || url.port === '0')
    throw new CheckFailure(
      'http_redirect',
      `a redirect (${status}) to an address that is not http or https: ${location}`,
    );
  // Any header may be a credential, so a redirect to another origin drops the monitor's headers.
  const headers = new Map(url.origin === hop.url.origin ? hop.headers : []);
  if (url.username !== '' || url.password !== '') headers.delete('authorization');
  const toGet =
    (status === 303 && hop.method !== 'GET' && hop.method !== 'HEAD') ||
    ((status === 301 || status === 302) && hop.method === 'POST');
  if (toGet) for (const name of ofBody) headers.delete(name);
  return {
    url: authorized(url, headers),
    method: toGet ? 'GET' : hop.method,
    body: toGet ? null : hop.body,
    headers,
    cookies: keepCookies(hop.cookies, answered['set-cookie'], hop.url, now),
  };
}

/** Removes the credentials from a URL. They become an Authorization header, unless the monitor sets this header. */
function authorized(url: URL, headers: Map<string, string>): URL {
  if (url.username === '' && url.password === '') return url;
  const credentials = `${percentDecoded(url.username)}:${percentDecoded(url.password)}`;
  if (!headers.has('authorization'))
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  url.username = '';
  url.password = '';
  return url;
}

function percentDecoded(text: string): string {
  return Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
}
