import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig, unknownVariables } from './config.ts';
import { settings } from './settings.ts';

test('a first start needs no settings: each has a default', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    dataDir: './uptime-data',
    siteUrl: null,
    databaseUrl: null,
    region: 'default',
    signup: 'open',
    rateLimit: 'on',
    targets: 'all',
    rawRetentionDays: 30,
    billing: 'none',
  });
});

test('a flag overrides the environment, which overrides the file, which overrides the default', () => {
  const file = { port: 1, host: 'file', UPTIME_REGION: 'file' };
  const env = { UPTIME_PORT: '2', UPTIME_HOST: 'env' };
  expect(readConfig({ file, env, flags: { port: '3' } })).toMatchObject({ port: 3, host: 'env', region: 'file' });
});

test('the public mode turns on the safe default of every setting', () => {
  expect(readConfig({ env: { UPTIME_MODE: 'public' } })).toMatchObject({
    mode: 'public',
    signup: 'invite',
    targets: 'public-only',
    rateLimit: 'on',
    confirmAddresses: 'on',
    channelMessagesPerHour: 100,
    projectMailsPerDay: 500,
    projectCallsPerDay: 50,
    accountMailsPerDay: 1000,
    accountCallsPerDay: 100,
    serverMailsPerDay: 20_000,
    serverCallsPerDay: 1000,
  });
  expect(readConfig({ env: { UPTIME_MODE: 'public', UPTIME_SIGNUP: 'open' } }).signup).toBe('open');
});

test.each([
  ['UPTIME_TARGETS', 'all'],
  ['UPTIME_RATE_LIMIT', 'off'],
  ['UPTIME_CONFIRM_ADDRESSES', 'off'],
])('readConfig refuses %s=%s in public mode, because it contradicts that mode', (name, value) => {
  expect(() => readConfig({ env: { UPTIME_MODE: 'public', [name]: value } })).toThrow(
    `${name}=${value} contradicts UPTIME_MODE=public: leave one of them out.`,
  );
});

test('a node has every role, or only the roles that UPTIME_ROLES lists', () => {
  const rolesOf = (given?: string) =>
    readConfig({ env: { UPTIME_DATABASE_URL: 'postgres://db/uptime', UPTIME_ROLES: given } }).roles;
  expect(rolesOf()).toEqual(['api', 'checker', 'deliver', 'housekeeping']);
  expect(rolesOf('deliver, api,deliver')).toEqual(['api', 'deliver']);
  for (const given of ['all', ',', 'api,deliverer', 'api;checker'])
    expect(() => rolesOf(given)).toThrow('UPTIME_ROLES must be a comma list of api, checker, deliver, housekeeping.');
});

test('on SQLite, a node needs every role', () => {
  expect(readConfig({ env: { UPTIME_ROLES: 'housekeeping,deliver,checker,api' } }).roles).toHaveLength(4);
  expect(() => readConfig({ flags: { roles: 'api,checker' } })).toThrow(
    'UPTIME_ROLES=api,checker needs PostgreSQL: only one daemon can use a SQLite database, so it needs every role. Set UPTIME_DATABASE_URL, or leave the roles out.',
  );
});

test('a limit on messages is a whole number, or off', () => {
  const limitOf = (given: string) => readConfig({ env: { UPTIME_PROJECT_MAILS_PER_DAY: given } }).projectMailsPerDay;
  expect(['7', 'off', '0'].map(limitOf)).toEqual([7, null, null]);
  for (const given of ['-1', '1.5', 'none', '1e3', '1000000000'])
    expect(() => limitOf(given)).toThrow(
      'UPTIME_PROJECT_MAILS_PER_DAY must be a whole number from 1 to 999999999, or off.',
    );
});

test('an empty environment variable counts as unset', () => {
  expect(readConfig({ env: { UPTIME_PORT: '', UPTIME_SITE_URL: '' } })).toMatchObject({ port: 3000, siteUrl: null });
});

test('UPTIME_GATEWAY_CHECK is auto, off, or a list of addresses with ports', () => {
  const read = (given: string) => readConfig({ env: { UPTIME_GATEWAY_CHECK: given } }).gatewayCheck;
  expect(readConfig({}).gatewayCheck).toBe('auto');
  expect(read('off')).toBe('off');
  expect(read('192.0.2.1:443, [2001:db8::1]:53')).toEqual([
    { address: '192.0.2.1', port: 443 },
    { address: '2001:db8::1', port: 53 },
  ]);
});

test('a setting with several values is a list in the file, and comma-separated in the environment', () => {
  expect(readConfig({ file: { dnsServers: ['9.9.9.9', '1.1.1.1:53'] } }).dnsServers).toEqual(['9.9.9.9', '1.1.1.1:53']);
  expect(readConfig({ env: { UPTIME_DNS_SERVERS: '9.9.9.9, 1.1.1.1:53' } }).dnsServers).toEqual([
    '9.9.9.9',
    '1.1.1.1:53',
  ]);
});

