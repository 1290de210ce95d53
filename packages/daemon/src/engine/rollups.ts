import type { Deps } from '../deps.ts';
import { hourMs } from '../core/uptime.ts';
import { rollUpUntil } from '../recording/roll-up-until.ts';
import type { Store } from '../store/store.ts';
import { type Loop, startLoop } from './loop.ts';

/** One statement reads at most `maxRead` monitors. One transaction rolls up at most `maxRolledUp` monitors. */
const [maxRead, maxRolledUp] = [1000, 200];
const restMs = 20;
const pollIntervalMs = 60_000;

/**
 * Adds past time to the hourly and daily rollups of monitors. So a read of statistics has to add only the time since
 * the start of the hour, or little more. Once an hour, the loop goes through all monitors in order:
 * 1. Read the next monitors. An index on `rolled_up_until` would find the monitors to roll up, but each write of that
 *    column would then cost more.
 * 2. Roll up the time of these monitors up to the start of the hour, in batches. Skip monitors whose time is rolled up
 *    already.
 *
 * All nodes with the role `housekeeping` do this at the start of an hour. Each node leaves out the monitors that
 * another node is rolling up at that moment.
 */
export function startRollups(deps: Pick<Deps, 'clock' | 'log'>, store: Store): Loop {
  let pass = { hour: -1, after: 0 };
  return startLoop(deps, 'rollups', async () => {
    const hour = Math.floor(deps.clock.now() / hourMs);
    if (hour !== pass.hour) pass = { hour, after: 0 };
    const read = await store.db
      .selectFrom('monitor_state')
      .select(['monitor', 'status', 'rolled_up_until', 'unobserved_since'])
      .where('monitor', '>', pass.after)
      .orderBy('monitor')
      .limit(maxRead)
      .execute();
    const isBehind = ({ status, rolled_up_until: until, unobserved_since: unobservedSince }: (typeof read)[number]) =>
      (status === 'up' || status === 'down') &&
      // Since `unobserved_since`, no check was possible, or no result arrived. Time after that is not rolled up yet.
      until < Math.min(hour * hourMs, unobservedSince ?? Infinity);
    const behind = read.filter(isBehind).slice(0, maxRolledUp);
    if (behind.length > 0) {
      const monitors = behind.map(({ monitor }) => monitor);
      await store.write((trx) => rollUpUntil(store, trx, monitors, hour * hourMs), { durable: false });
    }
    const mayBeMore = behind.length === maxRolledUp;
    pass.after = (mayBeMore ? behind : read).at(-1)?.monitor ?? pass.after;
    return mayBeMore || read.length === maxRead ? restMs : pollIntervalMs;
  });
}
