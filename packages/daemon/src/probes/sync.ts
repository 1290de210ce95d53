import type { Transaction } from 'kysely';
import { plainLine } from '../core/plain-line.ts';
import { storedProbeName } from '../core/probe-name.ts';
import { ServiceError } from '../errors.ts';
import { noteReport, silentAfterMs } from '../lifecycle/regions.ts';
import { maxSyncMs, probeProtocol, type SyncAnswer, type SyncCall } from '../probe-protocol.ts';
import type { Deps } from '../deps.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { MonitorVault } from '../stored-monitors/monitor-vault.ts';
import { wait } from '../wait.ts';
import { addProbe } from './add-probe.ts';
import { changeBetween, changeFor, isEmpty } from './assignment-change.ts';
import { loadAssignments } from './load-assignments.ts';
import { createRegionMonitors, lookAfterMs, type RegionMonitors } from './region-monitors.ts';
import { createSharedJoins } from './shared-joins.ts';

/** The id and the region of the token that a calling probe sent. */
export interface ProbeCaller {
  id: string;
  region: number;
}

export interface SyncOptions {
  store: Store;
  vault: Pick<MonitorVault, 'open'>;
  /** The server's rule for targets. A probe without a rule of its own obeys it too. */
  targets: NonNullable<SyncAnswer['targets']>;
  /** The time since which this process has run without an absence, in epoch milliseconds. */
  observingSince: () => number;
  /** Aborted when the daemon stops. */
  stopping: AbortSignal;
}

/**
 * Answers a sync call of a probe with the changes of its monitors. Waits for a change, but not longer than `waitMs` and
 * not after `gone`, the signal that the connection is closed.
 */
export type Sync = (caller: ProbeCaller, call: SyncCall, gone: AbortSignal) => Promise<SyncAnswer>;

export function createSync(deps: Pick<Deps, 'clock' | 'log'>, options: SyncOptions): Sync {
  const { clock } = deps;
  const { store, vault, targets, stopping } = options;
  const regions = new Map<number, RegionMonitors>();
  const join = createSharedJoins(deps, options);

  return async (caller, call, gone) => {
    const begunMonoMs = clock.monotonicMs();
    const probe = storedProbeName(call.probe);
    const { applied, name, hasMonitors } = await store
      .write((trx) => noteProbe(trx, store.dialect, caller, { ...call, probe, now: clock.now() }), { durable: false })
      .catch((error: unknown) => {
        // The row of the token is missing, because the token was revoked after this call was authenticated.
        throw store.dialect.isForeignKeyViolation(error) ? revoked() : error;
      });
    // Monitors that name no region are checked from every region. So they get a new region when its first probe or
    // daemon appears.
    const isComplete = hasMonitors || (await join(caller.region, name));
    const completeMonoMs = clock.monotonicMs();
    const monitors = regions.get(caller.region) ?? createRegionMonitors(store, clock, caller.region);
    regions.set(caller.region, monitors);
    const signal = AbortSignal.any([gone, stopping]);
    const untilMonoMs = begunMonoMs + Math.min(call.waitMs, maxSyncMs);

    const known = { isLeaving: call.leaving, signal };
    let wanted = await monitors.of(probe, known);
    let change = await changeFor(call, wanted);
    if (change.removed.length > 0) {
      // Another node may have sent these monitors to the probe after this node last read the region. Then the probe has
      // to keep them. So this node first reads the region again, and removes nothing without that read. It also removes
      // nothing while the region is still getting its monitors. Monitors to add need no such care, because they are
      // loaded from the store.
      const isFresh = isComplete && (await monitors.wereReadAfter(completeMonoMs, untilMonoMs, signal));
      wanted = await monitors.of(probe, known);
      change = await changeFor(call, wanted);
      if (!isFresh) change.removed = [];
    }
    while (isEmpty(change) && clock.monotonicMs() < untilMonoMs && !signal.aborted) {
      await wait(clock, Math.max(1, Math.min(lookAfterMs, untilMonoMs - clock.monotonicMs())), signal);
      await refuseRevoked(store, caller);
      // Until now nothing had to change, so the probe has exactly the monitors in `wanted`.
      const held = wanted;
      wanted = await monitors.of(probe, known);
      if (wanted !== held) change = await changeBetween(held, wanted);
    }

    const { region } = caller;
    return {
      protocol: probeProtocol,
      now: clock.now(),
      keptMs: clock.monotonicMs() - begunMonoMs,
      region: { id: region, name },
      targets,
      applied,
      ask: change.ask,
      removed: change.removed,
      ...(await loadAssignments(store, vault, { region, monitors: change.changed })),
    };
  };
}

/**
 * Stores the state that a probe reports. Throws `conflict` if the probe's name belongs to another region, or the token
 * has too many probes.
 */
async function noteProbe(
  trx: Transaction<Tables>,
  dialect: Store['dialect'],
  caller: ProbeCaller,
  call: SyncCall & { now: number },
): Promise<{ applied: number; name: string; hasMonitors: boolean }> {
  const { now, probe, version, queued, oldestAt, skewMs, fault, failing, leaving } = call;
  const known = await trx
    .selectFrom('probe')
    .select(['region', 'applied', 'run', 'seen_at'])
    .where('name', '=', probe)
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirst();
  if (known && known.region !== caller.region)
    throw new ServiceError(
      'conflict',
      'The data folder of this probe was used in another region before. Give each probe a data folder of its own, or delete this folder.',
    );
  const isSilent = known !== undefined && known.seen_at < now - silentAfterMs;
  if (known && !call.joins && !isSilent) refuseCopy(known, call);
  const seen = {
    run: call.run ?? known?.run ?? null,
    // If the probe now uses another token of its region, the stored token is replaced.
    token: caller.id,
    version,
    seen_at: leaving ? now - silentAfterMs - 1 : now,
    left_at: leaving ? now : null,
    queued,
    oldest_at: oldestAt,
    skew_ms: skewMs === null ? null : Math.round(skewMs),
    fault: fault === null ? null : plainLine(fault),
    ...((failing || call.joins) && { failed_at: failing ? now : null }),
  };
  if (known) await trx.updateTable('probe').set(seen).where('name', '=', probe).execute();
  else await addProbe(trx, { name: probe, region: caller.region, first_seen_at: now, ...seen }, now);
  const region = await noteReport(trx, caller.region, now);
  if (!region) throw revoked();
  return { applied: known?.applied ?? 0, ...region };
}

/**
 * Throws `conflict` if another process uses the probe's name. This happens if a data folder was copied. The two
 * processes give their results the same numbers. So without this check, the server would take results of one process
 * for repeats of the other's.
 */
export function refuseCopy(known: { run: string | null }, { run }: { run: string | null }): void {
  if (known.run !== null && run !== null && known.run !== run)
    throw new ServiceError(
      'conflict',
      'Another probe with a copy of this data folder started later. Give one of the two probes a new, empty data folder.',
    );
}

async function refuseRevoked(store: Store, caller: ProbeCaller): Promise<void> {
  const row = await store.db.selectFrom('probe_token').select('id').where('id', '=', caller.id).executeTakeFirst();
  if (!row) throw revoked();
}

export const revoked = () =>
  new ServiceError(
    'unauthenticated',
    'This probe token is not valid: it is mistyped or was revoked. `uptimed admin probes add <region>` makes a new token.',
  );
