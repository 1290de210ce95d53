import { type Monitor, Uptime } from '@uptime/sdk';
import { createFakeServer } from '@uptime/sdk/testing';
import { EventEmitter } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { recordedContext } from '../../testing/recorded-context.ts';
import { openScreen } from './screen.ts';

const enter = '\u001b[?1049h\u001b[?25l';
const leave = '\u001b[?25h\u001b[?1049l';
const home = '\u001b[H';

/** Opens a screen of the given size, and records its frames as lines. `resize` changes the size. */
function open(size: { columns?: number; rows?: number }) {
  const { io, signal } = recordedContext({ env: { NO_COLOR: '1' } }).context;
  let sent = '';
  const stdout = Object.assign(new EventEmitter(), size, { write: (text: string) => ((sent += text), true) });
  const client = new Uptime(createFakeServer());
  const server = { client, signal };
  const view = openScreen({ stdout: stdout as never, out: io.out }, server, () => Date.parse('2026-01-02T00:00:00Z'));
  const frames = () => sent.split(home).slice(1);
  return {
    view,
    stdout,
    sent: () => sent,
    count: () => frames().length,
    lines: () => stripVTControlCharacters(frames().at(-1) ?? '').split('\r\n'),
  };
}

const monitor = (name: string, status: string) =>
  ({ id: name, name, status, type: 'tcp', interval: 60, createdAt: '2026-01-01T00:00:00Z' }) as unknown as Monitor;

test('opening a screen switches to the alternate screen; closing it restores the normal screen, and nothing is drawn after that', () => {
  const { view, sent, stdout } = open({ columns: 80, rows: 24 });
  expect(sent()).toBe(enter);
  view.close();
  expect(sent()).toBe(enter + leave);
  stdout.emit('resize');
  expect(sent()).toBe(enter + leave);
});

test('each read draws the monitors; after a failed read, the last monitors stay below the reason of the failure', async () => {
  const { view, lines } = open({ columns: 80, rows: 24 });
  await view.show([monitor('Shop', 'up'), monitor('Blog', 'down')]);
  expect(lines()[0]).toBe('1 down, 1 up');
  expect(
    lines()
      .slice(3)
      .map((line) => line.split(/ {2,}/).slice(0, 2)),
  ).toEqual([
    ['down', 'Blog'],
    ['up', 'Shop'],
  ]);
  view.failed('the server is gone\n');
  expect(lines()[0]).toContain('1 down, 1 up');
  expect(lines()[0]).toContain('the server is gone');
  expect(lines()).toHaveLength(5);
  await view.show([]);
  expect(lines()[0]).toBe('0 down');
});

test('a change of the terminal size redraws the last monitors, and the last column always stays free', async () => {
  const { view, stdout, lines, count } = open({ columns: 80, rows: 24 });
  await view.show(Array.from({ length: 30 }, (_, i) => monitor('n'.repeat(100) + String(i), 'up')));
  for (const size of [
    { columns: 40, rows: 10 },
    { columns: 200, rows: 50 },
    { columns: 8, rows: 5 },
  ]) {
    const before = count();
    Object.assign(stdout, size);
    stdout.emit('resize');
    expect(count()).toBe(before + 1);
    expect(lines().length).toBeLessThanOrEqual(size.rows);
    if (size.columns > 8) for (const line of lines()) expect(line.length).toBeLessThan(size.columns);
  }
});

test('a terminal that reports no size is treated as 80 columns and 24 lines', async () => {
  const { view, lines } = open({});
  await view.show(Array.from({ length: 30 }, (_, i) => monitor('n'.repeat(100) + String(i), 'up')));
  expect(lines()).toHaveLength(24);
  expect(lines().at(-1)).toContain('more');
  expect(Math.max(...lines().map((line) => line.length))).toBe(79);
});
