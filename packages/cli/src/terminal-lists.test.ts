import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type HttpTarget, httpTarget, status } from '../../daemon/src/testing/targets/http.ts';
import { createTestDaemon, type TestDaemon } from '../../daemon/src/testing/test-daemon.ts';
import { openAccount } from './testing/account.ts';
import type { Session, SessionServer } from './testing/session.ts';
import { runInTerminal } from './testing/terminal.ts';

let daemon: TestDaemon;
let target: HttpTarget;
let session: Session<SessionServer>;
beforeAll(async () => {
  target = await httpTarget((request, response) =>
    status(request.url?.startsWith('/no') ? 404 : 200)(request, response),
  );
  daemon = await createTestDaemon();
  session = await openAccount(daemon, 'pty-lists');
  await session.write(
    'monitors.yaml',
    [
      'monitors:',
      `  - { key: site, name: Site, type: http, url: "${target.url}/" }`,
      `  - { key: gone, name: A page that nobody has written yet but that everybody looks for, type: http, url: "${target.url}/no-such-page-on-this-server", paused: true }`,
      '  - { key: backup, name: Backup, type: heartbeat, interval: 5400, labels: { team: ops } }',
      'channels:',
      `  - { key: hook, name: Hook, type: webhook, config: { url: "${target.url}/", method: GET } }`,
      `  - { key: lost, name: Lost, type: webhook, config: { url: "${target.url}/nowhere", method: GET } }`,
      'alertRules: [{ name: Down, monitors: [gone], channels: [hook, lost] }]',
    ].join('\n'),
  );
  expect(await session.uptime(['apply', '--yes'])).toMatchObject({ exit: 0 });
  // The monitor was created paused, so that its first check comes after the rule exists. If the first check came before
  // the rule, the rule would have to wait a minute for the next check.
  expect(await session.uptime(['monitors', 'resume', 'gone'])).toMatchObject({ exit: 0 });
  await vi.waitFor(
    async () => {
      const { stdout } = await session.uptime(['alerts', 'deliveries', '-o', 'json']);
      const deliveries = JSON.parse(stdout) as { status: string; attempts: unknown[] }[];
      expect(deliveries.map(({ status }) => status).toSorted()).toEqual(['pending', 'sent']);
      for (const { attempts } of deliveries) expect(attempts).toHaveLength(1);
    },
    { timeout: 20_000, interval: 100 },
  );
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await daemon.close();
  await target.close();
});

const narrow = async (words: readonly string[]) => {
  const { exit, screen } = await runInTerminal(words, session, { columns: 80 }).ended;
  expect(exit).toBe(0);
  return screen.split('\n');
};

test('on 80 columns, each monitor has one line with relative times, and monitors that are down come first', async () => {
  const lines = await narrow(['ls']);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^STATUS +NAME +TYPE +TARGET +EVERY +CHECKED$/);
  expect(lines[1]).toMatch(/^down +A page .*… +http +127\.0\.0\.1:.* +1 min +(?:now|\d+ (?:s|min) ago)$/);
  expect(lines[2]).toMatch(/^pending +Backup +heartbeat +90 min +never$/);
  expect(lines[3]).toMatch(/^up +Site /);
});

test('filters and --limit shorten the list, and --wide shows ids', async () => {
  expect(await narrow(['ls', '--status', 'up'])).toEqual([expect.anything(), expect.stringMatching(/^up +Site/)]);
  expect(await narrow(['ls', '--type', 'heartbeat', '--label', 'team=ops'])).toHaveLength(2);
  const limited = await narrow(['ls', '--limit', '1']);
  expect(limited.slice(1)).toEqual([expect.stringMatching(/^down/), '1 of 3 monitors are shown; --limit 3 shows all.']);
  expect((await narrow(['ls', '--wide'])).join('')).toMatch(/mon_[0-9A-Z]{26}/);
});

test('for a monitor that is down, `get` shows since when and why', async () => {
  const lines = await narrow(['monitors', 'get', 'gone']);
  expect(lines[0]).toMatch(/^Down for \d+ (?:m?s|min(?: \d+ s)?): answered 404 Not Found; expected 200-299$/);
  const piped = await session.uptime(['monitors', 'get', 'gone']);
  expect(piped.stdout).toMatch(/\nstatus: +down\ndownSince: +\d{4}-\S+Z\nreason: +answered 404/);
  const json = await session.uptime(['monitors', 'get', 'gone', '-o', 'json']);
  expect(Object.keys(JSON.parse(json.stdout) as object)).not.toContain('reason');
});

test('all alerts of one outage are shown as one line, with the duration, reason and channels of the outage', async () => {
  const [titles, outage, ...more] = await narrow(['alerts', 'list']);
  expect(titles).toMatch(/^TYPE +MONITOR +LASTED +ENDED +REASON +CHANNELS$/);
  expect(outage).toMatch(/^down +A page .*… +\d+ (?:m?s|min(?: \d+ s)?) +open +answered.* +.*Lost \(pend/);
  expect(more).toEqual([]);
  const piped = await session.uptime(['alerts', 'list']);
  expect(piped.stdout.trimEnd().split('\n')).toHaveLength(3);
});
