import { expect, test } from 'vitest';
import { messageOf, testChannelContext } from '../testing/messages.ts';
import { startProvider } from '../testing/providers/index.ts';
import { httpTarget, status } from '../testing/targets/index.ts';
import { matrix } from './matrix.ts';

test('an alarm is a message in plain text and in HTML, which mentions no one', async () => {
  await using server = await startProvider('matrix');
  expect(await server.send(messageOf())).toEqual({ ok: true, status: 200, text: '{"event_id":"$abc"}' });
  expect(JSON.parse(server.requests[0]!.body)).toEqual({
    msgtype: 'm.text',
    body: [
      '🔴 Down: Shop',
      'Answered 500 Internal Server Error; expected 200-299.',
      'Address: https://shop.example/cart?a=1&b=2',
      'Down since: 2026-01-31 08:00:00 UTC',
      'HTTP status: 500',
      'Checked from: eu',
      'Rule: Everything',
      'https://shop.example/cart?a=1&b=2',
    ].join('\n'),
    format: 'org.matrix.custom.html',
    formatted_body: [
      '<strong>🔴 Down: Shop</strong>',
      'Answered 500 Internal Server Error; expected 200-299.',
      'Address: https://shop.example/cart?a=1&amp;b=2',
      'Down since: 2026-01-31 08:00:00 UTC',
      'HTTP status: 500',
      'Checked from: eu',
      'Rule: Everything',
      '<a href="https://shop.example/cart?a=1&amp;b=2">Open</a>',
    ].join('<br>'),
    'm.mentions': {},
  });
});

test("the id of the transaction is the delivery's id, so that the homeserver drops a repetition", async () => {
  await using server = await startProvider('matrix');
  for (const id of ['dlv_7', 'dlv_7', 'dlv_8']) await server.send({ ...messageOf(), id });
  expect(server.requests.map(({ url }) => url.split('/').at(-1))).toEqual(['dlv_7', 'dlv_7', 'dlv_8']);
});

test('tags in text from users are shown literally', async () => {
  await using server = await startProvider('matrix');
  const rule = '<img src="x"> & @room';
  await server.send(messageOf('monitor_down', { rule }));
  const { body, formatted_body } = JSON.parse(server.requests[0]!.body) as Record<string, string>;
  expect(body).toContain(`Rule: ${rule}\n`);
  expect(formatted_body).toContain('Rule: &lt;img src=&quot;x&quot;&gt; &amp; @room<br>');
});

test('the duration of a rate limit is read from the body of the answer, where older servers send it', async () => {
  const body = '{"errcode":"M_LIMIT_EXCEEDED","error":"Too many requests","retry_after_ms":2000}';
  await using server = await startProvider('matrix', status(429, body));
  expect(await server.send(messageOf())).toMatchObject({ ok: false, retry: true, retryAfterMs: 2000, status: 429 });
});

test("nothing is sent to an alias of a room, and the error asks for the room's id", async () => {
  await using target = await httpTarget();
  const config = { homeserverUrl: target.url, roomId: '#ops:example.com', accessToken: 'x' };
  expect(await matrix.send(config, messageOf(), testChannelContext())).toEqual({
    ok: false,
    retry: false,
    retryAfterMs: null,
    status: null,
    text: 'roomId must be the room\'s id, which begins with "!". An alias (#room:server) cannot be used.',
  });
  expect(target.requests).toEqual([]);
});
