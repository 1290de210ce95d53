import { expect, onTestFinished, test, vi } from 'vitest';
import { passingCheck } from '../../testing/passing-check.ts';
import { smtpTarget } from '../../testing/targets/smtp.ts';
import { httpTarget, status } from '../../testing/targets/index.ts';
import { createTestDaemon } from '../../testing/test-daemon.ts';

/** Number of channels of each kind: mail and SMS. */
const channelsEach = 3;
const outages = 6;

/**
 * Starts a daemon that sends its mail and SMS to servers of this test. Adds channels to the addresses of strangers, and
 * a rule that sends alarms about one job to all of them.
 */
async function createFlood(env: Record<string, string>) {
  const [smtp, twilio] = await Promise.all([smtpTarget(), httpTarget(status(201, '{"sid":"SM1"}'))]);
  const log = { debug() {}, info() {}, error() {}, warn: vi.fn<(fields: object, message: string) => void>() };
  const daemon = await createTestDaemon({
    runCheck: passingCheck,
    log,
    env: {
      UPTIME_SMTP_URL: smtp.url,
      UPTIME_MAIL_FROM: 'uptime@example.com',
      UPTIME_TWILIO_URL: twilio.url,
      UPTIME_TWILIO_ACCOUNT_SID: 'AC1',
      UPTIME_TWILIO_AUTH_TOKEN: 'a-token-of-twilio',
      UPTIME_TWILIO_FROM: '+15550199',
      ...env,
    },
  });
  onTestFinished(async () => {
    await daemon.close();
    await Promise.all([smtp.close(), twilio.close()]);
  });
  const make = async (path: string, body: object) =>
    (await daemon.request('POST', `/api${path}`, body)).body as { id: string; pingUrl: string };
  const channelIds: string[] = [];
  for (let n = 0; n < channelsEach; n++) {
    const [mail, sms] = [{ address: `stranger${n}@example.com` }, { phoneNumber: `+1555010${n}` }];
    channelIds.push((await make('/notification-channels', { type: 'email', name: `m${n}`, config: mail })).id);
    channelIds.push((await make('/notification-channels', { type: 'sms', name: `s${n}`, config: sms })).id);
  }
  const job = await make('/monitors', { type: 'heartbeat', name: 'job' });
  await make('/alert-rules', { name: 'r', monitorIds: [job.id], channelIds });
  const pending = () =>
    daemon.store.db
      .selectFrom('delivery')
      .innerJoin('channel', 'channel.seq', 'delivery.channel')
      .select('delivery.seq')
      .where('status', '=', 'pending')
      // Leaves out messages that wait for a limit, because they stay pending.
      .where('channel.wait_until', '<=', Date.now())
      .where((row) =>
        row.or([row('next_at', 'is', null), row('next_at', '<=', Date.now()), row('lease_until', '>', 0)]),
      )
      .execute();
  /** Reports failures and successes alternately, and waits until every message that the limits allow is sent. */
  const attack = async () => {
    for (let n = 0; n < outages; n++) {
      for (const report of ['/fail', '']) await fetch(job.pingUrl + report, { method: 'POST' });
      await expect.poll(pending, { timeout: 10_000 }).toEqual([]);
    }
  };
  return { daemon, smtp, twilio, log, channelIds, attack, job };
}

const limits = { UPTIME_PROJECT_MAILS_PER_DAY: '8', UPTIME_PROJECT_CALLS_PER_DAY: '4' };

