/** A cookie that a redirect has set. It is sent only to `origin`, which set it. */
export interface Cookie {
  origin: string;
  name: string;
  value: string;
  path: string;
  secure: boolean;
}

/**
 * Maximum number of kept cookies, and of characters in one `set-cookie` header. Browsers must support at least these
 * numbers (RFC 6265, section 6.1).
 */
const maxCookies = 50;
const maxCookieLength = 4096;

/**
 * Returns the kept cookies and the cookies that a response of `url` sets, by the rules of RFC 6265. A cookie is sent
 * only to the origin that set it, so no list of public suffixes is needed.
 */
export function keepCookies(
  kept: readonly Cookie[],
  headers: readonly string[] | undefined,
  url: URL,
  now: number,
): readonly Cookie[] {
  if (headers === undefined) return kept;
  let cookies = [...kept];
  for (const header of headers) {
    const parsed = header.length > maxCookieLength ? null : parseCookie(header, url, now);
    if (parsed === null) continue;
    const { cookie, expired } = parsed;
    cookies = cookies.filter(
      ({ origin, name, path }) => origin !== cookie.origin || name !== cookie.name || path !== cookie.path,
    );
    if (!expired && cookies.length < maxCookies) cookies.push(cookie);
  }
  return cookies;
}

/** Returns the `cookie` header of a request to `url`, from the user's cookies and those of redirects; null for none. */
export function cookieHeader(cookies: readonly Cookie[], own: string | undefined, url: URL): string | null {
  const sent = cookies
    .filter(
      ({ origin, path, secure }) =>
        origin === url.origin && pathMatches(path, url.pathname) && (!secure || url.protocol === 'https:'),
    )
    // Cookies with longer paths come first (RFC 6265, section 5.4).
    .toSorted((a, b) => b.path.length - a.path.length);
  const replaced = new Set(sent.map(({ name }) => name));
  const pairs = (own ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '' && !replaced.has(pair.split('=', 1)[0]!.trim()));
  const all = [...pairs, ...sent.map(({ name, value }) => `${name}=${value}`)];
  return all.length === 0 ? null : all.join('; ');
}

function parseCookie(header: string, url: URL, now: number): { cookie: Cookie; expired: boolean } | null {
  const [pair = '', ...attributes] = header.split(';');
  const at = pair.indexOf('=');
  const name = pair.slice(0, at).trim();
  // A cookie with control characters is ignored. All other bytes are sent back as they arrived, because Node reads and
  // writes headers as Latin-1.
  if (at < 1 || name === '' || /[^\t\P{Cc}]/u.test(pair)) return null;
  const cookie: Cookie = {
    origin: url.origin,
    name,
    value: pair.slice(at + 1).trim(),
    path: defaultPath(url.pathname),
    secure: false,
  };
  let expires: number | null = null;
  let maxAge: number | null = null;
  for (const attribute of attributes) {
    const [key = '', ...rest] = attribute.split('=');
    const value = rest.join('=').trim();
    switch (key.trim().toLowerCase()) {
      case 'path':
        if (value.startsWith('/')) cookie.path = value;
        break;
      case 'domain':
        if (value !== '' && !domainMatches(url.hostname, value)) return null;
        break;
      case 'secure':
        cookie.secure = true;
        break;
      case 'expires':
        expires = Date.parse(value);
        break;
      case 'max-age':
        if (/^-?\d+$/.test(value)) maxAge = Number(value);
        break;
      default:
    }
  }
  const expired = maxAge === null ? expires !== null && expires <= now : maxAge <= 0;
  return { cookie, expired };
}

const defaultPath = (path: string) => path.slice(0, Math.max(1, path.lastIndexOf('/')));

const pathMatches = (path: string, asked: string) =>
  asked === path || (asked.startsWith(path) && (path.endsWith('/') || asked[path.length] === '/'));

function domainMatches(host: string, domain: string): boolean {
  const bare = domain.replace(/^\./, '').toLowerCase();
  // An IP address has no parent domain.
  return host === bare || (host.endsWith(`.${bare}`) && !/^[\d.]+$|:/.test(host));
}
