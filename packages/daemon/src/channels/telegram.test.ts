import { expect, test } from 'vitest';
import { messageOf, testChannelContext } from '../testing/messages.ts';
import { startProvider } from '../testing/providers/index.ts';
import { httpTarget, status } from '../testing/targets/index.ts';
import { telegram } from './telegram.ts';

test('an alarm is a message of a few lines, without a link preview', async () => {
  await using bot = await startProvider('telegram');
  expect(await bot.send(messageOf())).toMatchObject({ ok: true, status: 200 });
  expect(JSON.parse(bot.requests[0]!.body)).toEqual({
    chat_id: '-1001234567890',
    text: [
      '<b>🔴 Down: Shop</b>',
      'Answered 500 Internal Server Error; expected 200-299.',
      '',
      'Address: https://shop.example/cart?a=1&amp;b=2',
      'Down since: 2026-01-31 08:00:00 UTC',
      'HTTP status: 500',
      'Checked from: eu',
      'Rule: Everything',
      '<a href="https://shop.example/cart?a=1&amp;b=2">Open</a>',
    ].join('\n'),
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  });
});

test('a test message has two lines and the link', async () => {
  await using bot = await startProvider('telegram');
  await bot.send(messageOf('test'));
  expect((JSON.parse(bot.requests[0]!.body) as { text: string }).text).toBe(
    '<b>🔔 Test: Shop</b>\nThis is a test: alerts will arrive here.\n<a href="https://shop.example/cart?a=1&amp;b=2">Open</a>',
  );
});

test('tags in text from users are shown literally, and an @name notifies no one', async () => {
  await using bot = await startProvider('telegram');
  await bot.send(messageOf('monitor_down', { rule: '<b>&amp;</b> @durov' }));
  expect((JSON.parse(bot.requests[0]!.body) as { text: string }).text).toContain(
    'Rule: &lt;b&gt;&amp;amp;&lt;/b&gt; @\u2060durov\n',
  );
});

test('the duration of a rate limit is read from the body of the answer', async () => {
  const body =
    '{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 35","parameters":{"retry_after":35}}';
  await using bot = await startProvider('telegram', status(429, body));
  expect(await bot.send(messageOf())).toMatchObject({ ok: false, retry: true, retryAfterMs: 35_000, status: 429 });
});

test('the result of a refusal contains the reason that Telegram gives', async () => {
  const body = '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}';
  await using bot = await startProvider('telegram', status(400, body));
  expect(await bot.send(messageOf())).toEqual({
    ok: false,
    retry: false,
    retryAfterMs: null,
    status: 400,
    text: `HTTP 400 ${body}`,
  });
});

test('an answer with status 200 is a failure if its body reports a refusal, or is not from Telegram', async () => {
  for (const body of [
    '{"ok":false,"description":"Forbidden: bot was blocked by the user"}',
    '<html>Log in</html>',
    '',
  ]) {
    await using bot = await startProvider('telegram', status(200, body));
    expect(await bot.send(messageOf())).toEqual({
      ok: false,
      retry: false,
      retryAfterMs: null,
      status: 200,
      text: body,
    });
  }
});

test('slashes in a bot token cannot lead to another endpoint, and telegramUrl may end in a slash', async () => {
  await using target = await httpTarget();
  const context = testChannelContext({ gateways: { telegramUrl: `${target.url}/` } });
  await telegram.send({ botToken: '1:a/../../b?c#d\ud800', chatId: '1' }, messageOf(), context);
  expect(target.requests[0]!.url).toBe('/bot1:a%2F..%2F..%2Fb%3Fc%23d%EF%BF%BD/sendMessage');
});
