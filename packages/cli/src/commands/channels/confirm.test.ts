import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SmtpTarget, smtpTarget } from '../../../../daemon/src/testing/targets/smtp.ts';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { openAccount } from '../../testing/account.ts';
import { openSession } from '../../testing/session.ts';
import { runInTerminal } from '../../testing/terminal.ts';

let daemon: TestDaemon;
let smtp: SmtpTarget;
beforeAll(async () => {
  smtp = await smtpTarget();
  daemon = await createTestDaemon({
    env: {
      UPTIME_CONFIRM_ADDRESSES: 'on',
      UPTIME_SMTP_URL: smtp.url,
      UPTIME_MAIL_FROM: 'uptime@example.com',
    },
  });
});
afterAll(async () => {
  await daemon.close();
  await smtp.close();
});

const latestCode = () => /(\d{6})$/.exec(smtp.mails.at(-1)!.headers.get('subject')![0]!)![1]!;

test('apply says which channels wait for a code, and `channels confirm` confirms a channel with its code', async () => {
  await using session = await openSession({ siteUrl: daemon.url, apiKey: daemon.apiKey, fetch });
  const manifest = 'channels: [{ key: team, name: Team, type: email, config: { address: team@example.com } }]\n';
  await session.write('monitors.yaml', manifest);
  const applied = await session.uptime(['apply', '--yes']);
  expect(applied.exit).toBe(0);
  expect(applied.stderr).toMatch(
    /warning: channel "Team" gets no alerts until its address is confirmed\n {2}type `uptime channels confirm chn_\w+ <code>` with the code that was sent there\n/,
  );

  const refused = await session.uptime(['channels', 'test', 'team']);
  expect(refused.exit).toBe(1);
  expect(refused.stderr).toContain('the address of this channel is not confirmed');
  const wrong = await session.uptime(['channels', 'confirm', 'team', latestCode() === '000000' ? '000001' : '000000']);
  expect(wrong.exit).toBe(1);
  expect(wrong.stderr).toContain('code is not the code that was sent; tries left: 4');

  const again = await session.uptime(['channels', 'confirm', 'team', '--quiet']);
  expect(again.exit).toBe(0);
  expect(again.stderr).toMatch(
    /^Sent a new code: `uptime channels confirm chn_\w+ <code>` confirms channel "Team"\.\n$/,
  );
  expect(smtp.mails).toHaveLength(2);
  expect(await session.uptime(['channels', 'confirm', 'team', latestCode(), '--quiet'])).toMatchObject({
    exit: 0,
    stderr: 'Channel "Team" is confirmed: alerts go there now.\n',
  });
  const unchanged = await session.uptime(['apply', '--yes']);
  expect(unchanged).toMatchObject({ exit: 0 });
  expect(unchanged.stderr).not.toContain('confirm');
});

test('an apply without changes says which channels still wait for their code', async () => {
  await using session = await openAccount(daemon, 'waiting');
  await session.write(
    'monitors.yaml',
    'channels: [{ name: Later, type: email, config: { address: later@example.com } }]\n',
  );
  await session.uptime(['apply', '--yes']);
  const again = await session.uptime(['apply', '--yes']);
  expect(again.stderr).toContain('warning: channel "Later" gets no alerts until its address is confirmed');
});

test('on a terminal, `channels confirm` asks for the code', async () => {
  await using session = await openAccount(daemon, 'asked');
  const create = ['channels', 'create', '--type', 'email', '--name', 'Me', '--address', 'me@example.com', '--quiet'];
  const created = await session.uptime(create);
  expect(created.exit).toBe(0);
  const run = runInTerminal(['channels', 'confirm', 'Me', '--quiet'], session);
  await run.shows('The six digits that were sent to channel "Me"');
  run.type(`${latestCode()}\r`);
  const { exit, screen } = await run.ended;
  expect(exit).toBe(0);
  expect(screen).toContain('Channel "Me" is confirmed: alerts go there now.');
});
