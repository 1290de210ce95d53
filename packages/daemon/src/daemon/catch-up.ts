import type { Config } from '../config/config.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import { joinTimeline } from '../engine/follow-wall-clock.ts';
import { takeMovedPings } from '../move-to-postgres/moved-pings.ts';
import { type PlanRules, planRules } from '../plans/account-plan.ts';
import { fitAccounts } from '../plans/fit-account.ts';
import type { Parts } from './open-parts.ts';

/**
 * Prepares the stored data for this start, before the daemon serves: sets the clock, takes over pings that arrived
 * during a move to PostgreSQL, and applies the limits of accounts. Resolves with the limits of accounts.
 */
export async function catchUp(
  { clock, log }: Deps & { clock: SteadyClock },
  config: Config,
  parts: Parts,
): Promise<PlanRules> {
  const { store, billing } = parts;
  // Sets the clock before the first ping arrives, so that every ping is stored with the right time.
  await joinTimeline({ ...parts, clock, wallClock: store.dialect.wallClock });
  const late = store.dialect.exclusive ? 0 : await takeMovedPings(store, config.dataDir);
  if (late > 0) log.info({ pings: late }, 'took over the pings that arrived during the move to PostgreSQL');
  // The limits of accounts may differ from those of the last start, because the plans or the billing setting changed.
  const plans = planRules({ charged: billing !== null, mode: config.mode });
  const fitted = await fitAccounts(store, plans, () => clock.now());
  if (fitted.monitors > 0) log.warn(fitted, 'paused monitors beyond the limits of their accounts');
  return plans;
}
