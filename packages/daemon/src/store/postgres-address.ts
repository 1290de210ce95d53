/** The modes that the driver takes as `verify-full`; it says so in a warning of its own on standard error. */
const alsoVerified = ['prefer', 'require', 'verify-ca'];

/**
 * A `postgres://` address as the driver gets it: a `sslmode` that asks for TLS says `verify-full`, which it means
 * anyway, so that the driver warns of nothing. Whoever asks for `uselibpqcompat` gets what they wrote.
 */
export function quietAddress(databaseUrl: string): string {
  if (/[?&]uselibpqcompat=/.test(databaseUrl)) return databaseUrl;
  return databaseUrl.replace(/([?&]sslmode=)([\w-]+)/g, (whole, name: string, mode: string) =>
    alsoVerified.includes(mode) ? `${name}verify-full` : whole,
  );
}

/** What may be said of an address: where it leads, without its password. */
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
