import { readdir, readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  allEndpoints,
  channelSecrets,
  type ChannelType,
  type ChannelTypeDefinition,
  channelTypeDefinitions,
  channelTypes,
  type Endpoint,
} from '@uptime/sdk/contract';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod';
import { createLog } from '../../log.ts';
import { type HttpTarget, httpTarget } from '../../testing/targets/index.ts';
import { createTestDaemon, type TestDaemon } from '../../testing/test-daemon.ts';

/** Every secret contains this text. The last four characters of a secret, which a mask shows, are not part of it. */
const canary = 'C4n4ryB1rd';
const secret = (field: string) => `${canary}-${field}/+"&-wxyz`;

/** A provider that answers with the status `failing`. Its answer repeats the request, each time in another format. */
const echo =
  (target: () => HttpTarget): RequestListener =>
  (_request, response) => {
    const { method, url, headers, body } = target().requests.at(-1)!;
    const credential = (headers.authorization ?? '').replace(/^Basic /, '');
    const whole = [
      url,
      JSON.stringify(headers),
      Buffer.from(credential, 'base64').toString(),
      body,
      encodeURIComponent(body),
      JSON.stringify({ body }),
    ];
    response.writeHead(failing, { 'x-echo': method }).end(whole[turn++ % whole.length]);
  };
let failing = 500;
let turn = 0;

/**
 * Returns one config for each channel type. Each web address in a config leads to `url`. Each secret and each web
 * address contains the canary.
 */
const configs = (url: string): Record<ChannelType, Record<string, unknown>> => {
  const own = url.replace('://', `://phil:${canary}-password-wxyz@`);
  const hook = `${url}/hooks/${canary}-path/wxyz?token=${canary}-query-wxyz`;
  const configOf = ({ config, secrets, example }: ChannelTypeDefinition) =>
    Object.fromEntries(
      Object.entries(config.shape).map(([field, schema]) => {
        const takes = (value: unknown) => (schema as z.ZodType).safeParse(value).success;
        const isAddress = takes(url) && !takes('x');
        if (secrets.includes(`${field}.*`))
          return [field, { Authorization: `Bearer ${secret('header')}`, 'X-Token': secret('token') }];
        if (isAddress) return [field, secrets.includes(field) ? hook : own];
        return [field, secrets.includes(field) ? secret(field) : example.config[field]];
      }),
    );
  return Object.fromEntries(
    Object.entries<ChannelTypeDefinition>(channelTypeDefinitions).map(([type, one]) => [type, configOf(one)]),
  ) as Record<ChannelType, Record<string, unknown>>;
};

/** A mail server that repeats the password in its refusal. */
const mail = new SMTPServer({
  authOptional: false,
  allowInsecureAuth: true,
  disabledCommands: ['STARTTLS'],
  onAuth: ({ username, password }, _session, callback) =>
    callback(new Error(`535 ${String(username)} may not come in by ${String(password)}`)),
});

let target: HttpTarget;
let daemon: TestDaemon;
let lines: string[];
let logged: string[];
const ids = new Map<ChannelType, string>();

beforeAll(async () => {
  target = await httpTarget(echo(() => target));
  const { url } = target;
  await new Promise<void>((resolve) => void mail.listen(0, '127.0.0.1', resolve));
  const { port } = mail.server.address() as AddressInfo;
  logged = [];
  daemon = await createTestDaemon({
    runCheck: async () => ({
      verdict: 'down',
      error: { code: 'connect_refused', message: 'nothing listens there' },
      responseTime: null,
      statusCode: null,
      timings: null,
      certificate: null,
      trace: [],
    }),
    log: createLog({ level: 'debug', format: 'json', write: (line) => void logged.push(line) }),
    env: {
      UPTIME_SMTP_URL: `smtp://ops:${canary}-smtp-wxyz@127.0.0.1:${port}`,
      UPTIME_MAIL_FROM: 'uptime@example.com',
      UPTIME_TWILIO_URL: url,
      UPTIME_TWILIO_ACCOUNT_SID: 'AC1',
      UPTIME_TWILIO_AUTH_TOKEN: secret('twilio'),
      UPTIME_TWILIO_FROM: '+15550199',
      UPTIME_TELEGRAM_URL: url,
      UPTIME_PAGERDUTY_URL: url,
      UPTIME_OPSGENIE_URL: url,
      UPTIME_PUSHOVER_URL: url,
    },
  });
  lines = [];
});
afterAll(async () => {
  await Promise.all([daemon.close(), target.close()]);
  await new Promise<void>((resolve) => mail.close(resolve));
});

const ask = async (method: string, path: string, body?: unknown, headers = {}) => {
  const answer = await daemon.request(method, path, body, { headers });
  lines.push(`${method} ${path}: ${JSON.stringify([...answer.headers])} ${JSON.stringify(answer.body)}`);
  return answer;
};
const path = '/api/notification-channels';

test('the configs of this test contain the canary in every secret field of every channel type', () => {
  for (const type of channelTypes) {
    for (const field of channelSecrets[type]) {
      expect([type, JSON.stringify(configs(target.url)[type][field.replace('.*', '')])]).toEqual([
        type,
        expect.stringContaining(canary),
      ]);
    }
  }
});

