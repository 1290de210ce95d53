import { isIP } from 'node:net';

/** One setting: where it may stand, what it is by default, and what it means. */
interface Setting<T> {
  env: string;
  flag?: string;
  /** As it would be written; null where it is unset by default. */
  default: string | null;
  docs: string;
  /** Throws an Error that says what was expected: `must be …`. */
  parse: (text: string) => T;
}

const setting = <T, D extends string | null>(of: Setting<T> & { default: D }) =>
  of as Setting<D extends null ? T | null : T>;

const text = (value: string): string => value;

const oneOf =
  <const V extends string>(...values: V[]) =>
  (given: string): V => {
    const found = values.find((value) => value === given);
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`);
    return found;
  };

const whole = (min: number, max: number) => (given: string) => {
  const number = Number(given);
  if (!/^\d+$/.test(given) || number < min || number > max) {
    throw new Error(`must be a whole number from ${min} to ${max}`);
  }
  return number;
};

const address =
  (...schemes: string[]) =>
  (given: string) => {
    const url = URL.parse(given);
    if (!url || !schemes.includes(url.protocol.slice(0, -1))) {
      throw new Error(`must be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`);
    }
    return given;
  };

const siteAddress = (given: string) => {
  const url = new URL(address('http', 'https')(given));
  if (url.search || url.hash || url.username || url.password || url.pathname !== '/') {
    throw new Error('must be an address without path, query or credentials, such as https://status.example.com');
  }
  return url.origin;
};

const hostName = (given: string) => {
  const host = URL.parse(`http://${given}`)?.hostname;
  if (!host || !/^[^\s/:@?#]+$|^\[[^\]]+\]$/.test(given))
    throw new Error('must be a host name or an address, without a port');
  return host;
};

const list = (given: string) =>
  given
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const nameServers = (given: string) => {
  const servers = list(given);
  const known = servers.every((server) => {
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^[\]]+?))(?::(\d{1,5}))?$/.exec(server) ?? [];
    const named = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
    return isIP(server) !== 0 || (named && (isIP(bracketed ?? '') === 6 || isIP(plain ?? '') === 4));
  });
  if (!known) throw new Error('must be a comma list of addresses, each with or without a port, such as 9.9.9.9:53');
  return servers;
};

const region = (given: string) => {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(given))
    throw new Error('must be 1 to 63 of a-z 0-9 -, with no dash at its start');
  return given;
};

const secretKey = (given: string) => {
  if (given.length < 32) throw new Error('must be at least 32 characters; `openssl rand -hex 32` makes one');
  return given;
};

/**
 * `true`, `false`, a number of proxies, or the addresses of the trusted ones. Never all of them: what stands first in
 * X-Forwarded-For is what the client itself wrote there.
 */
const trust = (given: string): false | number | string => {
  if (given === 'false') return false;
  if (given === 'true') return 1;
  if (/^\d{1,3}$/.test(given)) return Number(given);
  if (/^[\d a-fA-F.:,/]+$/.test(given)) return given;
  throw new Error('must be true, false, a number of proxies, or a comma list of their addresses');
};

/** Every setting of the daemon. Environment, config file, flags, help and docs are read from here. */
export const settings = {
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
    docs: 'Port to listen on; 0 for any free one.',
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
    docs: 'Address where people reach the service. Default: http:// and where it listens.',
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
    docs: 'Signs session cookies, at least 32 characters. Default: made once and kept in the data folder.',
    parse: secretKey,
  }),
  signup: setting({
    env: 'UPTIME_SIGNUP',
    default: 'open',
    docs: 'Who may sign up: open, closed, or invite (whom `uptimed admin invite` gave a code).',
    parse: oneOf('open', 'closed', 'invite'),
  }),
  rateLimit: setting({
    env: 'UPTIME_RATE_LIMIT',
    default: 'on',
    docs: 'Whether sign-in, sign-up and channel tests are throttled: on or off.',
    parse: oneOf('on', 'off'),
  }),
  trustProxy: setting({
    env: 'UPTIME_TRUST_PROXY',
    default: 'false',
    docs: 'Whose X-Forwarded-For is believed: false, true (one proxy), a number of proxies, or their addresses.',
    parse: trust,
  }),
  logLevel: setting({
    env: 'UPTIME_LOG_LEVEL',
    default: 'info',
    docs: 'Least level that is logged: debug, info, warn, error or silent.',
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
    docs: "Name servers, a comma list of host[:port]. Default: the system's.",
    parse: nameServers,
  }),
  targets: setting({
    env: 'UPTIME_TARGETS',
    default: 'all',
    docs: 'Which targets may be checked: all, or public-only.',
    parse: oneOf('all', 'public-only'),
  }),
  rdapBootstrapUrl: setting({
    env: 'UPTIME_RDAP_BOOTSTRAP_URL',
    default: null,
    docs: "Where RDAP servers are listed. Default: IANA's list.",
    parse: address('http', 'https'),
  }),
  rawRetentionDays: setting({
    env: 'UPTIME_RAW_RETENTION_DAYS',
    default: '30',
    docs: 'Days for which every single check is kept.',
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
    docs: 'Port that serves custom domains by HTTPS, with certificates of its own. Default: none are ordered.',
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
    docs: 'Whom the certificate authority may write to.',
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
    docs: "Stripe's secret key.",
    parse: text,
  }),
  stripeWebhookSecret: setting({
    env: 'UPTIME_STRIPE_WEBHOOK_SECRET',
    default: null,
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

type Settings = typeof settings;
export type SettingName = keyof Settings;
export type Config = { [N in SettingName]: ReturnType<Settings[N]['parse']> };

/** A setting that can't be used; the message is one sentence, or one a line. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Where settings stand, the strongest first. */
export interface ConfigSources {
  /** By name, from the command line. */
  flags?: Partial<Record<SettingName, string>>;
  env?: Record<string, string | undefined>;
  /** By name or environment name, from the config file. */
  file?: Record<string, unknown>;
}

/** Puts the settings together: flag over environment over file over default. Throws ConfigError with every fault. */
export function readConfig({ flags = {}, env = {}, file = {} }: ConfigSources): Config {
  const faults: string[] = [];
  const inFile = readFile(file, faults);
  const config: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(settings) as [SettingName, Setting<unknown>][]) {
    // An empty variable is an unset one: that is how compose files and shells leave things out.
    const given = flags[name] ?? (env[one.env] || undefined) ?? inFile[name] ?? one.default;
    try {
      config[name] = given === null ? null : one.parse(given);
    } catch (error) {
      const where = flags[name] === undefined ? one.env : (one.flag ?? one.env);
      // A secret must not be shown, even when it is a bad one.
      faults.push(`${where} ${(error as Error).message}.`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return config as Config;
}

/** The file's settings as text, by name. */
function readFile(file: Record<string, unknown>, faults: string[]): Partial<Record<SettingName, string>> {
  const found: Partial<Record<SettingName, string>> = {};
  for (const [given, value] of Object.entries(file)) {
    const name = (Object.keys(settings) as SettingName[]).find((one) => one === given || settings[one].env === given);
    if (!name) faults.push(`The config file has an unknown setting: ${given}.`);
    else if (Array.isArray(value)) found[name] = value.map(String).join(',');
    else if (['string', 'number', 'boolean'].includes(typeof value)) found[name] = String(value);
    else if (value !== null)
      faults.push(`${given} in the config file must be a text, a number, true or false, or a list.`);
  }
  return found;
}
