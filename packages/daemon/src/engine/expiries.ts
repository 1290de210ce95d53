import type { Transaction } from 'kysely';
import { dayMs, hourMs } from '../core/uptime.ts';
import type { Deps } from '../deps.ts';
import type { ReadRegistration } from '../expiry/registration.ts';
import { reviewDueAtOnce } from '../alerting/load-facts.ts';
import { mayBeSetDue } from '../alerting/review-alerts.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { type Loop, startLoop } from './loop.ts';

/** Time between two questions to a registry about one domain, even if the registry failed to answer. */
const askEveryMs = 12 * hourMs;
/** Time until the next question about a domain if its registry publishes no expiry dates. */
const askUnsupportedEveryMs = 30 * dayMs;
/** Time until the next search for a due domain if none is due. */
const pollIntervalMs = 1000;
/** Wait between one domain and the next, so that no registry gets a burst of requests. */
const betweenDomainsMs = 250;

/**
 * Watches the expiry dates of domains:
 * 1. Find the domain that has been due longest. Delete the domain if no monitor uses it. Otherwise store when it is due
 *    again, before the registry is asked. So if the answer crashes the daemon, the next start does not ask again at
 *    once.
 * 2. Ask the registry and store the answer. Also make all monitors of the domain due for a review. Reviews have a loop
 *    of their own (engine/reviews.ts), because a registry may take half a minute to answer.
 */
export function startExpiries(deps: Pick<Deps, 'clock' | 'log'>, store: Store, ask: ReadRegistration): Loop {
  const { clock, log } = deps;
  return startLoop(deps, 'expiries', async (stopping) => {
    const due = await nextDue(store.db, clock.now());
    const name = due ? await store.write((trx) => take(trx, due, clock.now())) : null;
    if (name !== null) {
      const found = await ask(name, stopping);
      if (stopping.aborted) return pollIntervalMs;
      if (found.unsupported) log.info({ domain: name }, 'the registry does not say when this domain expires');
      await store.write(async (trx) => {
        const now = clock.now();
        await trx
          .updateTable('domain_registration')
          .set({
            checked_at: now,
            error: found.error,
            // A failure of the registry does not delete its earlier answer.
            ...(found.error === null || found.unsupported
              ? { expires_at: found.expiresAt, registrar: found.registrar }
              : {}),
            next_at: now + (found.unsupported ? askUnsupportedEveryMs : askEveryMs),
          })
          .where('name', '=', name)
          .execute();
        await trx
          .updateTable('monitor_state')
          .set({ expiry_review_at: reviewDueAtOnce })
          .where('domain', '=', name)
          .where(mayBeSetDue)
          .execute();
      });
    }
    return due ? betweenDomainsMs : pollIntervalMs;
  });
}

interface DueDomain {
  name: string;
  next_at: number;
}

const nextDue = (db: Store['db'], now: number): Promise<DueDomain | undefined> =>
  db
    .selectFrom('domain_registration')
    .select(['name', 'next_at'])
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst();

/**
 * Claims a due domain and resolves with its name. Resolves with null if another process claimed the domain first, or if
 * no monitor uses it any more.
 */
async function take(trx: Transaction<Tables>, { name, next_at }: DueDomain, now: number): Promise<string | null> {
  const used = await trx.selectFrom('monitor_state').select('monitor').where('domain', '=', name).executeTakeFirst();
  if (!used) {
    await trx.deleteFrom('domain_registration').where('name', '=', name).execute();
    return null;
  }
  const claimed = await trx
    .updateTable('domain_registration')
    .set({ next_at: now + askEveryMs })
    .where('name', '=', name)
    .where('next_at', '=', next_at)
    .executeTakeFirst();
  return claimed.numUpdatedRows === 1n ? name : null;
}
