import { expect } from 'vitest';
import type { Store } from '../../packages/daemon/src/store/store.ts';
import { type AlertReceiver, repeated, storyOf } from './alert-receiver.ts';
import type { SwitchedTargets } from './switched-targets.ts';
import { until } from './until.ts';

/** A fault of a node, from `at` to `over`, in epoch milliseconds. */
export interface Fault {
  at: number;
  over: number;
}

/** A target keeps its state at least this long, so that a check finds the state even if a lease has to expire first. */
const minStateMs = 25_000;

/** How many failures of targets lasted long enough for a check: at least `certain`, and at most `possible`. */
export interface Failures {
  certain: number;
  possible: number;
}

/** Makes targets fail and recover until `stop` is called. Then all targets are up. */
export function flap(targets: SwitchedTargets, count: number): { stop(): Failures } {
  let certain = 0;
  const changedAt = Array.from({ length: count }, () => performance.now() - Math.random() * minStateMs);
  const timer = setInterval(() => {
    for (const [page, at] of changedAt.entries()) {
      if (performance.now() - at < minStateMs * (1 + Math.random())) continue;
      if (!targets.isUp(page)) certain++;
      targets.set(page, targets.isUp(page) ? 'failing' : 'up');
      changedAt[page] = performance.now();
    }
  }, 200);
  return {
    stop() {
      clearInterval(timer);
      const pages = Array.from({ length: count }, (_, page) => page);
      const failing = pages.filter((page) => !targets.isUp(page));
      for (const page of failing) targets.set(page, 'up');
      return { certain, possible: certain + failing.length };
    },
  };
}

/**
 * Waits until all monitors are up and no message is left to send. If a node was killed while it sent a message, the
 * message waits until the lease of that node expires.
 */
export const untilAllSent = ({ db }: Store): Promise<void> =>
  until('every alert has arrived', 150_000, async () => {
    const pending = await db.selectFrom('delivery').select('id').where('status', '=', 'pending').limit(1).execute();
    const down = await db.selectFrom('monitor_state').select('monitor').where('status', '!=', 'up').limit(1).execute();
    return pending.length + down.length === 0;
  });

/**
 * Expects that there was an outage for each failure of a target, and that the receiver got one alarm for each outage,
 * and then a recovery. A message may arrive twice, under the same id, only if there was a fault between its two
 * arrivals.
 */
export async function expectReported(
  store: Store,
  receiver: AlertReceiver,
  { faults, failures }: { faults: readonly Fault[]; failures: Failures },
) {
  const outages = await store.db.selectFrom('outage').select('id').execute();
  expect(outages.length, 'outages').toBeGreaterThanOrEqual(failures.certain);
  expect(outages.length, 'outages').toBeLessThanOrEqual(failures.possible);
  const alerts = await store.db.selectFrom('alert').select(['subject', 'notified']).execute();
  const notified = new Set(alerts.filter((alert) => alert.notified === 1).map(({ subject }) => subject));
  expect(
    outages.filter(({ id }) => !notified.has(id)),
    'outages without an alarm',
  ).toEqual([]);
  const sent = await store.db.selectFrom('delivery').select(['id', 'status']).execute();
  const received = new Set(receiver.received.map(({ id }) => id));
  expect(
    sent.filter(({ id, status }) => status === 'sent' && !received.has(id)),
    'lost',
  ).toEqual([]);
  expect(received.size, 'messages that were never in the outbox').toBe(
    sent.filter(({ id }) => received.has(id)).length,
  );
  const wrong = [...storyOf(receiver)].filter(([, events]) =>
    events.some((event, at) => event !== (at % 2 === 0 ? 'monitor_down' : 'monitor_up')),
  );
  expect(wrong, 'monitors whose messages are not alarm, recovery, alarm, recovery …').toEqual([]);
  for (const id of repeated(receiver)) {
    const times = receiver.received.filter((one) => one.id === id).map(({ at }) => at);
    for (const [before, at] of times.slice(1).entries())
      expect(
        faults.some((fault) => fault.over >= times[before]! && fault.at <= at),
        `${id} arrived twice, with no fault between the two times`,
      ).toBe(true);
  }
  return { outages: outages.length, repeated: repeated(receiver).size };
}
