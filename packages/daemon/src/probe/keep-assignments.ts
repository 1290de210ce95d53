import type { Transaction } from 'kysely';
import { validateMonitor } from '@uptime/sdk/contract';
import type { Clock, Logger } from '../deps.ts';
import type { Assignment, SyncAnswer } from '../probe-protocol.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { MonitorVault } from '../stored-monitors/monitor-vault.ts';

/** The monitors of a probe. They are stored, so that the probe can check after a restart without its server. */
export interface KeptAssignments {
  /** Stores the changes in a sync answer: monitors to add, to replace and to remove. */
  apply(answer: SyncAnswer): Promise<void>;
  /** Forgets all monitors with their secrets. */
  clear(): Promise<void>;
}

export function createKeptAssignments(
  { clock, log }: { clock: Clock; log: Logger },
  store: Store,
  vault: Pick<MonitorVault, 'seal'>,
): KeptAssignments {
  /** While a new list arrives in several answers: the monitors that it has named so far. Otherwise null. */
  let listed: Set<number> | null = null;

  return {
    apply: (answer) =>
      store.write(async (trx) => {
        const { assignments, removed, reset, more, region } = answer;
        if (reset) listed = new Set();
        for (const assignment of assignments) {
          await keep(trx, { clock, log, vault }, region.id, assignment);
          listed?.add(assignment.monitor);
        }
        await remove(trx, removed);
        if (more || listed === null) return;
        const kept = await trx.selectFrom('monitor').select('seq').execute();
        const wanted = listed;
        await remove(
          trx,
          kept.map(({ seq }) => seq).filter((seq) => !wanted.has(seq)),
        );
        listed = null;
      }),
    clear: () =>
      store.write(async (trx) => {
        await trx.deleteFrom('schedule').execute();
        await trx.deleteFrom('monitor').execute();
        await trx.deleteFrom('project').execute();
      }),
  };
}

/** Stores one monitor, and makes it due if it is new or changed. */
async function keep(
  trx: Transaction<Tables>,
  { clock, log, vault }: { clock: Clock; log: Logger; vault: Pick<MonitorVault, 'seal'> },
  region: number,
  assignment: Assignment,
): Promise<void> {
  const { monitor, generation, project, dueAt } = assignment;
  const parsed = validateMonitor({ name: `monitor ${monitor}`, ...assignment.fields });
  // A newer server may have types or fields that this version cannot check.
  if (!parsed.ok) {
    log.warn({ monitor }, 'this version of the probe cannot check a monitor: update it to the version of the server');
    return remove(trx, [monitor]);
  }
  const now = clock.now();
  await trx
    .insertInto('project')
    .values({ id: project, user_id: '', name: '', api_key: project, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const known = await trx.selectFrom('monitor').select('generation').where('seq', '=', monitor).executeTakeFirst();
  const id = `mon_${monitor}`;
  const columns = { ...vault.seal(id, parsed.value), generation, project_id: project, updated_at: now };
  if (known) await trx.updateTable('monitor').set(columns).where('seq', '=', monitor).execute();
  else
    await trx
      .insertInto('monitor')
      .values({ seq: monitor, id, token: null, created_at: now, ...columns })
      .execute();
  // After a restart, the schedule in memory is built from the times in this row. An existing row is not changed.
  const state = { regions: JSON.stringify({ [region]: { at: now } }), status: 'pending' as const };
  const times = { since: now, watched_since: now, rolled_up_until: now };
  await trx
    .insertInto('monitor_state')
    .values({ monitor, failures: 0, ...state, ...times, ...noState })
    .onConflict((conflict) => conflict.column('monitor').doNothing())
    .execute();
  if (known?.generation === generation) return;
  const due = { next_at: dueAt, lease_until: 0, project };
  await trx
    .insertInto('schedule')
    .values({ monitor, region, ...due })
    .onConflict((conflict) => conflict.columns(['monitor', 'region']).doUpdateSet(due))
    .execute();
}

/** The server decides the status of a monitor, so these columns stay empty on a probe. */
const noState = {
  failing_since: null,
  error_code: null,
  error_message: null,
  last_checked_at: null,
  last_ping_at: null,
  run_started_at: null,
  allowed_silence_ms: null,
  ping_due_at: null,
  silence_review_at: null,
  blind_since: null,
  certificate: null,
  domain: null,
  expiry_review_at: null,
};

async function remove(trx: Transaction<Tables>, monitors: readonly number[]): Promise<void> {
  // One statement for each monitor, because a database limits the parameters of a statement.
  for (const monitor of monitors) {
    await trx.deleteFrom('schedule').where('monitor', '=', monitor).execute();
    await trx.deleteFrom('monitor').where('seq', '=', monitor).execute();
  }
}
