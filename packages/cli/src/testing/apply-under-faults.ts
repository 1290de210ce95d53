import { expect } from 'vitest';
import type { TestDaemon } from '../../../daemon/src/testing/test-daemon.ts';
import { type Fault, type FaultProxy, openFaultProxy } from './fault-proxy.ts';
import { openSession, type Session, type SessionServer } from './session.ts';

/** The numbers of monitors that an apply creates, updates and deletes. */
export interface Changes {
  created: number;
  updated: number;
  deleted: number;
  /** How many of these changes run at once. */
  concurrency: number;
}

/** Whether the test runs an apply in which the fault begins at the request number `at` (counted from 1). */
export type Meets = (at: number) => boolean;

/** The requests of an apply before its changes: the lists of monitors, alert rules and regions, and the usage. */
const lists = 4;

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, i) => i + from);
const item = (i: number, interval: number, paused: boolean) =>
  `  - { key: m${i}, name: m${i}, type: ping, host: 127.0.0.1, interval: ${interval}, paused: ${paused} }\n`;
/**
 * Returns a manifest in which only the monitor `running` is not paused. An apply lists the regions only if a monitor is
 * not paused.
 */
const manifestOf = (intervals: Map<number, number>, running: number) =>
  `monitors:\n${[...intervals].map(([i, interval]) => item(i, interval, i !== running)).join('')}`;

const applyOf =
  ({ concurrency }: Changes) =>
  (file: string) => ['apply', '-f', file, '--prune', '--allow-deletes', '--yes', '--concurrency', String(concurrency)];

/**
 * Repeats an apply. Each time, a different request has the fault; with `lasting`, all later requests have it too.
 * Checks each time that the next apply reaches the wanted state, and that the apply after that changes nothing.
 */
export async function applyUnderFaults(
  daemon: TestDaemon,
  { fault, lasting, changes, meets }: { fault: Fault; lasting: boolean; changes: Changes; meets: Meets },
): Promise<void> {
  const { created, updated, deleted } = changes;
  const apply = applyOf(changes);
  /** The number of monitors that are not deleted: all updated ones, and one that does not change. */
  const kept = updated + 1;
  const before = new Map(numbers(kept + deleted).map((i) => [i, 60]));
  const wanted = new Map([
    ...numbers(kept).map((i) => [i, i < updated ? 120 : 60] as const),
    ...numbers(created, kept + deleted).map((i) => [i, 60] as const),
  ]);
  await using proxy = await openFaultProxy(daemon.url);
  const { apiKey } = await daemon.another(`faults-${fault}-${lasting}`);
  await using session = await openSession({ siteUrl: daemon.url, apiKey, fetch });
  await session.write('before.yaml', manifestOf(before, updated));
  await session.write('wanted.yaml', manifestOf(wanted, updated));
  // The requests for the lists and the usage come first, and then one request for each change.
  for (const at of numbers(lists + created + updated + deleted, 1).filter(meets)) {
    expect(await session.uptime(apply('before.yaml'))).toMatchObject({ exit: 0 });
    await brokenApply(session, { daemon, proxy, fault, at, lasting, words: apply('wanted.yaml') });
    expect(await session.uptime(apply('wanted.yaml'))).toMatchObject({ exit: 0 });
    expect(await state(daemon, apiKey)).toEqual([...wanted].map(([i, interval]) => `m${i} ${interval}`).toSorted());
    const again = await session.uptime(apply('wanted.yaml'));
    expect(again.stdout).toContain(`Nothing to do: ${wanted.size} unchanged.`);
  }
}

async function brokenApply(
  session: Session<SessionServer>,
  run: { daemon: TestDaemon; proxy: FaultProxy; fault: Fault; at: number; lasting: boolean; words: string[] },
): Promise<void> {
  const { daemon, proxy, fault, at, lasting, words } = run;
  proxy.break(fault, at, lasting);
  session.env['UPTIME_SITE_URL'] = proxy.url;
  const { exit, stderr } = await session.uptime(words);
  session.env['UPTIME_SITE_URL'] = daemon.url;
  // A lasting fault stops the apply, either before the first change or after some changes.
  if (lasting && fault !== 'delay') expect(exit, stderr).toBeOneOf(at <= lists + 1 ? [1, 3] : [3]);
  if (at <= lists && exit !== 0) expect(exit).toBe(1);
}

async function state(daemon: TestDaemon, apiKey: string): Promise<string[]> {
  const { body } = await daemon.request('GET', '/api/monitors', undefined, { apiKey });
  return (body as { key: string; interval: number }[]).map(({ key, interval }) => `${key} ${interval}`).toSorted();
}
