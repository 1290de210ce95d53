import { expect, test } from 'vitest';
import { messageOf } from '../testing/messages.ts';
import { startProvider } from '../testing/providers/index.ts';

const bodies = (requests: { body: string }[]) =>
  requests.map(
    ({ body }) =>
      JSON.parse(body) as {
        thread: unknown;
        cardsV2: { cardId: string; card: { sections: { widgets: object[] }[] } }[];
      },
  );

test('an alarm is a card', async () => {
  await using chat = await startProvider('googlechat');
  expect(await chat.send(messageOf('ssl_expiring'))).toMatchObject({ ok: true, status: 200 });
  const fact = (topLabel: string, text: string) => ({ decoratedText: { topLabel, text, wrapText: true } });
  expect(bodies(chat.requests)[0]).toEqual({
    thread: { threadKey: 'alr_1' },
    fallbackText:
      '🟠 Certificate expires soon: Shop: The certificate (shop.example) expires on 2026-02-14, in 14 days.',
    cardsV2: [
      {
        cardId: 'dlv_1',
        card: {
          sections: [
            {
              widgets: [
                { textParagraph: { text: '<b>🟠 Certificate expires soon: Shop</b>' } },
                { textParagraph: { text: 'The certificate (shop.example) expires on 2026-02-14, in 14 days.' } },
                fact('Address', 'https://shop.example/cart?a=1&amp;b=2'),
                fact('Noticed', '2026-01-31 08:00:00 UTC'),
                fact('Rule', 'Everything'),
                {
                  buttonList: {
                    buttons: [{ text: 'Open', onClick: { openLink: { url: 'https://shop.example/cart?a=1&b=2' } } }],
                  },
                },
              ],
            },
          ],
        },
      },
    ],
  });
});

test('a recovery and a reminder are replies in the thread of their alarm', async () => {
  await using chat = await startProvider('googlechat');
  for (const message of [messageOf(), messageOf('monitor_down', { kind: 'reminder' }), messageOf('monitor_up')])
    await chat.send(message);
  await chat.send(messageOf('monitor_down', { alert: 'alr_2' }));
  expect(bodies(chat.requests).map(({ thread }) => thread)).toEqual([
    { threadKey: 'alr_1' },
    { threadKey: 'alr_1' },
    { threadKey: 'alr_1' },
    { threadKey: 'alr_2' },
  ]);
});

test('tags in text from users are shown literally', async () => {
  await using chat = await startProvider('googlechat');
  await chat.send(messageOf('monitor_down', { rule: '<a href="https://evil.example">a & b</a> <users/all>' }));
  expect(bodies(chat.requests)[0]!.cardsV2[0]!.card.sections[0]!.widgets).toContainEqual({
    decoratedText: {
      topLabel: 'Rule',
      text: '&lt;a href="https://evil.example"&gt;a &amp; b&lt;/a&gt; &lt;users/all&gt;',
      wrapText: true,
    },
  });
});
