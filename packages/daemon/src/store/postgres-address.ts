/** The modes that the driver treats as `verify-full`. For these it prints a warning to standard error. */
const alsoVerified = ['prefer', 'require', 'verify-ca'];

/**
 * A `postgres://` address for the driver. It replaces a `sslmode` that asks for TLS by `verify-full`, which the driver
 * uses anyway, so that the driver prints no warning. An address with `uselibpqcompat` stays as it is.
 */
export function quietAddress(databaseUrl: string): string {
  if (/[?&]uselibpqcompat=/.test(databaseUrl)) return databaseUrl;
  return databaseUrl.replace(/([?&]sslmode=)([\w-]+)/g, (whole, name: string, mode: string) =>
    alsoVerified.includes(mode) ? `${name}verify-full` : whole,
  );
}

/** The public parts of an address: where it leads, without its password. */
export function describeAddress(databaseUrl: string): { where: string; user: string; database: string } {
  const url = URL.parse(databaseUrl);
  const host = url?.searchParams.get('host') ?? url?.hostname ?? '';
  const port = url?.searchParams.get('port') ?? (url?.port || '5432');
  return {
    where: host.startsWith('/') ? `the socket in ${host}` : `${host || 'localhost'}:${port}`,
    user: decodeURIComponent(url?.searchParams.get('user') ?? url?.username ?? ''),
    database: decodeURIComponent(url?.pathname.slice(1) ?? ''),
  };
}
