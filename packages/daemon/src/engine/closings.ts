import type { Notice } from '../channels/notice.ts';
import { afterFailure, failureKind, maxLimitMs } from '../core/backoff.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import { anyIncident, claimOrphans } from '../alerting/deliveries/paging-incidents.ts';
import type { Notifier } from '../alerting/notifier.ts';
import type { Store } from '../store/store.ts';
import type { PagingIncidentRow } from '../store/tables.ts';
import { startLeaseTime } from './lease-time.ts';
import { type InterruptibleLoop, startLoop, stopGraceMs } from './loop.ts';
import { wait } from '../wait.ts';

/** Time between two searches for incidents to close. */
const pollIntervalMs = 1000;
/** Maximum number of incidents that are closed at the same time. */
const maxIncidentsAtOnce = 4;
/** How long the claim of an incident holds. Every attempt to close an incident takes less time. */
const leaseMs = 60_000;

/**
 * Closes incidents at paging services if no message in the outbox will close them: the channel or the project was
 * deleted, or the channel has another key now. Each incident is closed at the account at which it was opened.
 */
export function startClosings(
  deps: Deps & { clock: SteadyClock },
  { store, notifier }: { store: Store; notifier: Notifier },
): InterruptibleLoop {
  const { clock, log, random } = deps;
  const stopping = new AbortController();

  const close = async (incident: PagingIncidentRow): Promise<void> => {
    const [begun, fromMonoMs, dice] = [clock.now(), clock.monotonicMs(), random()];
    const channel = { id: incident.channel_id, type: incident.type, config: incident.config };
    const alarm = JSON.parse(incident.notice) as Notice;
    const notice: Notice = { ...alarm, kind: 'close', at: begun, error: null };
    const sent = await notifier.send(channel, incident.id, notice, stopping.signal);
    const cutOff = !sent.ok && stopping.signal.aborted;
    await store.write(async (trx) => {
      // The time is read after the attempt, because the clock may have stepped during the attempt.
      const now = clock.now();
      const row = await trx
        .selectFrom('paging_incident')
        .select('tried_since')
        .where('seq', '=', incident.seq)
        .executeTakeFirst();
      const triedSince = row?.tried_since ?? now - Math.round(clock.monotonicMs() - fromMonoMs);
      const again = sent.ok
        ? null
        : afterFailure({ ...incident, kind: failureKind(sent), now, triedSince, random: dice });
      const change = trx.updateTable('paging_incident').where('seq', '=', incident.seq);
      if (cutOff) await change.set({ next_at: now }).execute();
      else if (again === null || again.nextAt === null)
        await trx.deleteFrom('paging_incident').where('seq', '=', incident.seq).execute();
      else {
        const asked = sent.ok || sent.retryAfterMs === null ? 0 : Math.min(maxLimitMs, sent.retryAfterMs);
        const { attempts, refusals } = again;
        const next = Math.max(again.nextAt, now + Math.max(asked, pollIntervalMs));
        await change.set({ attempts, refusals, tried_since: triedSince, next_at: next }).execute();
      }
    });
    if (!sent.ok && !cutOff)
      log.warn({ alert: alarm.alert, service: incident.type, text: sent.text }, 'an incident could not be closed');
  };

  const loop = startLoop(deps, 'closings', async () => {
    const now = clock.now();
    if (!(await anyIncident(store, now))) return pollIntervalMs;
    const isSure = store.dialect.exclusive ? () => true : startLeaseTime(clock, leaseMs);
    const orphans = await claimOrphans(store, { now, leaseUntil: now + leaseMs, limit: maxIncidentsAtOnce });
    // If this process was suspended after it claimed the incidents, another process may have claimed them meanwhile.
    if (isSure()) await Promise.all(orphans.map(close));
    return orphans.length === maxIncidentsAtOnce ? 0 : pollIntervalMs;
  });
  return {
    ...loop,
    interrupt: () => stopping.abort(),
    async stop() {
      const stopped = loop.stop();
      const waited = wait(clock, stopGraceMs, stopping.signal);
      await Promise.race([stopped, waited]);
      stopping.abort();
      await stopped;
    },
  };
}
