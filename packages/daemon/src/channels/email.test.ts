import { expect, test } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { messageOf, nastyTexts, testChannelContext } from '../testing/messages.ts';
import { type ReceivedMail, smtpTarget } from '../testing/targets/index.ts';
import type { ChannelContext, Message } from './channel.ts';
import { email } from './email.ts';
import { mailFrom, address, send, reply } from '../testing/send-mail.ts';

/** Sends a message, and returns the mail that arrives. */
async function received(message?: Message): Promise<ReceivedMail> {
  await using server = await smtpTarget();
  expect(await send(server.url, message)).toMatchObject({ ok: true, status: 250 });
  expect(server.mails).toHaveLength(1);
  return server.mails[0]!;
}

/** Returns the decoded text of the mail's part with this type. */
function part({ raw }: ReceivedMail, type: 'text/plain' | 'text/html'): string {
  const found = raw.split(/\r\n--[^\r\n]+\r\n/).find((each) => each.startsWith(`Content-Type: ${type}`))!;
  const split = found.indexOf('\r\n\r\n');
  const body = found.slice(split + 4);
  const encoding = /Content-Transfer-Encoding: (\S+)/.exec(found.slice(0, split))?.[1];
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body.replaceAll(/=\r\n/g, '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => `%${hex}`);
  return decodeURIComponent(bytes.replaceAll(/%(?![0-9A-F]{2})/g, '%25'));
}

test('an alarm has its cause, address and time, as text and as HTML', async () => {
  const mail = await received();
  expect(mail).toMatchObject({ from: 'uptime@mail.example', to: [address] });
  expect(Object.fromEntries(mail.headers)).toMatchObject({
    from: [mailFrom],
    to: [address],
    subject: ['Down: Shop'],
    'message-id': ['<alr_1@mail.example>'],
    'auto-submitted': ['auto-generated'],
    'content-type': [expect.stringContaining('multipart/alternative')],
  });
  expect(mail.headers.has('in-reply-to')).toBe(false);
  for (const type of ['text/plain', 'text/html'] as const)
    for (const text of [
      'Answered 500 Internal Server Error',
      '2026-01-31 08:00:00 UTC',
      'https://shop.example/cart?a=1',
    ])
      expect(part(mail, type)).toContain(text);
  expect(part(mail, 'text/html')).toContain('<a href="https://shop.example/cart?a=1&amp;b=2">');
  // The text repeats the subject, because some mail programs do not show the subject beside the text.
  expect(part(mail, 'text/plain')).toMatch(/^Down: Shop\r\n/);
});

test.each([
  ['reminder', messageOf('monitor_down', { kind: 'reminder' }), 'Still down: Shop'],
  ['recovery', messageOf('monitor_up'), 'Up again: Shop'],
])('a %s is a reply to its alarm', async (_, message, subject) => {
  const { headers } = await received(message);
  expect(Object.fromEntries(headers)).toMatchObject({
    subject: [subject],
    'message-id': ['<dlv_1@mail.example>'],
    'in-reply-to': ['<alr_1@mail.example>'],
    references: ['<alr_1@mail.example>'],
  });
});

test('the date of a mail is the time at which it is sent', async () => {
  await using server = await smtpTarget();
  await send(server.url, messageOf(), { clock: createFakeClock(Date.UTC(2026, 0, 31, 8, 0, 5)) });
  expect(server.mails[0]!.headers.get('date')).toEqual(['Sat, 31 Jan 2026 08:00:05 +0000']);
});

test('text from users and targets cannot become a header, a recipient or markup', async () => {
  await using server = await smtpTarget();
  const { notice } = messageOf();
  const names = [...nastyTexts, 'x\r\nBcc: all@shop.example\r\n\r\n<b>', '=?utf-8?Q?=0D=0ABcc:_all@shop.example?='];
  const messages = names.map((name) => {
    const monitor = { ...notice.monitor, name };
    return { ...messageOf(), notice: { ...notice, rule: name, monitor, error: { ...notice.error!, message: name } } };
  });
  for (const sent of await Promise.all(messages.map((message) => send(server.url, message))))
    expect(sent).toMatchObject({ ok: true });
  expect(server.mails).toHaveLength(names.length);
  for (const mail of server.mails) {
    expect(mail.to).toEqual([address]);
    expect([...mail.headers.keys()].toSorted()).toEqual(
      'auto-submitted content-type date from message-id mime-version subject to'.split(' '),
    );
    for (const values of mail.headers.values()) expect(values).toHaveLength(1);
    const markup = part(mail, 'text/html').match(/<\/?\w+/g)!;
    for (const tag of markup)
      expect(['html', 'body', 'h1', 'p', 'table', 'tr', 'th', 'td', 'a']).toContain(tag.replace(/^<\/?/, ''));
  }
});

test('the channel signs in if UPTIME_SMTP_URL has a name and a password, and never reveals the password', async () => {
  const password = 'p@ss/w0rd & more';
  const seen: unknown[] = [];
  await using server = await smtpTarget({
    authOptional: false,
    onAuth({ username, password: given }, _session, done) {
      seen.push([username, given]);
      if (given === password) done(null, { user: username! });
      else done(new Error(`Wrong password ${given} ${btoa(given!)} ${btoa(`\0${username}\0${given}`)}`));
    },
  });
  const url = (secret: string) => server.url.replace('://', `://uptime:${encodeURIComponent(secret)}@`);
  expect(await send(url(password))).toMatchObject({ ok: true });
  const sent = await send(url('the wrong one'));
  expect(sent).toMatchObject({ ok: false, retry: false, status: 535 });
  for (const secret of ['the wrong one', btoa('the wrong one'), btoa('\0uptime\0the wrong one')])
    expect(sent.text).not.toContain(secret);
  expect(seen).toEqual([
    ['uptime', password],
    ['uptime', 'the wrong one'],
  ]);
});

test('if the server refuses the content of a message, the message is sent again at once, as plain text', async () => {
  const forms: string[] = [];
  const strict = (takesText: boolean) =>
    smtpTarget({
      onData(stream, _session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const raw = Buffer.concat(chunks).toString('utf8');
          forms.push(/content-type: (\S+);/i.exec(raw)![1]!);
          if (takesText && !raw.includes('text/html')) done();
          else done(reply(554, '5.6.1 no HTML here'));
        });
      },
    });
  await using server = await strict(true);
  expect(await send(server.url)).toEqual({
    ok: true,
    status: 250,
    text: 'Sent as plain text, because the server refused the HTML: Message failed: 554 5.6.1 no HTML here',
  });
  expect(forms.splice(0)).toEqual(['multipart/alternative', 'text/plain']);
  await using stricter = await strict(false);
  expect(await send(stricter.url)).toMatchObject({ ok: false, retry: false, status: 554 });
  expect(forms).toEqual(['multipart/alternative', 'text/plain']);
});

test('every attempt to send a message has the same Message-ID', async () => {
  await using server = await smtpTarget();
  for (const message of [messageOf(), messageOf(), messageOf('monitor_up'), messageOf('monitor_up')])
    await send(server.url, message);
  const ids = server.mails.map(({ headers }) => headers.get('message-id')![0]);
  expect(ids).toEqual(['<alr_1@mail.example>', '<alr_1@mail.example>', '<dlv_1@mail.example>', '<dlv_1@mail.example>']);
});

test('without a mail server, the error names the missing settings', async () => {
  const without = (gateways: Partial<ChannelContext['gateways']>) =>
    email.send({ address }, messageOf(), testChannelContext({ gateways }));
  expect(await without({})).toEqual({
    ok: false,
    retry: false,
    retryAfterMs: null,
    status: null,
    text: 'The operator of this server has not set UPTIME_SMTP_URL and UPTIME_MAIL_FROM.',
  });
  expect(await without({ smtpUrl: 'smtp://127.0.0.1:1' })).toMatchObject({
    text: 'The operator of this server has not set UPTIME_MAIL_FROM.',
  });
});
