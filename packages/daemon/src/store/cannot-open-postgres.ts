import { databaseCode } from './failures.ts';
import { describeAddress } from './postgres-address.ts';

const fix = 'Correct UPTIME_DATABASE_URL';

/**
 * Returns the error with which the start fails. It says why PostgreSQL at this host could not be opened, and what to do
 * next.
 */
export function cannotOpenPostgres(error: unknown, databaseUrl: string): Error {
  const address = describeAddress(databaseUrl);
  const cause = rootOf(error);
  const message = cause instanceof Error ? cause.message : String(cause);
  const reason = unreadableFile(cause) ?? reasonOf(databaseCode(cause), message, address);
  return new Error(`PostgreSQL at ${address.where} ${reason ?? `cannot be used: ${message}`}`, { cause: error });
}

/**
 * Returns the end of a sentence if a file in the address, such as `sslrootcert`, cannot be read. Otherwise returns
 * null.
 */
function unreadableFile(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null;
  const { syscall, path, code }: NodeJS.ErrnoException = cause;
  return syscall === 'open'
    ? `cannot be used: the file ${path} in UPTIME_DATABASE_URL cannot be read (${code}).`
    : null;
}

function reasonOf(code: string, message: string, { user, database }: ReturnType<typeof describeAddress>) {
  const known = reasons.find(([pattern]) => pattern.test(code));
  if (known) return known[1]({ code, message, user, database });
  // pg sets no `code` for these errors, so their messages are compared.
  if (/does not support SSL/.test(message))
    return 'does not speak TLS. Turn on `ssl` there, or set `sslmode=disable` in UPTIME_DATABASE_URL.';
  if (/timeout|Connection terminated/.test(message))
    return `does not answer (${message}). Check that it runs there and that a firewall lets this host through.`;
  if (/password|SCRAM|SASL/.test(message))
    return `requires a password. ${fix}: postgres://user:password@host/database.`;
  return null;
}

interface Facts {
  code: string;
  message: string;
  user: string;
  database: string;
}

const reasons: [RegExp, (facts: Facts) => string][] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, ({ code }) => `has an unknown host name (${code}). ${fix}, or check the DNS.`],
  [
    /^(ECONNREFUSED|ENOENT|EACCES)$/,
    ({ code }) => `accepts no connections (${code}). Start it, or correct host and port in UPTIME_DATABASE_URL.`,
  ],
  [
    /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ECONNRESET|EPIPE)$/,
    ({ code }) => `does not answer (${code}). Check that it runs there and that a firewall lets this host through.`,
  ],
  [/^28P01$/, ({ user }) => `refuses the password of the user ${user}. ${fix}.`],
  [/^28/, ({ user, message }) => `refuses the user ${user}: ${message}. Allow it in pg_hba.conf, or use another user.`],
  [
    /^3D000$/,
    ({ user, database }) => `has no database ${database}. Create it there: \`createdb --owner=${user} ${database}\`.`,
  ],
  [/^25006$/, () => `accepts no writes: it may be a standby. Name the primary in UPTIME_DATABASE_URL.`],
  [
    /^42501$/,
    ({ user, database, message }) =>
      `refuses the user ${user}: ${message}. Make it the owner: \`ALTER DATABASE ${database} OWNER TO ${user}\`.`,
  ],
  [/^53300$/, () => 'has no connection left. Raise max_connections there, or stop some of its clients.'],
  [
    /^55P03$/,
    () => 'has a table that another session, such as a backup, keeps locked. Start again when that session has ended.',
  ],
  [/^57P03$/, ({ message }) => `is not ready: ${message}. Start again when it is.`],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    ({ message }) =>
      `has a certificate of another host (${message}). Name a host of the certificate in UPTIME_DATABASE_URL.`,
  ],
  [
    /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|ERR_TLS_CERT)/,
    ({ code }) =>
      `has a certificate that is not trusted (${code}). Name its authority: \`sslrootcert=/path/ca.pem\` in UPTIME_DATABASE_URL.`,
  ],
];

/** Returns the driver's error, which other errors may wrap. */
const rootOf = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error;