test('this test collects the answers to creates, patches and test messages of channels of every type', async () => {
  for (const type of channelTypes) {
    const config = configs(target.url)[type];
    const body = { type, name: type, key: type, config };
    const made = await ask('POST', path, body, { 'idempotency-key': type });
    expect(made.status).toBe(201);
    const { id } = made.body as { id: string };
    ids.set(type, id);
    expect((await ask('POST', path, body, { 'idempotency-key': type })).body).toEqual(made.body);
    expect((await ask('POST', path, { ...body, name: 'x' }, { 'idempotency-key': type })).status).toBe(409);
    expect((await ask('POST', path, body)).status).toBe(409);

    for (const wrong of [
      { ...config, unknown: 1 },
      { ...config, ...(config.webhookUrl !== undefined && { webhookUrl: `ftp://${canary}/` }), url: canary },
      Object.fromEntries(Object.entries(config).map(([field, value]) => [field, [value]])),
      Object.fromEntries(Object.entries(config).map(([field, value]) => [field, `${String(value)}\n••••`])),
      JSON.stringify(config),
    ]) {
      expect((await ask('POST', path, { ...body, key: null, config: wrong })).status).toBe(400);
      expect((await ask('PATCH', `${path}/${id}`, { config: wrong })).status).toBe(400);
    }
    expect((await ask('PATCH', `${path}/${id}`, { config })).body).toEqual(made.body);
    for (const status of [200, 400, 500, 503]) {
      failing = status;
      // Sends one test message for each format of the provider's answer.
      for (let form = 0; form < 6; form++) await ask('POST', `${path}/${id}/test`);
    }
    failing = 500;
    expect((await ask('POST', `${path}/${id}/test`)).status).toBe(502);
  }
  expect(target.requests.some(({ url, headers }) => `${url} ${JSON.stringify(headers)}`.includes(canary))).toBe(true);
});

test('this test collects the answers about alerts while the provider of every channel type refuses the messages', async () => {
  const { id } = (
    await ask('POST', '/api/monitors', { type: 'tcp', name: 'm', host: 'localhost', port: 1, interval: 1 })
  ).body as {
    id: string;
  };
  failing = 400;
  await ask('POST', '/api/alert-rules', { name: 'all', monitorIds: [id], channelIds: [...ids.values()] });
  const pending = async () => (await ask('GET', '/api/deliveries?status=pending')).body as { attempts: unknown[] }[];
  await expect
    .poll(async () => (await pending()).filter(({ attempts }) => attempts.length > 0), { timeout: 30_000 })
    .toHaveLength(ids.size);
  // A refused message is retried once, a minute later. This makes the retry due now.
  await daemon.store.db.updateTable('delivery').set({ next_at: 0 }).where('status', '=', 'pending').execute();
  const failed = async () => (await ask('GET', '/api/deliveries?status=failed&limit=1')).body as { id: string }[];
  await expect.poll(async () => (await failed()).length, { timeout: 30_000 }).toBe(1);
  await ask('POST', `/api/deliveries/${(await failed())[0]!.id}/redeliver`);
});

test('this test collects the answers of all endpoints except those for sign-in and most deletes, with known and unknown ids', async () => {
  const alerts = (await ask('GET', '/api/alert-history')).body as { id: string }[];
  expect(alerts).toHaveLength(channelTypes.length);
  for (const [operation, endpoint] of Object.entries<Endpoint>(allEndpoints)) {
    if (endpoint.method === 'DELETE' || operation.startsWith('sign')) continue;
    const params: Record<string, string> = { alertId: alerts[0]!.id, channelId: ids.get('webhook')! };
    const at = endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? 'x');
    await ask(endpoint.method, `${endpoint.site ? '' : '/api'}${at}`, endpoint.body ? {} : undefined);
  }
  await ask('GET', path);
  for (const id of ids.values()) expect((await ask('DELETE', `${path}/${id}`)).status).toBe(204);
  await ask('GET', '/api/deliveries');
});

test('no collected answer, no log line and no file of the store contains a secret', async () => {
  const files = await readdir(daemon.dataDir, { recursive: true, withFileTypes: true });
  const stored = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
  );
  expect(stored.join('').length).toBeGreaterThan(10_000);
  expect(lines.length).toBeGreaterThan(300);
  const everything = [...lines, ...logged, ...stored];
  // Searches with `includes` first, because the regular expression is slow in texts without the canary. Most texts have
  // no canary.
  const around = (text: string) =>
    text.includes(canary) ? [...text.matchAll(new RegExp(`.{0,120}${canary}.{0,40}`, 'gs'))].map(([hit]) => hit) : [];
  expect([...new Set(everything.flatMap(around))]).toEqual([]);
  // Also searches for the password in Base64, because a header contains it in that form.
  const basic = /[A-Za-z0-9+/=_-]{16,}/g;
  const decoded = (text: string) =>
    [...text.matchAll(basic)].filter(([word]) => Buffer.from(word, 'base64').toString('latin1').includes(canary));
  expect(everything.flatMap(decoded).map(([word]) => word)).toEqual([]);
});
