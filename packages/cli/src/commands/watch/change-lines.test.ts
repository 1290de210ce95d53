import { describe, expect, test } from 'vitest';
import { type Monitor, type MonitorStatus, Uptime } from '@uptime/sdk';
import { createFakeServer } from '@uptime/sdk/testing';
import { createChangeLines } from './change-lines.ts';

/** Creates a view of changes, and records its output and its messages. */
function open() {
  const printed: string[] = [];
  const messages: string[] = [];
  let now = Date.parse('2026-01-31T08:00:00Z');
  const io = { print: (text: string) => void printed.push(text), say: (text: string) => void messages.push(text) };
  const view = createChangeLines(io, () => (now += 1000));
  return { view, printed, messages };
}

const { monitors } = new Uptime(createFakeServer());
const backup = await monitors.create({ type: 'heartbeat', name: 'Backup' });
const other = await monitors.create({ type: 'heartbeat', name: 'Sync' });
/**
 * A monitor with control characters in its name. A server may have stored such names before it began to refuse them.
 */
const hostile = { ...other, name: 'Sync\u001b[2J' };
const as = (monitor: Monitor, status: MonitorStatus): Monitor => ({ ...monitor, status });

describe('the first read', () => {
  test('the first read prints only monitors that are down', async () => {
    const { view, printed } = open();
    await view.show([as(backup, 'down'), as(hostile, 'up')]);
    expect(printed).toEqual(['2026-01-31T08:00:01.000Z unknown -> down Backup']);
  });
});

describe('a later read', () => {
  test('a later read prints the old and the new status of each monitor whose status changed, and nothing else', async () => {
    const { view, printed } = open();
    await view.show([as(backup, 'pending'), as(hostile, 'up')]);
    await view.show([as(backup, 'up'), as(hostile, 'up')]);
    await view.show([as(backup, 'down'), as(hostile, 'paused')]);
    expect(printed.map((line) => line.slice(25))).toEqual([
      'pending -> up Backup',
      'up -> down Backup',
      'up -> paused Sync',
    ]);
  });

  test('a later read prints new monitors and deleted monitors', async () => {
    const { view, printed } = open();
    await view.show([as(backup, 'up')]);
    await view.show([as(hostile, 'pending')]);
    expect(printed.map((line) => line.slice(25))).toEqual(['new -> pending Sync', 'up -> deleted Backup']);
  });
});

describe('a server that cannot be read', () => {
  test('a server that cannot be read is reported once, and its first answer after that is reported once, too', async () => {
    const { view, messages } = open();
    await view.show([as(backup, 'up')]);
    for (const why of ['refused', 'refused', 'timeout']) view.failed(why);
    expect(messages).toEqual(['the server cannot be read: refused; trying again']);
    await view.show([as(backup, 'up')]);
    await view.show([as(backup, 'up')]);
    expect(messages.slice(1)).toEqual(['the server answers again']);
  });

  test('changes are printed even if they happened while the server could not be read', async () => {
    const { view, printed } = open();
    await view.show([as(backup, 'up')]);
    view.failed('refused');
    await view.show([as(backup, 'down')]);
    expect(printed.map((line) => line.slice(25))).toEqual(['up -> down Backup']);
  });
});