test('a limit stops the messages of an account that floods strangers; its alerts name the limit, and unsent messages are kept', async () => {
  const { daemon, smtp, twilio, log, channelIds, attack } = await createFlood(limits);
  await attack();
  expect(smtp.mails).toHaveLength(8);
  expect(twilio.requests).toHaveLength(4);
  expect(smtp.mails.at(-1)!.raw).toContain('Message limit');
  expect((await daemon.request('GET', '/api/usage')).body).toMatchObject({
    messages: { mails: { used: 8, limit: 8 }, calls: { used: 4, limit: 4 } },
  });

  const why = /^Waits until .* UTC, because the limit of 4 SMS and calls a day for one project is reached\.$/;
  const alerts = (await daemon.request('GET', '/api/alert-history')).body as {
    channelId: string;
    deliveryStatus: string;
    error: string | null;
  }[];
  const texts = alerts.filter(({ channelId }) => channelIds.indexOf(channelId) % 2 === 1);
  expect(texts.filter(({ deliveryStatus }) => deliveryStatus === 'failed')).toEqual([]);
  const waiting = texts.filter(({ deliveryStatus }) => deliveryStatus === 'pending');
  expect(waiting.length).toBeGreaterThan(0);
  for (const { error } of waiting) expect(error).toMatch(why);
  const [delivery] = (await daemon.request('GET', '/api/deliveries?status=pending')).body as {
    nextAttemptAt: string;
  }[];
  expect(Date.parse(delivery!.nextAttemptAt)).toBeGreaterThan(Date.now());

  const { warnings } = (await daemon.request('GET', '/healthz')).body as { warnings: string[] };
  expect(warnings.join('\n')).toContain('messages wait because a limit of messages is reached');
  const limitWarnings = log.warn.mock.calls
    .map(([, message]) => message)
    .filter((message) => message.includes('a message limit'));
  expect(limitWarnings).toHaveLength(2 * channelsEach);

  // Test messages and redeliveries count against the same limit.
  const test = await daemon.request('POST', `/api/notification-channels/${channelIds[1]}/test`);
  expect(test).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect((test.body as { detail: string }).detail).toContain('the limit of 4 SMS and calls a day for one project');
  expect(Number(test.headers.get('retry-after'))).toBeGreaterThan(3600);
  const sent = (await daemon.request('GET', '/api/deliveries?status=sent')).body as { id: string; channelId: string }[];
  for (const { id } of sent.slice(0, 6)) await daemon.request('POST', `/api/deliveries/${id}/redeliver`);
  await daemon.restart();
  await expect
    .poll(() => daemon.store.db.selectFrom('delivery').select('seq').where('lease_until', '>', 0).execute())
    .toEqual([]);
  expect(smtp.mails).toHaveLength(8);
  expect(twilio.requests).toHaveLength(4);
});

test('a server without limits sends all messages of an account that floods strangers', async () => {
  const { smtp, twilio, attack } = await createFlood({
    UPTIME_PROJECT_MAILS_PER_DAY: 'off',
    UPTIME_PROJECT_CALLS_PER_DAY: '0',
  });
  await attack();
  // Each channel got an alarm and a recovery for each outage, or one message for both.
  expect(smtp.mails.length).toBeGreaterThanOrEqual(outages * channelsEach);
  expect(twilio.requests.length).toBeGreaterThanOrEqual(outages * channelsEach);
});

test('in public mode, strangers get only a confirmation code from an account that floods them', async () => {
  const { smtp, attack, daemon, channelIds } = await createFlood({
    UPTIME_MODE: 'public',
    UPTIME_SIGNUP: 'open',
    UPTIME_RATE_LIMIT: 'on',
  });
  await attack();
  expect(smtp.mails.map(({ headers }) => headers.get('subject')![0]!.replace(/\d+/, 'N'))).toEqual(
    Array<string>(channelsEach).fill('Confirmation code N'),
  );
  expect(await daemon.request('POST', `/api/notification-channels/${channelIds[0]}/test`)).toMatchObject({
    status: 409,
  });
});

test('a server with default settings has no limit', async () => {
  const { smtp, attack, daemon, channelIds } = await createFlood({});
  await attack();
  expect(smtp.mails.length).toBeGreaterThanOrEqual(outages * channelsEach);
  expect(await daemon.request('POST', `/api/notification-channels/${channelIds[1]}/test`)).toMatchObject({
    status: 200,
  });
});

test('the limit on redeliveries applies to a whole project', async () => {
  const { daemon } = await createFlood({ UPTIME_RATE_LIMIT: 'on' });
  const statuses = await Promise.all(
    Array.from(
      { length: 61 },
      async (_, n) => (await daemon.request('POST', `/api/deliveries/dlv_${n}/redeliver`)).status,
    ),
  );
  expect(statuses.filter((code) => code === 404)).toHaveLength(60);
  expect(statuses.filter((code) => code === 429)).toHaveLength(1);
});
