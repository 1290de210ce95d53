import { afterAll, beforeAll, expect, test } from 'vitest';
import { administer } from '../admin/admin.ts';
import { createLog } from '../log.ts';
import { httpTarget } from '../testing/targets/index.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { Readable } from 'node:stream';

/**
 * This text is in every secret below that comes from a person or a setting, so the test searches the log for it.
 * Secrets that the daemon generates do not contain this text, so the test searches for each whole secret.
 */
const canary = 'C4n4ryB1rd';
const lines: string[] = [];
let daemon: TestDaemon;

beforeAll(async () => {
  const log = createLog({ level: 'debug', format: 'json', write: (line) => void lines.push(line) });
  daemon = await createTestDaemon({
    log,
    env: {
      UPTIME_SECRET_KEY: `${canary}-secret-key-of-32-characters-or-more`,
      UPTIME_SMTP_URL: `smtp://user:${canary}-smtp@127.0.0.1:1`,
      UPTIME_MAIL_FROM: 'uptime@example.com',
      UPTIME_TWILIO_ACCOUNT_SID: `${canary}-sid`,
      UPTIME_TWILIO_AUTH_TOKEN: `${canary}-token`,
      UPTIME_TWILIO_URL: 'http://127.0.0.1:1',
      UPTIME_TWILIO_FROM: '+15550100',
      UPTIME_STRIPE_SECRET_KEY: `${canary}-stripe`,
      UPTIME_STRIPE_WEBHOOK_SECRET: `${canary}-whsec`,
    },
  });
});
afterAll(() => daemon.close());

const anonymous = { apiKey: null };

const post = async (path: string, body: unknown, options?: Parameters<TestDaemon['request']>[3]) =>
  (await daemon.request('POST', path, body, options)).body as Record<string, string>;

test('the debug log of a busy daemon contains no secrets', async () => {
  const made: string[] = [daemon.apiKey, ...daemon.cookie.split(/[=;. ]/).filter((part) => part.length >= 20)];
  await using target = await httpTarget((_, response) => void response.writeHead(500).end(`${canary}-answer`));
  const url = target.url.replace('://', `://user:${canary}-password@`);

  await useAccounts();

  // Monitors that fail, with a secret in every field that may contain a secret.
  const headers = { Authorization: `Bearer ${canary}-header` };
  const http = {
    type: 'http',
    name: 'x',
    url: `${url}/${canary}-path?token=${canary}-query`,
    headers,
    body: `${canary}-body`,
    method: 'POST',
    interval: 1,
  };
  const monitor = await post('/api/monitors', http);
  await post(`/api/monitors/${monitor['id']}/check`, undefined);
  await post('/api/monitors', { ...http, url: `http://user:${canary}@nothing.invalid/${canary}` });
  await post('/api/monitors', `{"name": "${canary}", "name": "${canary}"}`);
  const job = await post('/api/monitors', { type: 'heartbeat', name: 'job' });
  const { pathname } = new URL(job['pingUrl']!);
  made.push(pathname.split('/').at(-1)!);
  await daemon.request('POST', pathname, { rows: 1 }, anonymous);
  await daemon.request('POST', pathname, `{"${canary}": []}`, anonymous);
  await daemon.request('GET', `${pathname}/fail`, undefined, anonymous);
  await daemon.request('GET', `${pathname}x`, undefined, anonymous);

  // Channels that fail, and alerts that use these channels.
  const channelIds = await createChannels(url, headers);
  await post('/api/alert-rules', {
    name: 'x',
    monitorIds: [monitor['id'], job['id']],
    channelIds: channelIds.filter((_, n) => n !== 2),
  });
  await daemon.request('GET', `${pathname}/fail`, undefined, anonymous);

  // The test renews the key, resets a password as the operator, and makes the store fail during a request.
  const renewed = await post(`/api/projects/${daemon.project.id}/api-key`, undefined);
  made.push(renewed['apiKey']!);
  const own = { apiKey: renewed['apiKey']! };
  await expect
    .poll(async () => JSON.stringify((await daemon.request('GET', '/api/deliveries', undefined, own)).body), {
      timeout: 15_000,
    })
    .toMatch(/"attempts":\[\{/);
  const operator = {
    env: { UPTIME_DATA_DIR: daemon.dataDir },
    stdin: Readable.from([`${canary}-password-3`]),
    print: () => undefined,
  };
  await administer(['reset-password', 'canary@example.com', '--password', '-'], operator);
  await daemon.store.db.schema.dropTable('rule_channel').execute();
  await post('/api/alert-rules', { name: canary, monitorIds: [], channelIds: [] }, own);
  await daemon.restart().catch((error: unknown) => lines.push(String(error)));

  const all = lines.join('\n');
  expect(lines.filter((line) => line.includes('"message":"request"')).length).toBeGreaterThan(25);
  expect(all).toMatch(/no such table/);
  for (const secret of [canary, Buffer.from(canary).toString('base64').slice(0, 12), ...made]) {
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  }
});

/** Signs up and signs in with right, wrong and refused passwords. Also uses an unknown key and an unknown cookie. */
async function useAccounts(): Promise<void> {
  const password = `${canary}-password-1`;
  const account = { name: 'x', email: 'canary@example.com', password };
  await post('/api/auth/sign-up/email', account, anonymous);
  await post('/api/auth/sign-up/email', account, anonymous);
  await post('/api/auth/sign-in/email', account, anonymous);
  await post('/api/auth/sign-in/email', { ...account, password: `${canary}-wrong` }, anonymous);
  const change = { currentPassword: `${canary}-wrong`, newPassword: `${canary}-password-2` };
  await post('/api/auth/change-password', change, { cookie: daemon.cookie });
  await daemon.request('GET', '/api/monitors', undefined, { apiKey: `uptime_${canary}${'a'.repeat(30)}` });
  await daemon.request('GET', '/api/monitors', undefined, { cookie: `uptime.session_token=${canary}.${canary}` });
}

/** Creates channels that fail, and sends a test message to each channel whose provider is on this machine. */
async function createChannels(url: string, headers: object): Promise<string[]> {
  const configs: { type: string; config: object; outside?: true }[] = [
    { type: 'webhook', config: { url: `${url}/${canary}-hook`, headers, secret: `${canary}-signing` } },
    { type: 'slack', config: { webhookUrl: `http://127.0.0.1:1/${canary}-hook` } },
    // The provider of this channel is outside this machine, so the test sends nothing to it.
    { type: 'telegram', config: { botToken: `1:${canary}`, chatId: '1' }, outside: true },
    { type: 'email', config: { address: 'ops@example.com' } },
    { type: 'sms', config: { phoneNumber: '+15550100' } },
  ];
  const channelIds: string[] = [];
  for (const { outside, ...config } of configs) {
    const { id } = await post('/api/notification-channels', { name: 'x', ...config });
    channelIds.push(id!);
    if (!outside) await post(`/api/notification-channels/${id}/test`, undefined);
  }
  return channelIds;
}
