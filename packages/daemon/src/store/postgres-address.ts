/**
 * Values of `sslmode` that the driver treats as `verify-full`. For most of these values, the driver prints a warning to
 * standard error.
 */
const alsoVerified = ['allow', 'prefer', 'require', 'verify-ca'];
const modes = ['disable', 'no-verify', 'verify-full', ...alsoVerified, ''];

/**
 * Returns null for a correct address. For an address with a mistake, returns the end of a sentence about that mistake.
 * The driver itself would not report the mistake, but misread the address.
 */
export function faultOfAddress(databaseUrl: string): string | null {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl))
    return 'must be a postgres:// address; leave it out for SQLite in the data folder.';
  const url = parsed(databaseUrl);
  if (url === null) return 'is not a valid address. Expected postgres://user:password@host/database.';
  const mode = url.searchParams.getAll('sslmode').find((one) => !modes.includes(one));
  if (mode !== undefined) return `has an unknown sslmode "${mode}". Expected disable, no-verify or verify-full.`;
  const port = url.searchParams.get('port') ?? '';
  const isPort = port === '' || (/^\d+$/.test(port) && Number(port) <= 65_535);
  return isPort ? null : `has an invalid port "${port}". Expected a number up to 65535.`;
}

/**
 * Returns an address for which the driver prints no warning. A `sslmode` that asks for TLS becomes `verify-full`, which
 * the driver uses anyway. An address with `uselibpqcompat` does not change.
 */
export function quietAddress(databaseUrl: string): string {
  if (/[?&]uselibpqcompat=/.test(databaseUrl)) return databaseUrl;
  return databaseUrl.replace(/([?&]sslmode=)([\w-]+)/g, (whole, name: string, mode: string) =>
    alsoVerified.includes(mode) ? `${name}verify-full` : whole,
  );
}

/** Returns the parts of an address that an error message may contain, without the password. */
export function describeAddress(databaseUrl: string): { where: string; user: string; database: string } {
  const url = parsed(databaseUrl);
  const host = url?.searchParams.get('host') ?? url?.hostname ?? '';
  const port = url?.searchParams.get('port') ?? (url?.port || '5432');
  return {
    where: host.startsWith('/') ? `the socket in ${host}` : `${host || 'localhost'}:${port}`,
    user: decodeURIComponent(url?.searchParams.get('user') ?? url?.username ?? ''),
    database: decodeURIComponent(url?.pathname.slice(1) ?? ''),
  };
}

/** Parses an address; null if it is not valid. As the driver does, this function accepts an address without a host. */
const parsed = (databaseUrl: string): URL | null =>
  URL.parse(databaseUrl) ?? URL.parse(databaseUrl.replace('@/', '@localhost/'));
