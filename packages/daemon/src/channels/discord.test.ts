import { expect, test } from 'vitest';
import { messageOf } from '../testing/messages.ts';
import { startProvider } from '../testing/providers/index.ts';
import { status } from '../testing/targets/index.ts';

test('an alarm is an embed that mentions no one', async () => {
  await using discord = await startProvider('discord');
  expect(await discord.send(messageOf())).toEqual({ ok: true, status: 200, text: '{"id":"1"}' });
  expect(JSON.parse(discord.requests[0]!.body)).toEqual({
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: '🔴 Down: Shop',
        url: 'https://shop.example/cart?a=1&b=2',
        description: 'Answered 500 Internal Server Error; expected 200-299.',
        color: 0xd9_2d_20,
        fields: [
          { name: 'Address', value: 'https:\\/\\/shop.example\\/cart?a=1&b=2', inline: true },
          { name: 'Down since', value: '2026-01-31 08:00:00 UTC', inline: true },
          { name: 'HTTP status', value: '500', inline: true },
          { name: 'Checked from', value: 'eu', inline: true },
          { name: 'Rule', value: 'Everything', inline: true },
        ],
        timestamp: '2026-01-31T08:00:00.000Z',
      },
    ],
  });
});

test('a recovery is green and has the time of the recovery', async () => {
  await using discord = await startProvider('discord');
  await discord.send(messageOf('monitor_up'));
  expect(JSON.parse(discord.requests[0]!.body)).toMatchObject({
    embeds: [{ title: '🟢 Up again: Shop', color: 0x12_b7_6a, timestamp: '2026-01-31T08:05:12.000Z' }],
  });
});

test('Markdown, mentions and links in text from users appear literally', async () => {
  await using discord = await startProvider('discord');
  await discord.send(
    messageOf('monitor_down', { rule: '**a** _b_ `c` ||d|| [e](https://f.example) # <@1> @everyone \\' }),
  );
  const { embeds } = JSON.parse(discord.requests[0]!.body) as { embeds: { fields: { value: string }[] }[] };
  expect(embeds[0]!.fields.at(-1)!.value).toBe(
    '\\*\\*a\\*\\* \\_b\\_ \\`c\\` \\|\\|d\\|\\| \\[e\\](https:\\/\\/f.example) \\# \\<@\u200b1\\> @\u200beveryone \\\\',
  );
});

test('the duration of a rate limit is read from the body of the answer, with fractions of a second', async () => {
  const body = '{"message":"You are being rate limited.","retry_after":64.571,"global":false}';
  await using discord = await startProvider('discord', status(429, body));
  expect(await discord.send(messageOf())).toMatchObject({ ok: false, retry: true, retryAfterMs: 64_571, status: 429 });
});

test('a link to a host without a dot, which Discord refuses, is shown as text', async () => {
  await using room = await startProvider('discord');
  await room.send({ ...messageOf(), link: 'http://gateway:8080/alerts/alr_1' });
  const { embeds } = JSON.parse(room.requests[0]!.body) as { embeds: { url?: string; fields: { name: string }[] }[] };
  expect(embeds[0]).not.toHaveProperty('url');
  expect(embeds[0]!.fields.at(-1)).toEqual({
    name: 'Link',
    value: String.raw`http:\/\/gateway:8080\/alerts\/alr\_1`,
    inline: true,
  });
});
