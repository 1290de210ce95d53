import type { Transaction } from 'kysely';
import { monitorInputs, monitorTypes, validateMonitor } from '@uptime/sdk/contract';
import type { Versions } from '../core/version-buckets.ts';
import type { Clock, Logger } from '../deps.ts';
import { type Assignment, type SyncAnswer, versionOf } from '../probe-protocol.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { MonitorVault } from '../stored-monitors/monitor-vault.ts';

/** The monitors of a probe. They are stored, so that the probe can check after a restart without its server. */
export interface KeptAssignments {
  /** Stores the changes in a sync answer: monitors to add, to replace and to remove. */
  apply(answer: SyncAnswer): Promise<void>;
  /**
   * Resolves with the versions of the monitors that the probe has, including monitors that it cannot check. So the
   * server does not send these monitors again.
   */
  versions(): Promise<Versions>;
  /** Deletes all stored monitors with their secrets. */
  clear(): Promise<void>;
  /** Returns how many monitors this version of the probe cannot check, as a sentence; null if it can check all. */
  fault(): string | null;
}

/**
 * If the probe cannot check a monitor, it asks for that monitor again after this time. By then the server may have
 * another version or the right secret key.
 */
const askAgainAfterMs = 600_000;
/** A version that no monitor has. So the server sends the monitor again, or removes it from this probe. */
const askAgain = 'again';

export function createKeptAssignments(
  { clock, log }: { clock: Clock; log: Logger },
  store: Store,
  vault: Pick<MonitorVault, 'seal'>,
): KeptAssignments {
  /** Monitors that this probe should check but cannot, with the version that it could not check. */
  const uncheckable = new Map<number, { version: string; sinceMonoMs: number; isUnfit: boolean }>();
  /** The versions that were read last; null after a change of the monitors. */
  let read: Versions | null = null;

  const readVersions = async () => {
    const rows = await store.db.selectFrom('monitor').select(['seq', 'generation', 'updated_at']).execute();
    return new Map(rows.map((row) => [row.seq, versionOf({ ...row, updatedAt: row.updated_at })]));
  };

  return {
    async apply({ assignments, unavailable, removed, region }) {
      if (assignments.length + unavailable.length + removed.length === 0) return;
      const unfit = await store.write(async (trx) => {
        const unfit: Assignment[] = [];
        for (const assignment of assignments)
          if (!(await keep(trx, { clock, log, vault }, region.id, assignment))) unfit.push(assignment);
        await remove(trx, [...removed, ...[...unavailable, ...unfit].map(({ monitor }) => monitor)]);
        return unfit;
      });
      read = null;
      for (const monitor of removed) uncheckable.delete(monitor);
      for (const { monitor } of assignments) uncheckable.delete(monitor);
      const sinceMonoMs = clock.monotonicMs();
      for (const one of unavailable)
        uncheckable.set(one.monitor, { version: versionOf(one), sinceMonoMs, isUnfit: false });
      for (const one of unfit) uncheckable.set(one.monitor, { version: versionOf(one), sinceMonoMs, isUnfit: true });
    },
    async versions() {
      for (const one of uncheckable.values()) {
        if (one.version === askAgain || clock.monotonicMs() - one.sinceMonoMs < askAgainAfterMs) continue;
        // The monitor stays in `uncheckable` until the server has answered, so that its fault does not end before the
        // answer.
        one.version = askAgain;
        read = null;
      }
      if (read) return read;
      const versions = await readVersions();
      for (const [monitor, { version }] of uncheckable) versions.set(monitor, version);
      return (read = versions);
    },
    async clear() {
      read = null;
      uncheckable.clear();
      await store.write(async (trx) => {
        await trx.deleteFrom('schedule').execute();
        await trx.deleteFrom('monitor').execute();
        await trx.deleteFrom('project').execute();
      });
    },
    fault() {
      const unfit = [...uncheckable.values()].filter(({ isUnfit }) => isUnfit).length;
      return unfit === 0 ? null : `${unfit} monitor(s) need a newer version of the probe.`;
    },
  };
}

/**
 * Stores one monitor. If the monitor is new or changed, also stores when its next check is due. Resolves with false,
 * and stores nothing, if this version of the probe cannot check the monitor.
 */
async function keep(
  trx: Transaction<Tables>,
  { clock, log, vault }: { clock: Clock; log: Logger; vault: Pick<MonitorVault, 'seal'> },
  region: number,
  assignment: Assignment,
): Promise<boolean> {
  const { monitor, generation, updatedAt, project, dueAt } = assignment;
  const parsed = validateMonitor({ name: `monitor ${monitor}`, ...knownFields(assignment) });
  // A newer server may send a type or a field that this version of the probe does not know.
  if (!parsed.ok) {
    log.warn(
      { monitor },
      'this version of the probe cannot check a monitor: update the probe to the version of the server',
    );
    return false;
  }
  const now = clock.now();
  await trx
    .insertInto('project')
    .values({ id: project, user_id: '', name: '', api_key: project, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const known = await trx.selectFrom('monitor').select('generation').where('seq', '=', monitor).executeTakeFirst();
  const id = `mon_${monitor}`;
  const columns = { ...vault.seal(id, parsed.value), generation, project_id: project, updated_at: updatedAt };
  if (known) await trx.updateTable('monitor').set(columns).where('seq', '=', monitor).execute();
  else
    await trx
      .insertInto('monitor')
      .values({ seq: monitor, id, token: null, created_at: now, ...columns })
      .execute();
  // After a restart, the probe builds its schedule in memory from the times in this row. If the row exists, it stays as
  // it is.
  const state = { regions: JSON.stringify({ [region]: { at: now } }), status: 'pending' as const };
  const times = { since: now, watched_since: now, rolled_up_until: now };
  await trx
    .insertInto('monitor_state')
    .values({ monitor, failures: 0, ...state, ...times, ...noState })
    .onConflict((conflict) => conflict.column('monitor').doNothing())
    .execute();
  if (known?.generation === generation) return true;
  const due = { next_at: dueAt, lease_until: 0, project };
  await trx
    .insertInto('schedule')
    .values({ monitor, region, ...due })
    .onConflict((conflict) => conflict.columns(['monitor', 'region']).doUpdateSet(due))
    .execute();
  return true;
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
  unobserved_since: null,
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

/**
 * Returns the fields of an assignment, but leaves out unknown fields that have their default value. A newer server
 * sends such fields, but they do not change the check.
 */
function knownFields({ fields, defaults = [] }: Assignment): Assignment['fields'] {
  const type = monitorTypes.find((known) => known === fields.type);
  if (!type) return fields;
  const isKept = ([field]: [string, unknown]) =>
    Object.hasOwn(monitorInputs[type].shape, field) || !defaults.includes(field);
  return { ...Object.fromEntries(Object.entries(fields).filter(isKept)), type, interval: fields.interval };
}
