import { databaseCode } from './failures.ts';
import { describeAddress } from './postgres-address.ts';

const fix = 'Correct UPTIME_DATABASE_URL';

/**
 * Why PostgreSQL could not be opened at the start, as a sentence that names the host and says what to do. An error
 * that is none of its own comes back as it was.
 */
export function cannotOpenPostgres(error: unknown, databaseUrl: string): unknown {
  const address = describeAddress(databaseUrl);
  const cause = rootOf(error);
  const reason = reasonOf(databaseCode(cause), cause instanceof Error ? cause.message : '', address);
  return reason === null ? error : new Error(`PostgreSQL at ${address.where} ${reason}`, { cause: error });
}

function reasonOf(code: string, message: string, { user, database }: ReturnType<typeof describeAddress>) {
  const known = reasons.find(([pattern]) => pattern.test(code));
  if (known) return known[1]({ code, message, user, database });
  if (/does not support SSL/.test(message))
    return 'does not speak TLS. Turn on `ssl` there, or set `sslmode=disable` in UPTIME_DATABASE_URL.';
  if (/timeout|Connection terminated/.test(message))
    return `does not answer (${message}). Look whether it runs there and a firewall lets this host through.`;
  if (/password|SCRAM|SASL/.test(message)) return `wants a password. ${fix}: postgres://user:password@host/database.`;
  return null;
}

interface Facts {
  code: string;
  message: string;
  user: string;
  database: string;
}

const reasons: [RegExp, (facts: Facts) => string][] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, ({ code }) => `has a host name that nobody knows (${code}). ${fix}, or look at the DNS.`],
  [
    /^(ECONNREFUSED|ENOENT|EACCES)$/,
    ({ code }) => `takes no connections (${code}). Start it, or correct host and port in UPTIME_DATABASE_URL.`,
  ],
  [
    /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ECONNRESET|EPIPE)$/,
    ({ code }) => `does not answer (${code}). Look whether it runs there and a firewall lets this host through.`,
  ],
  [/^28P01$/, ({ user }) => `refuses the password of the user ${user}. ${fix}.`],
  [/^28/, ({ user, message }) => `refuses the user ${user}: ${message}. Allow it in pg_hba.conf, or use another user.`],
  [
    /^3D000$/,
    ({ user, database }) => `has no database ${database}. Create it there: \`createdb --owner=${user} ${database}\`.`,
  ],
  [/^25006$/, () => `takes no writes: it may be a standby. Name the primary in UPTIME_DATABASE_URL.`],
  [
    /^42501$/,
    ({ user, database, message }) =>
      `refuses the user ${user}: ${message}. Make it the owner: \`ALTER DATABASE ${database} OWNER TO ${user}\`.`,
  ],
  [/^53300$/, () => 'has no connection left. Raise max_connections there, or stop what holds them.'],
  [/^57P03$/, ({ message }) => `is not ready: ${message}. Start again when it is.`],
  [
    /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|ERR_TLS_CERT)/,
    ({ code }) =>
      `has a certificate that cannot be trusted (${code}). Name its authority: \`sslrootcert=/path/ca.pem\` in UPTIME_DATABASE_URL.`,
  ],
];

/** What the driver itself said. */
const rootOf = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error;
