import type { Deps } from '../deps.ts';
import { hourMs } from '../core/uptime.ts';
import { accountMonitor } from '../recording/account-monitor.ts';
import type { Store } from '../store/store.ts';
import { type Loop, startLoop } from './loop.ts';

const chunk = 200;
const minute = 60_000;

/**
 * Accounts past hours, so that a read only has to add up little more than an hour:
 * 1. Find monitors that were last accounted before this hour.
 * 2. Account their time up to the start of the hour, some at a time.
 */
export function startRollups(deps: Pick<Deps, 'clock' | 'log'>, store: Store): Loop {
  return startLoop(deps, 'rollups', async () => {
    const hourBegan = Math.floor(deps.clock.now() / hourMs) * hourMs;
    const behind = await store.db
      .selectFrom('monitor_state')
      .select('monitor')
      .where('status', 'in', ['up', 'down'])
      .where('accounted_until', '<', hourBegan)
      .limit(chunk)
      .execute();
    if (behind.length === 0) return minute;

    await store.write(async (trx) => {
      for (const { monitor } of behind) await accountMonitor(trx, monitor, hourBegan);
    });
    return behind.length === chunk ? 20 : minute;
  });
}
