import { expect, test, vi } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { messageOf } from '../testing/messages.ts';
import { blackHole, freePort, smtpTarget, tcpTarget } from '../testing/targets/index.ts';
import { send, reply } from '../testing/send-mail.ts';

test.each([
  [450, true],
  [421, true],
  [550, false],
  [554, false],
])('if the server refuses the recipient with %i, the result has retry: %s', async (code, retry) => {
  await using server = await smtpTarget({ onRcptTo: (_address, _session, done) => done(reply(code, 'not today')) });
  expect(await send(server.url)).toEqual({
    ok: false,
    retry,
    retryAfterMs: null,
    status: code,
    text: expect.stringContaining('not today') as string,
  });
});

test('if the server refuses a message that it has read, only a 4yz code makes another attempt worthwhile', async () => {
  const refusing = (code: number) =>
    smtpTarget({
      onData(stream, _session, done) {
        stream.resume().on('end', () => done(reply(code, 'full')));
      },
    });
  await using full = await refusing(452);
  expect(await send(full.url)).toMatchObject({ ok: false, retry: true, status: 452 });
  await using strict = await refusing(554);
  expect(await send(strict.url)).toMatchObject({ ok: false, retry: false, status: 554 });
});

test('if the connection fails or the server closes it, another attempt is worthwhile', async () => {
  expect(await send(`smtp://127.0.0.1:${await freePort()}`)).toMatchObject({
    ok: false,
    retry: true,
    status: null,
    text: expect.stringContaining('ECONNREFUSED') as string,
  });
  await using rude = await tcpTarget((socket) => socket.destroy());
  expect(await send(`smtp://127.0.0.1:${rude.port}`)).toMatchObject({ ok: false, retry: true, status: null });
});

test('a server whose TLS certificate is not trusted gets no message', async () => {
  await using server = await smtpTarget({ disabledCommands: [] });
  expect(await send(server.url)).toMatchObject({
    ok: false,
    retry: true,
    status: null,
    text: expect.stringMatching(/certificate/i) as string,
  });
  expect(server.mails).toEqual([]);
});

test('if a server cannot check the password for now, the error explains that, and the message is sent again', async () => {
  await using server = await smtpTarget({
    authOptional: false,
    onAuth: (_auth, _session, done) => done(reply(454, '4.7.0 Temporary authentication failure')),
  });
  expect(await send(server.url.replace('://', '://uptime:secret@'))).toMatchObject({
    ok: false,
    retry: true,
    status: 454,
    text: 'The mail server cannot check the name and password of UPTIME_SMTP_URL for now: 454 4.7.0 Temporary authentication failure',
  });
});

test('the error explains that a port does not begin with TLS, and names the right setting', async () => {
  await using server = await smtpTarget();
  const { ok, text } = await send(server.url.replace('smtp:', 'smtps:'));
  expect([ok, text]).toEqual([
    false,
    "The mail server does not begin with TLS on this port. Let UPTIME_SMTP_URL begin with smtp:// (STARTTLS), or name the server's TLS port, usually 465.",
  ]);
});

const minute = 60_000;

test('the attempt waits 10 minutes for an answer after the end of the message, and a late answer is accepted', async () => {
  const handedOver = Promise.withResolvers<() => void>();
  await using slow = await smtpTarget({
    onData: (stream, _session, done) => void stream.resume().on('end', () => handedOver.resolve(done)),
  });
  const clock = createFakeClock();
  const sending = send(slow.url, messageOf(), { clock });
  const answer = await handedOver.promise;
  await clock.advance(10 * minute - 1);
  answer();
  expect(await sending).toMatchObject({ ok: true, status: 250 });
  expect(clock.waiting()).toBe(0);
});

test('without an answer the attempt ends 10 minutes after the end of the message, and is repeated', async () => {
  const handedOver = Promise.withResolvers<void>();
  await using slow = await smtpTarget({
    onData: (stream) => void stream.resume().on('end', () => handedOver.resolve()),
  });
  const clock = createFakeClock();
  const sending = send(slow.url, messageOf(), { clock });
  await handedOver.promise;
  await clock.advance(10 * minute);
  expect(await sending).toMatchObject({
    ok: false,
    retry: true,
    text: 'The mail server did not answer within 10 min after the end of the message. It may have accepted the message.',
    mayHaveArrived: true,
  });
});

test('a test message may have arrived if the server got all of it and did not answer', async () => {
  const handedOver = Promise.withResolvers<void>();
  await using slow = await smtpTarget({
    onData: (stream) => void stream.resume().on('end', () => handedOver.resolve()),
  });
  const clock = createFakeClock();
  const sending = send(slow.url, messageOf('test'), { clock });
  await handedOver.promise;
  await clock.advance(15_000);
  expect(await sending).toMatchObject({ ok: false, status: null, mayHaveArrived: true });
});

test.each([
  ['alarm', 'never greets', ''],
  ['alarm', 'greets and then sends nothing', '220 mail.example ESMTP\r\n'],
  ['test', 'never greets', ''],
  ['test', 'greets and then sends nothing', '220 mail.example ESMTP\r\n'],
] as const)(
  'the attempt to send a message of kind %s ends at a time limit if the server %s',
  async (kind, _, greeting) => {
    const [time, limit] = kind === 'test' ? [15_000, '15 s'] : [minute, '60 s'];
    const opened: { closed: Promise<void> }[] = [];
    const clock = createFakeClock();
    const reached = Promise.withResolvers<void>();
    await using silent = await tcpTarget((socket) => {
      opened.push({ closed: new Promise((resolve) => socket.on('close', () => resolve())) });
      if (greeting === '') reached.resolve();
      else socket.write(greeting);
      socket.on('data', () => reached.resolve());
    });
    const message = messageOf(kind === 'test' ? 'test' : 'monitor_down');
    const sending = send(`smtp://127.0.0.1:${silent.port}`, message, { clock });
    await reached.promise;
    await clock.advance(time);
    expect(await sending).toEqual({
      ok: false,
      retry: true,
      retryAfterMs: null,
      status: null,
      text: `The mail server did not accept the message within ${limit}. If its port begins with TLS, UPTIME_SMTP_URL must begin with smtps://.`,
    });
    await Promise.all(opened.map(({ closed }) => closed));
    expect(clock.waiting()).toBe(0);
  },
);

test('the attempt ends after 15 s if the server accepts no connection', async () => {
  await using hole = await blackHole();
  const clock = createFakeClock();
  const sending = send(`smtp://127.0.0.1:${hole.port}`, messageOf(), { clock });
  await vi.waitUntil(() => clock.waiting() > 0, 20_000);
  await clock.advance(15_000);
  expect(await sending).toMatchObject({
    ok: false,
    retry: true,
    text: 'The mail server did not accept a connection within 15 s.',
  });
});

test('a stopping daemon ends the attempt at once', async () => {
  const reached = Promise.withResolvers<void>();
  await using silent = await tcpTarget(() => reached.resolve());
  const stop = new AbortController();
  const sending = send(`smtp://127.0.0.1:${silent.port}`, messageOf(), { signal: stop.signal });
  await reached.promise;
  stop.abort();
  expect(await sending).toMatchObject({ ok: false, retry: true, text: 'The daemon was stopped.' });
});
