import { rolesToText, type ServingNode } from '../core/roles.ts';
import { shortRunsAfter } from '../core/slow-start.ts';
import { type Absences, noAbsences, type NotedAbsences, servingMs } from '../core/absence.ts';
import type { Clock } from '../deps.ts';
import { moveTimeline } from '../recording/move-timeline.ts';
import type { PingRecorder } from '../recording/ping-recorder.ts';
import { recordAbsence } from '../recording/record-absence.ts';
import { readAbsences } from '../store/noted-absences.ts';
import type { Store } from '../store/store.ts';

/** After this long without a sign of life, a daemon's row in `presence` is deleted. */
const forgottenAfterMs = 30 * 24 * 3_600_000;

/**
 * Call this function when the daemon starts.
 * - If no daemon did this daemon's work just before this start, it records that time as an absence (see
 *   `recordAbsence`). If the last sign of life of a daemon is in the future, the clock was set back. In that case, the
 *   function moves the stored times back and records no absence.
 * - It records the first sign of life of this run.
 * - It resolves with the latest absences. `shortRuns` is the number of crashes in a row before this run, each within a
 *   minute of the daemon's start.
 */
export async function beginPresence(
  store: Store,
  node: ServingNode,
  pings: Pick<PingRecorder, 'settled'>,
  { clock, startedAt }: { clock: Pick<Clock, 'now'>; startedAt: number },
): Promise<{ shortRuns: number; noted: Absences; seen: NotedAbsences }> {
  const runs = await store.db.selectFrom('presence').selectAll().execute();
  const known = runs.find((run) => run.instance === node.name);
  const shortRuns = known
    ? shortRunsAfter({
        startedAt: known.started_at,
        aliveAt: known.alive_at,
        endedAt: known.ended_at,
        shortRuns: known.short_runs,
      })
    : 0;
  let absences: { noted: Absences; seen: NotedAbsences } = { noted: noAbsences, seen: noAbsences };
  if (runs.length > 0) {
    await pings.settled();
    const own = known?.alive_at ?? 0;
    const latest = Math.max(own, ...runs.map((run) => run.alive_at).filter((at) => at > startedAt + servingMs));
    if (latest <= startedAt)
      absences = await recordAbsence(store, node, { from: own, to: startedAt, now: () => clock.now() });
    else {
      await moveTimeline(store, { instance: node, from: latest, byMs: startedAt - latest }, null);
      absences = { noted: await readAbsences(store.db), seen: noAbsences };
    }
  }
  await leaveFirstSign(store, node, { startedAt, shortRuns });
  return { shortRuns, ...absences };
}

async function leaveFirstSign(
  store: Store,
  node: ServingNode,
  { startedAt, shortRuns }: { startedAt: number; shortRuns: number },
): Promise<void> {
  const begun = {
    region: node.region,
    started_at: startedAt,
    alive_at: startedAt,
    ended_at: null,
    short_runs: shortRuns,
    roles: rolesToText(node.roles),
  };
  await store.write(async (trx) => {
    await trx
      .insertInto('presence')
      .values({ instance: node.name, ...begun })
      .onConflict((conflict) => conflict.column('instance').doUpdateSet(begun))
      .execute();
    await trx
      .deleteFrom('presence')
      .where('alive_at', '<', startedAt - forgottenAfterMs)
      .execute();
  });
}
