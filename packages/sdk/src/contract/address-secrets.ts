/** A secret within an address. `start` is the index of its first character, and `end` the index after its last one. */
export interface AddressSecret {
  /** `password`, `user`, or the name of the query parameter. */
  name: string;
  start: number;
  end: number;
}

/** A query parameter is a credential if one of these words occurs anywhere in its name. */
const secretWords = /token|secret|passw|pwd|credential|signature|session|jwt|api[-_.]?key|access[-_.]?key/i;
/** A query parameter is also a credential if its name, or the last word of its name, is one of these words. */
const secretNames = /(?:^|[-_.])(?:key|sig|sid|auth|authorization|pass|hmac)$/i;

/** Whether a query parameter usually holds a credential, such as `token`, `api_key`, `sig` or `X-Amz-Signature`. */
export const isSecretParameter = (name: string): boolean =>
  secretWords.test(name) || secretNames.test(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2'));

/**
 * Returns the secrets in an address, in order. They are the password (or the user name, if there is no password) and
 * the values of query parameters that usually hold credentials. Returns an empty list for a text without a scheme.
 */
export function secretsInAddress(text: string): AddressSecret[] {
  const [, scheme, userInfo] = /^([a-z][a-z0-9+.-]*:\/\/)(?:([^\s/?#\\]*)@)?/i.exec(text) ?? [];
  if (scheme === undefined) return [];
  const start = text.search(/[?#]/);
  return [...userSecrets(userInfo ?? '', scheme.length), ...(start === -1 ? [] : parameterSecrets(text, start))];
}

/** Replaces every secret in an address by the text that `put` returns. Other text stays unchanged. */
export function replaceAddressSecrets(text: string, put: (secret: string, name: string) => string): string {
  let [replaced, from] = ['', 0];
  for (const { name, start, end } of secretsInAddress(text)) {
    replaced += text.slice(from, start) + put(text.slice(start, end), name);
    from = end;
  }
  return replaced + text.slice(from);
}

/**
 * Returns an address with `put` in place of its user name and password, for example `put@`. Other addresses, and texts
 * that are not addresses, stay unchanged.
 */
export function replaceLogin(address: string, put: string): string {
  const url = URL.parse(address);
  if (!url || (url.username === '' && url.password === '')) return address;
  url.username = '';
  url.password = '';
  return url.href.replace('//', () => `//${put}`);
}

function userSecrets(userInfo: string, at: number): AddressSecret[] {
  const colon = userInfo.indexOf(':');
  const end = at + userInfo.length;
  if (colon !== -1 && colon < userInfo.length - 1) return [{ name: 'password', start: at + colon + 1, end }];
  // A user name without a password is a secret, because it is often an access token.
  const user = colon === -1 ? userInfo.length : colon;
  return user === 0 ? [] : [{ name: 'user', start: at, end: at + user }];
}

function parameterSecrets(text: string, start: number): AddressSecret[] {
  const found: AddressSecret[] = [];
  for (const { 0: all, 1: name = '', 2: value = '', index } of text
    .slice(start)
    .matchAll(/[?&;#]([^=&;#?]*)=([^&#]*)/g)) {
    if (value === '' || !isSecretParameter(decoded(name))) continue;
    const end = start + index + all.length;
    found.push({ name: decoded(name), start: end - value.length, end });
  }
  return found;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // The percent-encoding is invalid, so a server reads the text unchanged.
    return name;
  }
}