test.each(['9.9.9.9', '9.9.9.9:53', '2620:fe::fe', '[2620:fe::fe]:53', 'localhost:5353', 'dns.example.com'])(
  '%s is accepted as a name server',
  (server) => {
    expect(readConfig({ env: { UPTIME_DNS_SERVERS: server } }).dnsServers).toEqual([server]);
  },
);

test('a site address loses its trailing slash', () => {
  expect(readConfig({ env: { UPTIME_SITE_URL: 'https://status.example.com/' } }).siteUrl).toBe(
    'https://status.example.com',
  );
});

describe('reading the settings', () => {
  test.each([
    ['UPTIME_PORT', '65536'],
    ['UPTIME_PORT', '-1'],
    ['UPTIME_PORT', '3000a'],
    ['UPTIME_SITE_URL', 'status.example.com'],
    ['UPTIME_SITE_URL', 'https://example.com/path'],
    ['UPTIME_DATABASE_URL', 'mysql://localhost/x'],
    ['UPTIME_REGION', 'EU West'],
    ['UPTIME_SECRET_KEY', 'short'],
    ['UPTIME_SIGNUP', 'maybe'],
    ['UPTIME_TARGETS', 'some'],
    ['UPTIME_TRUST_PROXY', 'perhaps'],
    ['UPTIME_RAW_RETENTION_DAYS', '0'],
    ['UPTIME_SMTP_URL', 'http://mail'],
    ['UPTIME_GATEWAY_CHECK', 'on'],
    ['UPTIME_GATEWAY_CHECK', 'gateway.example:80'],
    ['UPTIME_GATEWAY_CHECK', '192.0.2.1'],
    ['UPTIME_GATEWAY_CHECK', '192.0.2.1:0'],
    ['UPTIME_GATEWAY_CHECK', '192.0.2.1:80,2001:db8::1:80'],
    ['UPTIME_DNS_SERVERS', 'https://dns.example.com'],
    ['UPTIME_DNS_SERVERS', '9.9.9'],
    ['UPTIME_DNS_SERVERS', '256.1.1.1:53'],
    ['UPTIME_DNS_SERVERS', '9.9.9.9:99999'],
  ])('readConfig refuses %s=%s, and the error says what is expected', (name, value) => {
    expect(() => readConfig({ env: { [name]: value } })).toThrow(new RegExp(`^${name} must be .+\\.$`));
  });

  test('the error for a mistyped setting suggests the right name', () => {
    expect(() => readConfig({ env: { UPTIME_TARGET: 'public-only' } })).toThrow(
      'UPTIME_TARGET is not a setting. Did you mean UPTIME_TARGETS?',
    );
    expect(() => readConfig({ env: { UPTIME_SIGN_UP: 'closed' } })).toThrow(/Did you mean UPTIME_SIGNUP\?/);
  });

  test('readConfig ignores variables of other programs and of the command line', () => {
    const env = { UPTIME_API_KEY: 'x', UPTIME_PROFILE: 'work', UPTIME_SOMETHING_ELSE_ALTOGETHER: '1', PATH: '/bin' };
    expect(readConfig({ env }).targets).toBe('all');
    expect(unknownVariables(env)).toEqual(['UPTIME_SOMETHING_ELSE_ALTOGETHER']);
  });

  test('readConfig reports all faults at once, and never shows the value of a secret', () => {
    const env = { UPTIME_PORT: 'x', UPTIME_SECRET_KEY: 'hunter2' };
    expect(() => readConfig({ env })).toThrow(ConfigError);
    expect(() => readConfig({ env })).toThrow(/UPTIME_PORT .*\nUPTIME_SECRET_KEY /);
    expect(() => readConfig({ env })).not.toThrow(/hunter2/);
  });

  test('if an invalid value came from a flag, the error names the flag', () => {
    expect(() => readConfig({ flags: { port: 'x' } })).toThrow(/^--port must be/);
  });

  test('readConfig refuses an unknown setting in the config file, and a value that is an object', () => {
    expect(() => readConfig({ file: { prot: 3000 } })).toThrow(/unknown setting: prot/);
    expect(() => readConfig({ file: { port: { a: 1 } } })).toThrow(/must be a text, a number/);
  });
});

test('every setting has an environment variable of its own', () => {
  const names = Object.values(settings).map((setting) => setting.env);
  expect(new Set(names).size).toBe(names.length);
  expect(names.every((name) => /^UPTIME_[A-Z0-9_]+$/.test(name))).toBe(true);
});
