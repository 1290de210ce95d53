import { expect, test } from 'vitest';
import { messageOf } from '../testing/messages.ts';
import { startProvider } from '../testing/providers/index.ts';

test('an alarm consists of a heading, a sentence, the facts and a link', async () => {
  await using slack = await startProvider('slack');
  expect(await slack.send(messageOf())).toEqual({ ok: true, status: 200, text: 'ok' });
  expect(JSON.parse(slack.requests[0]!.body)).toEqual({
    text: '🔴 Down: Shop: Answered 500 Internal Server Error; expected 200-299.',
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: '🔴 Down: Shop' } },
      {
        type: 'section',
        text: { type: 'plain_text', text: 'Answered 500 Internal Server Error; expected 200-299.' },
      },
      {
        type: 'section',
        fields: [
          { type: 'plain_text', text: 'Address:\nhttps://shop.example/cart?a=1&amp;b=2' },
          { type: 'plain_text', text: 'Down since:\n2026-01-31 08:00:00 UTC' },
          { type: 'plain_text', text: 'HTTP status:\n500' },
          { type: 'plain_text', text: 'Checked from:\neu' },
          { type: 'plain_text', text: 'Rule:\nEverything' },
        ],
      },
      {
        type: 'context',
        elements: [{ type: 'mrkdwn', text: '<https://shop.example/cart?a=1&amp;b=2|Open>', verbatim: true }],
      },
    ],
  });
});

test('a name in the heading or in the notification cannot mention people or make markup', async () => {
  await using slack = await startProvider('slack');
  const { notice } = messageOf();
  await slack.send(messageOf('monitor_down', { monitor: { ...notice.monitor, name: '<!channel> *a* & `b`' } }));
  const { text, blocks } = JSON.parse(slack.requests[0]!.body) as { text: string; blocks: { text: unknown }[] };
  expect(text).toContain('Down: &lt;!channel&gt; *a* &amp; `b`: ');
  expect(blocks[0]!.text).toEqual({ type: 'plain_text', text: '🔴 Down: &lt;!channel&gt; *a* &amp; `b`' });
});

test('a `|` in a link does not end its address', async () => {
  await using slack = await startProvider('slack');
  await slack.send({ ...messageOf(), link: 'https://shop.example/a|b' });
  expect(slack.requests[0]!.body).toContain('<https://shop.example/a%7Cb|Open>');
});

test('an address that is too long for a link is left out, and the rest of the message arrives', async () => {
  await using slack = await startProvider('slack');
  const link = `https://shop.example/?${'&'.repeat(2000)}`;
  expect(await slack.send({ ...messageOf(), link })).toMatchObject({ ok: true });
  expect(slack.requests[0]!.body).not.toContain('|Open>');
});
