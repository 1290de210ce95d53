import { expect, test } from 'vitest';
import { messageOf } from '../testing/messages.ts';
import { startProvider } from '../testing/providers/index.ts';

test('a message is an adaptive card', async () => {
  await using teams = await startProvider('teams');
  expect(await teams.send(messageOf('monitor_up'))).toEqual({ ok: true, status: 202, text: '' });
  const run = (text: string, more: object = {}) => ({ type: 'TextRun', text, ...more });
  const line = (...inlines: object[]) => ({ type: 'RichTextBlock', inlines });
  const bold = { weight: 'Bolder' };
  expect(JSON.parse(teams.requests[0]!.body)).toEqual({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          fallbackText: 'Up again: Shop: It was down for 5 min 12 s.',
          body: [
            line(run('🟢 Up again: Shop', { size: 'Large', ...bold, color: 'Good' })),
            line(run('It was down for 5 min 12 s.')),
            line(run('Address: ', bold), run('https://shop.example/cart?a=1&b=2')),
            line(run('Down since: ', bold), run('2026-01-31 08:00:00 UTC')),
            line(run('Up since: ', bold), run('2026-01-31 08:05:12 UTC')),
            line(run('Rule: ', bold), run('Everything')),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Open', url: 'https://shop.example/cart?a=1&b=2' }],
          msteams: { width: 'Full' },
        },
      },
    ],
  });
});

test('text from users is in text runs, in which Teams does not parse Markdown', async () => {
  await using teams = await startProvider('teams');
  const rule = '[click](https://evil.example) **b** <at>everyone</at>';
  await teams.send(messageOf('monitor_down', { rule }));
  expect(teams.requests[0]!.body).toContain(JSON.stringify({ type: 'TextRun', text: rule }));
  expect(teams.requests[0]!.body).not.toMatch(/"(?:TextBlock|FactSet|mention)"/);
});
