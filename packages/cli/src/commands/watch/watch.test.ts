import type { Monitor } from '@uptime/sdk';
import { Chalk } from 'chalk';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { type HttpTarget, httpTarget } from '../../../../daemon/src/testing/targets/http.ts';
import { openAccount } from '../../testing/account.ts';
import { startProgram } from '../../testing/program.ts';
import { runInTerminal } from '../../testing/terminal.ts';
import { renderFrame } from './frame.ts';
import { sparkline } from './sparkline.ts';

test('a sparkline has a bar for each check, the lowest for the shortest time, and a mark for each failure', () => {
  expect(sparkline([1, 2, null, 8], 10)).toBe('▁▂×█');
  expect(sparkline([5, 5], 10)).toBe('▁▁');
  expect(sparkline([9, 1, 2], 2)).toBe('▁█');
  expect(sparkline([null], 2)).toBe('×');
  expect(sparkline([], 2)).toBe('');
});

const monitor = (id: number, change: object = {}) =>
  ({
    id: `mon_${id}`,
    name: `Monitor ${id} 漢字 ${'x'.repeat(90)}\u001b[2J`,
    type: 'tcp',
    status: 'up',
    lastCheckedAt: '2026-01-01T00:00:00.000Z',
    ...change,
  }) as Monitor;

test.each([
  [20, 5],
  [80, 24],
  [200, 60],
])('a frame fits a screen of %i columns and %i lines, and monitors that are down come first', (columns, lines) => {
  const monitors = [...Array.from({ length: 100 }, (_, i) => monitor(i)), monitor(100, { status: 'down' })];
  const trends = new Map([['mon_100', Array.from({ length: 60 }, (_, i) => i)]]);
  const frame = { monitors, trends, failed: 'x'.repeat(300), now: Date.parse('2026-01-01T00:00:09Z') };
  const drawn = renderFrame(frame, { columns, lines }, new Chalk({ level: 0 }));
  expect(drawn.length).toBeLessThanOrEqual(lines);
  for (const line of drawn) expect(Array.from(line).length).toBeLessThanOrEqual(columns);
  expect(drawn[3]).toMatch(/^down/);
  expect(drawn.join('')).not.toContain('\u001b');
});

test('if the server has never answered, the frame contains only the reason, without counts', () => {
  const failed = 'No answer from http://127.0.0.1:3000: is a server running there?';
  const frame = (monitors: Monitor[]) =>
    renderFrame({ monitors, trends: new Map(), failed, now: 0 }, { columns: 79, lines: 24 }, new Chalk({ level: 0 }));
  expect(frame([])[0]).toBe(failed);
  expect(frame([monitor(1)])[0]).toBe(`0 down, 1 up  ${failed}`.slice(0, 79));
});

let daemon: TestDaemon;
let target: HttpTarget;
beforeAll(async () => {
  daemon = await createTestDaemon();
  target = await httpTarget();
});
afterAll(async () => {
  await target.close();
  await daemon.close();
});

const manifest = () =>
  `monitors:\n  - { key: job, name: Job, type: heartbeat }\n  - { name: Site, type: http, url: "${target.url}" }\n`;

test('on a terminal, the watch shows a table with response times, follows changes, and restores the terminal at Ctrl-C', async () => {
  await using session = await openAccount(daemon, 'watch-terminal');
  await session.write('monitors.yaml', manifest());
  await session.uptime(['apply', '--yes']);
  const run = runInTerminal(['watch', '--every', '1s'], session);
  await run.shows('pending  Job');
  await run.shows('▁');
  await session.uptime(['ping', 'job', '--fail']);
  await run.shows('1 down');
  run.resize(100, 5);
  await run.shows('and 1 more');
  run.type('\u0003');
  const { exit, sent, screen } = await run.ended;
  expect(exit).toBe(130);
  expect(sent.startsWith('\u001b[?1049h\u001b[?25l')).toBe(true);
  expect(sent.endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
  expect(screen).toBe('');
});

test('without a terminal, the watch prints a line for each change; SIGTERM ends the watch, a restart of the server does not', async () => {
  await using session = await openAccount(daemon, 'watch-lines');
  await session.write('monitors.yaml', manifest());
  await session.uptime(['apply', '--yes']);
  await session.uptime(['ping', 'job', '--fail']);
  const run = startProgram(['watch', '--every', '1s'], session);
  await run.printed('unknown -> down Job');
  await daemon.restart();
  await session.uptime(['ping', 'job']);
  await run.printed('down -> up Job');
  run.kill('SIGTERM');
  const { exit, stdout } = await run.ended;
  expect(exit).toBe(130);
  expect(stdout.match(/Job$/gm)).toHaveLength(2);
});

test('--for ends a watch after the given time', async () => {
  await using session = await openAccount(daemon, 'watch-for');
  const ended = session.uptime(['watch', '--for', '1s']);
  expect(await Promise.race([ended, setTimeout(20_000, null, { ref: false })])).toMatchObject({ exit: 0, stdout: '' });
});
