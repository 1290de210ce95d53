import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databases } from '../../testing/databases.ts';
import { passingCheck } from '../../testing/passing-check.ts';
import { startProvider } from '../../testing/providers/index.ts';
import { sms as twilio } from '../../testing/providers/sms.ts';
import { type SmtpTarget, smtpTarget } from '../../testing/targets/smtp.ts';
import { createTestDaemon, type TestDaemon } from '../../testing/test-daemon.ts';

interface Shown {
  id: string;
  confirmedAt?: string | null;
  lastError: string | null;
}

const path = '/api/notification-channels';

describe.each(databases)('confirmation of addresses on $name', (database) => {
  let daemon: TestDaemon;
  let smtp: SmtpTarget;
  let phones: Awaited<ReturnType<typeof startProvider>>;
  let count = 0;
  beforeAll(async () => {
    [smtp, phones] = await Promise.all([smtpTarget(), startProvider('sms')]);
    const { twilioUrl, twilioAccountSid, twilioAuthToken, twilioFrom } = twilio.gateways!(phones.url);
    daemon = await createTestDaemon({
      database,
      runCheck: passingCheck,
      env: {
        UPTIME_CONFIRM_ADDRESSES: 'on',
        UPTIME_SMTP_URL: smtp.url,
        UPTIME_MAIL_FROM: 'uptime@example.com',
        UPTIME_TWILIO_URL: twilioUrl!,
        UPTIME_TWILIO_ACCOUNT_SID: twilioAccountSid!,
        UPTIME_TWILIO_AUTH_TOKEN: twilioAuthToken!,
        UPTIME_TWILIO_FROM: twilioFrom!,
      },
    });
  });
  afterAll(async () => {
    await daemon.close();
    await Promise.all([smtp.close(), phones.close()]);
  });
  beforeEach(() => void (smtp.mails.length = 0));

  const newAddress = () => `ops${++count}@example.com`;
  const create = async (address: string, apiKey = daemon.apiKey): Promise<Shown> => {
    const answer = await daemon.request('POST', path, { type: 'email', name: 'mail', config: { address } }, { apiKey });
    expect(answer).toMatchObject({ status: 201 });
    return answer.body as Shown;
  };
  const confirm = (id: string, body: object = {}, apiKey = daemon.apiKey) =>
    daemon.request('POST', `${path}/${id}/confirm`, body, { apiKey });
  const shown = async (id: string) =>
    ((await daemon.request('GET', path)).body as Shown[]).find((channel) => channel.id === id)!;
  const codesTo = (address: string) =>
    smtp.mails
      .filter(({ to }) => to.includes(address))
      .map(({ headers }) => /^Confirmation code (\d{6})$/.exec(headers.get('subject')![0]!)?.[1]);
  const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000');

  test('a new address gets only a code until that code is entered', async () => {
    const address = newAddress();
    const made = await create(address);
    expect(made).toMatchObject({ confirmedAt: null, lastError: null });
    const [code] = codesTo(address);
    expect(smtp.mails).toHaveLength(1);
    const refused = await daemon.request('POST', `${path}/${made.id}/test`);
    expect(refused).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining(`uptime channels confirm ${made.id}`) as string },
    });
    expect(smtp.mails).toHaveLength(1);

    const confirmed = await confirm(made.id, { code });
    expect(confirmed).toMatchObject({ status: 200, body: { id: made.id } });
    expect((confirmed.body as Shown).confirmedAt).toMatch(/^\d{4}-/);
    expect(await daemon.request('POST', `${path}/${made.id}/test`)).toMatchObject({ status: 200 });
    expect(smtp.mails).toHaveLength(2);
    expect(await confirm(made.id, { code })).toMatchObject({ status: 409 });
  });

  test('the message with a code contains no text that the user of the channel wrote', async () => {
    const address = newAddress();
    await daemon.request('POST', path, { type: 'email', name: 'BUY PILLS', config: { address } });
    expect(smtp.mails[0]!.raw).not.toContain('PILLS');
    expect(smtp.mails[0]!.raw).toContain('none will be sent');
  });

  test('after five wrong codes, the API refuses even the right code', async () => {
    const address = newAddress();
    const { id } = await create(address);
    const [code] = codesTo(address);
    for (const left of [4, 3, 2, 1])
      expect(await confirm(id, { code: wrongFor(code!) })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'code', message: `is not the code that was sent; tries left: ${left}` }] },
      });
    for (const tried of [wrongFor(code!), code])
      expect(await confirm(id, { code: tried })).toMatchObject({
        status: 409,
        body: { detail: `The code is void after 5 wrong tries: \`uptime channels confirm ${id}\` sends a new one.` },
      });
    expect((await confirm(id)).status).toBe(200);
    expect((await confirm(id, { code: codesTo(address)[1] })).status).toBe(200);
  });

  test('a code is valid for 30 minutes, only for its channel, and only until the next code is sent', async () => {
    const [one, two] = [newAddress(), newAddress()];
    const [first, second] = [await create(one), await create(two)];
    expect((await confirm(second.id, { code: codesTo(one)[0] })).status).toBe(400);
    expect((await confirm(first.id)).status).toBe(200);
    expect((await confirm(first.id, { code: codesTo(one)[0] })).status).toBe(400);
    await daemon.store.db
      .updateTable('channel')
      .set({ code_until: Date.now() - 1000 })
      .where('id', '=', first.id)
      .execute();
    expect(await confirm(first.id, { code: codesTo(one)[1] })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('30 minutes') as string },
    });
  });

  test('an address gets at most three codes a day, whatever its spelling is and whichever account asks', async () => {
    const stranger = await daemon.another(`stranger${++count}`);
    const name = `victim${++count}`;
    await create(`${name}@example.com`);
    await create(`${name}+1@example.com`, stranger.apiKey);
    await create(`V.${name.slice(1)}+2@example.com`);
    const fourth = await create(`${name}+3@example.com`, stranger.apiKey);
    expect(smtp.mails).toHaveLength(3);
    expect(fourth.lastError).toMatch(
      /^No code was sent: this address got 3 codes in the last 24 hours, and the limit is 3\./,
    );
    const again = await confirm(fourth.id, {}, stranger.apiKey);
    expect(again).toMatchObject({ status: 429, body: { detail: fourth.lastError } });
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect(smtp.mails).toHaveLength(3);
  });

  test('an account can send at most 30 codes a day', async () => {
    const stranger = await daemon.another(`spammer${++count}`);
    const { user_id: account } = await daemon.store.db
      .selectFrom('project')
      .select('user_id')
      .where('id', '=', stranger.project.id)
      .executeTakeFirstOrThrow();
    await create(newAddress(), stranger.apiKey);
    const day = 24 * 3_600_000;
    // Sets the state that 28 more codes would lead to.
    await daemon.store.db
      .updateTable('message_budget')
      .set({ full_at: Date.now() + (29 * day) / 30 })
      .where('owner', '=', `codes ${account}`)
      .execute();
    expect((await create(newAddress(), stranger.apiKey)).lastError).toBeNull();
    const refused = await create(newAddress(), stranger.apiKey);
    expect(refused.lastError).toMatch(
      /^No code was sent: the limit of 30 confirmation codes a day for one account leaves no room for another code \(30 are used\)\./,
    );
    expect(smtp.mails).toHaveLength(2);
  });

  test('a confirmed address is confirmed for all projects of the account, but not for other accounts', async () => {
    const address = newAddress();
    const early = await create(address);
    const first = await create(address);
    await confirm(first.id, { code: codesTo(address)[1] });
    // One code confirms all of the account's channels with this address.
    expect((await shown(early.id)).confirmedAt).toMatch(/^\d{4}-/);
    const project = (await daemon.request('POST', '/api/projects', { name: 'p' }, { cookie: daemon.cookie })).body as {
      apiKey: string;
    };
    smtp.mails.length = 0;
    expect((await create(address.toUpperCase(), project.apiKey)).confirmedAt).toMatch(/^\d{4}-/);
    expect(smtp.mails).toEqual([]);
    const stranger = await daemon.another(`stranger${++count}`);
    expect((await create(address, stranger.apiKey)).confirmedAt).toBeNull();
    expect(smtp.mails).toHaveLength(1);
  });

  test('a channel must be confirmed again after a change of its address, but not after a change of its name', async () => {
    const address = newAddress();
    const { id } = await create(address);
    await confirm(id, { code: codesTo(address)[0] });
    const renamed = await daemon.request('PATCH', `${path}/${id}`, { name: 'other' });
    expect((renamed.body as Shown).confirmedAt).toMatch(/^\d{4}-/);
    const other = newAddress();
    const moved = await daemon.request('PATCH', `${path}/${id}`, { config: { address: other } });
    expect(moved).toMatchObject({ status: 200, body: { confirmedAt: null } });
    expect(codesTo(other)).toHaveLength(1);
    // A code that was sent to the old address does not confirm the new address.
    expect((await confirm(id, { code: codesTo(address)[0] })).status).toBe(400);
    const chat = { type: 'slack', config: { webhookUrl: 'https://hooks.example.com/services/abcdefgh' } };
    expect((await daemon.request('PATCH', `${path}/${id}`, chat)).body).not.toHaveProperty('confirmedAt');
    const back = await daemon.request('PATCH', `${path}/${id}`, { type: 'email', config: { address: other } });
    expect(back).toMatchObject({ status: 200, body: { confirmedAt: null } });
  });

  test('an alarm to an unconfirmed address fails with an error that says how to confirm it, and is sent as soon as the code is entered', async () => {
    const address = newAddress();
    const { id } = await create(address);
    const monitor = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'job' });
    const { id: monitorId, pingUrl } = monitor.body as { id: string; pingUrl: string };
    await daemon.request('POST', '/api/alert-rules', { name: 'r', monitorIds: [monitorId], channelIds: [id] });
    await fetch(`${pingUrl}/fail`, { method: 'POST' });
    const alert = async () => {
      const found = (await daemon.request('GET', '/api/alert-history')).body as Record<string, unknown>[];
      return found.find((one) => one['channelId'] === id);
    };
    await expect.poll(async () => (await alert())?.['deliveryStatus']).toBe('failed');
    const why = `Not sent, because the address of this channel is not confirmed: \`uptime channels confirm ${id}\`.`;
    expect((await alert())!['error']).toBe(why);
    const [delivery] = (await daemon.request('GET', `/api/deliveries?alertId=${String((await alert())!['id'])}`))
      .body as { id: string }[];
    expect(await daemon.request('POST', `/api/deliveries/${delivery!.id}/redeliver`)).toMatchObject({
      status: 409,
      body: { detail: why },
    });
    await confirm(id, { code: codesTo(address)[0] });
    await expect.poll(async () => (await alert())?.['deliveryStatus']).toBe('sent');
    expect(smtp.mails.at(-1)!.headers.get('subject')).toEqual(['Down: job']);
    // Ends the outage, because otherwise its messages would be counted in the next tests.
    await daemon.request('DELETE', `/api/monitors/${monitorId}`);
  });

  test('a phone number gets its code by SMS, and is then confirmed for calls too', async () => {
    const made = await daemon.request('POST', path, { type: 'sms', name: 's', config: { phoneNumber: '+15550100' } });
    const { id } = made.body as Shown;
    expect(made).toMatchObject({ status: 201, body: { confirmedAt: null, lastError: null } });
    const form = new URLSearchParams(phones.requests.at(-1)!.body);
    const code = /^Confirmation code (\d{6})\./.exec(form.get('Body')!)?.[1];
    expect((await confirm(id, { code })).status).toBe(200);
    const call = await daemon.request('POST', path, { type: 'phone', name: 'c', config: { phoneNumber: '+15550100' } });
    expect((call.body as Shown).confirmedAt).toMatch(/^\d{4}-/);
  });

  test('a channel that needs no confirmation refuses codes, and has no field `confirmedAt`', async () => {
    const chat = { type: 'slack', name: 'chat', config: { webhookUrl: 'https://hooks.example.com/services/abcdefgh' } };
    const { id, ...made } = (await daemon.request('POST', path, chat)).body as Shown;
    expect(made).not.toHaveProperty('confirmedAt');
    expect(await confirm(id, { code: '123456' })).toMatchObject({ status: 409 });
    expect(await confirm(id, { code: '12345' })).toMatchObject({ status: 400, body: { errors: [{ path: 'code' }] } });
  });

  test('only digests of codes are stored', async () => {
    const address = newAddress();
    const { id } = await create(address);
    const row = await daemon.store.db.selectFrom('channel').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const counted = await daemon.store.db.selectFrom('address_codes').selectAll().execute();
    const kept = JSON.stringify([row, counted]);
    expect(row.code_digest).toMatch(/^[\w-]{43}$/);
    expect(kept).not.toContain(codesTo(address)[0]);
    expect(kept).not.toContain(address);
  });

  test('channels that were created before the server required codes stay confirmed until their address changes', async () => {
    const { id } = await create(newAddress());
    // Sets the state that a channel of an older version has after the migration of the database.
    await daemon.store.db
      .updateTable('channel')
      .set({ address_digest: null, confirmed_at: 1, code_digest: null })
      .where('id', '=', id)
      .execute();
    expect((await daemon.request('POST', `${path}/${id}/test`)).status).toBe(200);
    const renamed = await daemon.request('PATCH', `${path}/${id}`, { name: 'old one' });
    expect((renamed.body as Shown).confirmedAt).toBe('1970-01-01T00:00:00.001Z');
    const moved = await daemon.request('PATCH', `${path}/${id}`, { config: { address: newAddress() } });
    expect((moved.body as Shown).confirmedAt).toBeNull();
  });

  test('a create that is repeated with the same Idempotency-Key sends no second code', async () => {
    const address = newAddress();
    const body = { type: 'email', name: 'once', config: { address } };
    const headers = { 'idempotency-key': `once-${address}` };
    const first = await daemon.request('POST', path, body, { headers });
    const second = await daemon.request('POST', path, body, { headers });
    expect((second.body as Shown).id).toBe((first.body as Shown).id);
    expect(codesTo(address)).toHaveLength(1);
  });

  test("another project's channel cannot be confirmed", async () => {
    const address = newAddress();
    const { id } = await create(address);
    const stranger = await daemon.another(`stranger${++count}`);
    expect((await confirm(id, { code: codesTo(address)[0] }, stranger.apiKey)).status).toBe(404);
    expect((await shown(id)).confirmedAt).toBeNull();
  });
});
