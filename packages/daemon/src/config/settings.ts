import {
  address,
  gatewayCheck,
  hostName,
  nameServers,
  oneOf,
  region,
  secretKey,
  siteAddress,
  text,
  trust,
  whole,
} from './values.ts';

/** One setting: where it may be set, its default, and its meaning. */
export interface Setting<T> {
  env: string;
  flag?: string;
  /** The default as a user would write it; null if the setting is unset by default. */
  default: string | null;
  /** The default in UPTIME_MODE=public. */
  publicDefault?: string;
  /** Values that contradict UPTIME_MODE=public. */
  notInPublic?: readonly string[];
  /** Whether its readers could act as this server or as its operator. */
  secret?: true;
  docs: string;
  /** Throws an Error that says what was expected: `must be …`. */
  parse: (text: string) => T;
}

const setting = <T, D extends string | null>(of: Setting<T> & { default: D }) =>
  of as Setting<D extends null ? T | null : T>;

/** Every setting of the daemon. Environment, config file, flags, help and docs all derive from this table. */
export const settings = {
  mode: setting({
    env: 'UPTIME_MODE',
    flag: '--mode',
    default: 'private',
    docs: 'private: for yourself and people you trust. public: for a server that strangers use, with the safe default of every setting.',
    parse: oneOf('private', 'public'),
  }),
  host: setting({
    env: 'UPTIME_HOST',
    flag: '--host',
    default: '127.0.0.1',
    docs: 'Address to listen on.',
    parse: text,
  }),
  port: setting({
    env: 'UPTIME_PORT',
    flag: '--port',
    default: '3000',
    docs: 'Port to listen on; 0 picks any free one.',
    parse: whole(0, 65_535),
  }),
  dataDir: setting({
    env: 'UPTIME_DATA_DIR',
    flag: '--data-dir',
    default: './uptime-data',
    docs: 'Folder of the database and the keys.',
    parse: text,
  }),
  siteUrl: setting({
    env: 'UPTIME_SITE_URL',
    default: null,
    docs: 'Public address of the service. Default: http:// and the address it listens on.',
    parse: siteAddress,
  }),
  databaseUrl: setting({
    env: 'UPTIME_DATABASE_URL',
    default: null,
    docs: 'A postgres:// address. Default: SQLite in the data folder.',
    parse: address('postgres', 'postgresql'),
  }),
  region: setting({
    env: 'UPTIME_REGION',
    default: 'default',
    docs: 'Name of the region that this daemon checks from.',
    parse: region,
  }),
  secretKey: setting({
    env: 'UPTIME_SECRET_KEY',
    default: null,
    secret: true,
    docs: 'Signs session cookies and encrypts the secrets of monitors and channels; at least 32 characters. Default: generated once and kept in the data folder.',
    parse: secretKey,
  }),
  signup: setting({
    env: 'UPTIME_SIGNUP',
    default: 'open',
    publicDefault: 'invite',
    docs: 'Sign-up: open for everyone, closed, or invite (only with a code from `uptimed admin invite`).',
    parse: oneOf('open', 'closed', 'invite'),
  }),
  rateLimit: setting({
    env: 'UPTIME_RATE_LIMIT',
    default: 'on',
    notInPublic: ['off'],
    docs: 'Whether sign-in, sign-up, password changes, channel tests and domain look-ups are throttled: on or off.',
    parse: oneOf('on', 'off'),
  }),
  trustProxy: setting({
    env: 'UPTIME_TRUST_PROXY',
    default: 'false',
    docs: 'Proxies whose X-Forwarded-For is trusted: false (none), true (one proxy), a number of proxies, or their addresses.',
    parse: trust,
  }),
  logLevel: setting({
    env: 'UPTIME_LOG_LEVEL',
    default: 'info',
    docs: 'Lowest level that is logged: debug, info, warn, error or silent.',
    parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  }),
  logFormat: setting({
    env: 'UPTIME_LOG_FORMAT',
    default: null,
    docs: 'json or pretty. Default: pretty on a terminal.',
    parse: oneOf('json', 'pretty'),
  }),
  dnsServers: setting({
    env: 'UPTIME_DNS_SERVERS',
    default: null,
    docs: "Name servers, a comma list of host[:port]. Their names are looked up once, at the start. Default: the system's.",
    parse: nameServers,
  }),
  targets: setting({
    env: 'UPTIME_TARGETS',
    default: 'all',
    publicDefault: 'public-only',
    notInPublic: ['all'],
    docs: 'Which targets may be checked: all, or public-only.',
    parse: oneOf('all', 'public-only'),
  }),
  gatewayCheck: setting({
    env: 'UPTIME_GATEWAY_CHECK',
    default: 'auto',
    docs: "Hosts that show whether the checker's own network works: auto, off (only its routes are read), or a comma list of address:port.",
    parse: gatewayCheck,
  }),
  rdapBootstrapUrl: setting({
    env: 'UPTIME_RDAP_BOOTSTRAP_URL',
    default: null,
    docs: "Address of the list of RDAP servers. Default: IANA's list.",
    parse: address('http', 'https'),
  }),
  rawRetentionDays: setting({
    env: 'UPTIME_RAW_RETENTION_DAYS',
    default: '30',
    docs: 'Days for which single check results are kept.',
    parse: whole(1, 3650),
  }),
  smtpUrl: setting({
    env: 'UPTIME_SMTP_URL',
    default: null,
    docs: 'Mail server for e-mail channels.',
    parse: address('smtp', 'smtps'),
  }),
  mailFrom: setting({ env: 'UPTIME_MAIL_FROM', default: null, docs: 'Sender of e-mail.', parse: text }),
  twilioUrl: setting({
    env: 'UPTIME_TWILIO_URL',
    default: 'https://api.twilio.com',
    docs: 'Address of Twilio, for SMS and calls.',
    parse: address('http', 'https'),
  }),
  twilioAccountSid: setting({
    env: 'UPTIME_TWILIO_ACCOUNT_SID',
    default: null,
    docs: 'Account at Twilio.',
    parse: text,
  }),
  twilioAuthToken: setting({
    env: 'UPTIME_TWILIO_AUTH_TOKEN',
    default: null,
    secret: true,
    docs: 'Token of the account at Twilio.',
    parse: text,
  }),
  twilioFrom: setting({
    env: 'UPTIME_TWILIO_FROM',
    default: null,
    docs: 'Number that SMS and calls come from.',
    parse: text,
  }),
  telegramUrl: setting({
    env: 'UPTIME_TELEGRAM_URL',
    default: 'https://api.telegram.org',
    docs: 'Address of Telegram.',
    parse: address('http', 'https'),
  }),
  pagerdutyUrl: setting({
    env: 'UPTIME_PAGERDUTY_URL',
    default: 'https://events.pagerduty.com',
    docs: 'Address of PagerDuty.',
    parse: address('http', 'https'),
  }),
  opsgenieUrl: setting({
    env: 'UPTIME_OPSGENIE_URL',
    default: null,
    docs: "Address of Opsgenie. Default: that of the channel's region.",
    parse: address('http', 'https'),
  }),
  pushoverUrl: setting({
    env: 'UPTIME_PUSHOVER_URL',
    default: 'https://api.pushover.net',
    docs: 'Address of Pushover.',
    parse: address('http', 'https'),
  }),
  httpsPort: setting({
    env: 'UPTIME_HTTPS_PORT',
    flag: '--https-port',
    default: null,
    docs: 'Port that serves custom domains by HTTPS, with certificates of its own. Default: no port, and no certificates are ordered.',
    parse: whole(0, 65_535),
  }),
  publicHost: setting({
    env: 'UPTIME_PUBLIC_HOST',
    default: null,
    docs: "Host that a custom domain's CNAME must point at. Default: the host of the site's address.",
    parse: hostName,
  }),
  acmeDirectoryUrl: setting({
    env: 'UPTIME_ACME_DIRECTORY_URL',
    default: 'https://acme-v02.api.letsencrypt.org/directory',
    docs: 'ACME directory of the certificate authority.',
    parse: address('http', 'https'),
  }),
  acmeEmail: setting({
    env: 'UPTIME_ACME_EMAIL',
    default: null,
    docs: 'E-mail address for the certificate authority to write to.',
    parse: text,
  }),
  billing: setting({
    env: 'UPTIME_BILLING',
    default: 'none',
    docs: 'Payment provider: none, stripe or sandbox.',
    parse: oneOf('none', 'stripe', 'sandbox'),
  }),
  stripeSecretKey: setting({
    env: 'UPTIME_STRIPE_SECRET_KEY',
    default: null,
    secret: true,
    docs: "Stripe's secret key.",
    parse: text,
  }),
  stripeWebhookSecret: setting({
    env: 'UPTIME_STRIPE_WEBHOOK_SECRET',
    default: null,
    secret: true,
    docs: "Secret of Stripe's webhook.",
    parse: text,
  }),
  stripeApiUrl: setting({
    env: 'UPTIME_STRIPE_API_URL',
    default: 'https://api.stripe.com',
    docs: 'Address of Stripe.',
    parse: address('http', 'https'),
  }),
};

export type SettingName = keyof typeof settings;
