import { Chalk } from 'chalk';
import { describe, expect, test } from 'vitest';
import { type Monitor, type MonitorStatus, Uptime } from '@uptime/sdk';
import { createFakeServer } from '@uptime/sdk/testing';
import { renderFrame, rowsOf } from './frame.ts';

const now = Date.parse('2026-01-31T08:00:00Z');
const { monitors } = new Uptime(createFakeServer());
const http = await monitors.create({ type: 'http', name: 'Shop', url: 'https://shop.example.com/' });
const backup = await monitors.create({ type: 'heartbeat', name: 'Backup' });

const shop = (status: MonitorStatus, name = 'Shop'): Monitor => ({
  ...http,
  id: `mon_${name}`,
  name,
  status,
  lastCheckedAt: '2026-01-31T07:59:30Z',
});
const frameOf = (all: Monitor[], size = { columns: 120, lines: 24 }, failed: string | null = null) =>
  renderFrame(
    { monitors: all, trends: new Map([['mon_Shop', [10, null, 250]]]), failed, now },
    size,
    new Chalk({ level: 0 }),
  );

test('a frame begins with counts, and has one row for each monitor, with its trend of response times', () => {
  expect(frameOf([shop('up'), { ...backup, status: 'pending' }])).toEqual([
    '0 down, 1 pending, 1 up',
    '',
    'STATUS   NAME    CHECKED   TOOK    RESPONSE TIMES',
    'pending  Backup  never     -',
    'up       Shop    30 s ago  250 ms  ▁×█',
  ]);
});

test('the first rows are monitors that need attention, and monitors of the same status keep their order', () => {
  const all = [shop('paused', 'a'), shop('up', 'b'), shop('down', 'c'), shop('pending', 'd'), shop('down', 'e')];
  const names = frameOf(all)
    .slice(3)
    .map((row) => row.split(/\s+/)[1]);
  expect(names).toEqual(['c', 'e', 'd', 'b', 'a']);
});

test('the row of a heartbeat shows when the last ping arrived, not when the heartbeat was last checked', () => {
  const pinged = { ...backup, status: 'up', lastPingAt: '2026-01-31T06:00:00Z', lastCheckedAt: null } as Monitor;
  expect(frameOf([pinged])[3]).toContain('2 h ago');
});

describe('a small screen', () => {
  const many = Array.from({ length: 30 }, (_, n) => shop('up', `monitor ${n}`));
  test.each([
    [80, 24],
    [40, 10],
    [20, 5],
    [8, 3],
    [1, 1],
  ])('a frame fits a screen of %i columns and %i lines', (columns, lines) => {
    const frame = frameOf(
      many,
      { columns, lines },
      'the server cannot be read: a reason that is longer than the screen',
    );
    expect(frame.length).toBeLessThanOrEqual(lines);
    if (columns >= 20) for (const line of frame) expect(line.length).toBeLessThanOrEqual(columns);
  });

  test('a frame says how many monitors it leaves out', () => {
    const frame = frameOf(many, { columns: 80, lines: 10 });
    expect(frame).toHaveLength(10);
    expect(frame.at(-1)).toBe('and 24 more; --label shows fewer');
    expect(rowsOf(10)).toBe(6);
    expect(rowsOf(2)).toBe(1);
  });

  test('on a narrow screen, a frame leaves out the least important columns', () => {
    expect(frameOf([shop('up')], { columns: 20, lines: 24 })[2]).toBe('STATUS  NAME');
    expect(frameOf([shop('up')], { columns: 6, lines: 24 })[2]).toBe('STATUS');
  });
});

describe('a server that cannot be read', () => {
  test('a failed read is reported next to the counts of the last successful read', () => {
    expect(frameOf([shop('up')], undefined, 'refused')[0]).toBe('0 down, 1 up  refused');
  });

  test('if the first read fails, the frame shows only the reason, without control characters', () => {
    expect(frameOf([], undefined, 'refused\u001b[2J')[0]).toBe('refused');
  });
});
