import { expect, test } from 'vitest';
import { messageOf, testChannelContext } from '../testing/messages.ts';
import { startProvider } from '../testing/providers/index.ts';
import { channels } from './index.ts';

const sent = async (type: 'sms' | 'phone', ...message: Parameters<typeof messageOf>) => {
  await using provider = await startProvider(type);
  await provider.send(messageOf(...message));
  return new URLSearchParams(provider.requests[0]!.body);
};

test('a text message has one line', async () => {
  expect((await sent('sms')).get('Body')).toBe(
    'Down: Shop. Answered 500 Internal Server Error; expected 200-299. Since 2026-01-31 08:00:00 UTC. https://shop.example/cart?a=1&b=2',
  );
  expect((await sent('sms', 'monitor_up')).get('Body')).toMatch(
    /^Up again: Shop\. It was down for 5 min 12 s\. Since 2026-01-31 08:05:12 UTC\. /,
  );
  expect((await sent('sms', 'test')).get('Body')).toMatch(
    /^Test: Shop\. This is a test: alerts will arrive here\. https:/,
  );
});

test('a call speaks its text twice, and reads markup in a name literally', async () => {
  const monitor = { ...messageOf().notice.monitor, name: 'A<B & "C"' };
  const say =
    '<Say>Down: A&lt;B &amp; "C". Answered 500 Internal Server Error; expected 200-299. Since 2026-01-31 08:00:00 UTC.</Say>';
  expect((await sent('phone', 'monitor_down', { monitor })).get('Twiml')).toBe(
    `<Response>${say}<Pause length="1"/>${say}</Response>`,
  );
  expect((await sent('phone', 'monitor_up')).get('Twiml')).toContain('Since 2026-01-31 08:05:12 UTC.</Say>');
});

test('a message with a confirmation code has no text from users, and a call reads the six digits one by one', async () => {
  const code = { kind: 'code', code: '012345', event: 'test' } as const;
  expect((await sent('sms', 'test', code)).get('Body')).toBe(
    'Confirmation code 012345. It is valid for 30 minutes. If you do not want alerts here, do nothing: none will be sent. https://shop.example/cart?a=1&b=2',
  );
  expect((await sent('phone', 'test', code)).get('Twiml')).toContain(
    '<Say>Confirmation code 0, 1, 2, 3, 4, 5. It is valid for 30 minutes. If you do not want alerts here, do nothing: none will be sent.</Say>',
  );
});

test('the last message that a limit allows says that more messages wait', async () => {
  const limited = '7 more messages wait, because a limit is reached.';
  expect((await sent('sms', 'monitor_down', { limited })).get('Body')).toContain(` ${limited} https:`);
  expect((await sent('phone', 'monitor_down', { limited })).get('Twiml')).toContain(` ${limited}</Say>`);
});

test.each(['sms', 'phone'] as const)('a channel of type %s names the missing settings for Twilio', async (type) => {
  const send = (gateways: Parameters<typeof testChannelContext>[0]) =>
    channels[type].send({ phoneNumber: '+15550100' }, messageOf(), testChannelContext(gateways));
  expect(await send({})).toEqual({
    ok: false,
    retry: false,
    retryAfterMs: null,
    status: null,
    text: 'The operator of this server has not set UPTIME_TWILIO_ACCOUNT_SID, UPTIME_TWILIO_AUTH_TOKEN, and UPTIME_TWILIO_FROM.',
  });
  expect(await send({ gateways: { twilioAccountSid: 'AC0', twilioAuthToken: 'token' } })).toMatchObject({
    text: 'The operator of this server has not set UPTIME_TWILIO_FROM.',
  });
});
