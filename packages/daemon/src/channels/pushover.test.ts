import { expect, test } from 'vitest';
import { messageOf } from '../testing/messages.ts';
import { startProvider } from '../testing/providers/index.ts';
import { status } from '../testing/targets/index.ts';

const sent = async (...message: Parameters<typeof messageOf>) => {
  await using provider = await startProvider('pushover');
  await provider.send(messageOf(...message));
  return Object.fromEntries(new URLSearchParams(provider.requests[0]!.body));
};

test('an outage has high priority and a siren; a warning and a recovery have normal priority', async () => {
  expect(await sent()).toMatchObject({ title: 'Down: Shop', priority: '1', sound: 'siren', timestamp: '1769846400' });
  expect(await sent('ssl_expiring')).toMatchObject({ priority: '0', sound: 'intermission' });
  expect(await sent('monitor_up')).toMatchObject({ title: 'Up again: Shop', priority: '0', sound: 'magic' });
  expect(await sent('test')).toMatchObject({ priority: '0', sound: 'pushover' });
});

test('a link that is too long for Pushover is left out, and so is its label', async () => {
  await using provider = await startProvider('pushover');
  await provider.send({ ...messageOf(), link: `https://shop.example/${'a'.repeat(600)}` });
  const form = new URLSearchParams(provider.requests[0]!.body);
  expect([form.has('url'), form.has('url_title')]).toEqual([false, false]);
});

test('a refusal in an answer with status 200 is final', async () => {
  await using provider = await startProvider('pushover', status(200, '{"status":0,"errors":["user key is invalid"]}'));
  expect(await provider.send(messageOf())).toMatchObject({
    ok: false,
    retry: false,
    text: expect.stringContaining('user key is invalid') as string,
  });
});
