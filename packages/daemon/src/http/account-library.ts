import { betterAuth, type BetterAuthOptions } from 'better-auth';
import { isFirstAccount } from '../accounts/first-account.ts';
import type { AccountOptions } from './accounts.ts';

const daySeconds = 24 * 3600;

export type AccountLibrary = ReturnType<typeof openAccountLibrary>;

/**
 * Returns the functions of better-auth, the library for accounts. A migration of the store creates the library's
 * tables.
 */
export const openAccountLibrary = (options: AccountOptions) => betterAuth(accountLibraryOptions(options)).api;

export function accountLibraryOptions({ store, log, secret, siteUrl, passwords }: AccountOptions) {
  const isHttps = siteUrl.startsWith('https:');
  return {
    database: { db: store.db, type: store.dialect.name },
    secret,
    baseURL: siteUrl,
    basePath: '/api/auth',
    emailAndPassword: {
      enabled: true,
      autoSignIn: true,
      minPasswordLength: 8,
      maxPasswordLength: 128,
      ...(passwords && { password: passwords }),
    },
    // A session expires 7 days after its last use. A use postpones this time at most once an hour. Without a cookie
    // cache, each request reads its session from the database, so an ended session is refused at once.
    session: { expiresIn: 7 * daySeconds, updateAge: 3600, cookieCache: { enabled: false } },
    user: { additionalFields: { role: { type: 'string', input: false, required: true, defaultValue: 'user' } } },
    advanced: {
      // At run time, better-auth does not compare its tables with the database, because the comparison fails if a
      // partition is dropped meanwhile. account-library.test.ts compares them.
      database: { validateSchema: false },
      useSecureCookies: false,
      // The prefix `__Host-` keeps other hosts of the domain from setting the cookie (RFC 6265bis, 4.1.3.2).
      cookies: {
        session_token: {
          name: `${isHttps ? '__Host-' : ''}uptime.session_token`,
          attributes: { secure: isHttps, path: '/' },
        },
      },
    },
    // better-auth's own limit is not needed, because rate-limit.ts limits sign-in.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: 'warn',
      log: (level, message) => log[level === 'error' ? 'error' : 'warn']({}, `auth: ${message}`),
    },
    databaseHooks: {
      user: {
        create: {
          before: async (user) => ({ data: { ...user, role: (await isFirstAccount(store)) ? 'admin' : 'user' } }),
        },
      },
    },
  } satisfies BetterAuthOptions;
}
