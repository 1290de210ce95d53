import type { Insertable, Transaction } from 'kysely';
import { ServiceError } from '../errors.ts';
import { joinRegion } from '../lifecycle/join-region.ts';
import { silentAfterMs } from '../lifecycle/regions.ts';
import { longestSyncMs, probeProtocol, type SyncAnswer, type SyncCall } from '../probe-protocol.ts';
import type { Deps } from '../deps.ts';
import type { Store } from '../store/store.ts';
import type { ProbeTable, Tables } from '../store/tables.ts';
import type { MonitorVault } from '../stored-monitors/monitor-vault.ts';
import { wait } from '../wait.ts';
import { loadAssignments } from './load-assignments.ts';
import { createRegionMonitors, lookAfterMs, type RegionMonitors, type Versions } from './region-monitors.ts';

/** The token that a calling probe sent. */
export interface ProbeCaller {
  id: string;
  region: number;
}

/** Maximum number of probes of one token, so that a stolen token cannot fill the table. */
const mostProbes = 20;
/** A probe that has not reported for this time is forgotten when another one joins with its token. */
const forgottenAfterMs = 7 * 24 * 3_600_000;

export interface SyncOptions {
  store: Store;
  vault: Pick<MonitorVault, 'open'>;
  /** Aborted when the daemon stops. */
  stopping: AbortSignal;
}

/** Returns the monitors that a probe checks now. Waits until they change, or until the time is over. */
export type Sync = (caller: ProbeCaller, call: SyncCall, gone: AbortSignal) => Promise<SyncAnswer>;

/** An answer that was sent: its revision, and the monitors that the probe has after it. */
interface Sent {
  revision: string;
  has: Versions;
}

export function createSync({ clock }: Pick<Deps, 'clock'>, options: SyncOptions): Sync {
  const { store, vault, stopping } = options;
  const regions = new Map<number, RegionMonitors>();
  /** The two latest answers of each probe, because the latest may not have arrived. */
  const sent = new Map<string, Sent[]>();
  const joined = new Set<number>();
  // Makes the revisions of this run of the daemon unique. A probe may send a revision of another daemon or of an
  // earlier run, which this run does not know.
  const run = `${clock.now().toString(36)}${Math.floor(clock.monotonicMs() * 1000).toString(36)}`;
  let answers = 0;

  return async (caller, call, gone) => {
    const begunMonoMs = clock.monotonicMs();
    const { applied, name } = await store
      .write((trx) => noteProbe(trx, caller, call, clock.now()), { durable: false })
      .catch((error: unknown) => {
        // The token was revoked after this call was authenticated.
        throw store.dialect.isForeignKeyViolation(error) ? revoked() : error;
      });
    if (!joined.has(caller.region)) {
      // Monitors that name no region are checked from every region. They get this one when it is first served.
      await joinRegion(store, name, clock.now());
      joined.add(caller.region);
    }
    const monitors = regions.get(caller.region) ?? createRegionMonitors(store, clock, caller.region);
    regions.set(caller.region, monitors);
    const known = sent.get(call.probe)?.find(({ revision }) => revision === call.revision);
    const has: Versions = known?.has ?? new Map();
    const signal = AbortSignal.any([gone, stopping]);
    const until = begunMonoMs + Math.min(call.waitMs, longestSyncMs);

    let wanted = await monitors.of(call.probe);
    let before: Versions | null = null;
    let change = changesBetween(has, wanted);
    // If this daemon does not know which monitors the probe has, it sends all of them at once.
    const ends = known ? until : begunMonoMs;
    while (isEmpty(change) && clock.monotonicMs() < ends && !signal.aborted) {
      await wait(clock, Math.max(1, Math.min(lookAfterMs, ends - clock.monotonicMs())), signal);
      await refuseRevoked(store, caller);
      before = wanted;
      wanted = await monitors.of(call.probe);
      if (wanted !== before) change = changesBetween(has, wanted);
    }

    const { region } = caller;
    const { done, assignments } = await loadAssignments(store, vault, { region, monitors: change.changed });
    const next = new Map(has);
    for (const monitor of change.removed) next.delete(monitor);
    for (const monitor of done) next.set(monitor, wanted.get(monitor) ?? '');
    const left = known && isEmpty(change) ? known : { revision: `${run}.${++answers}`, has: next };
    sent.delete(call.probe);
    sent.set(call.probe, known && known !== left ? [known, left] : [left]);
    return {
      protocol: probeProtocol,
      now: clock.now(),
      keptMs: clock.monotonicMs() - begunMonoMs,
      region: { id: region, name },
      applied,
      revision: left.revision,
      reset: !known,
      more: done.length < change.changed.length,
      assignments,
      removed: change.removed,
    };
  };
}

interface Change {
  changed: number[];
  removed: number[];
}

const isEmpty = ({ changed, removed }: Change) => changed.length === 0 && removed.length === 0;

function changesBetween(has: Versions, wanted: Versions): Change {
  const changed = [...wanted].filter(([monitor, version]) => has.get(monitor) !== version).map(([monitor]) => monitor);
  return { changed, removed: [...has.keys()].filter((monitor) => !wanted.has(monitor)) };
}

/**
 * Stores the state that a probe reports. Throws `conflict` if the probe's name belongs to another region, or the token
 * has too many probes.
 */
async function noteProbe(
  trx: Transaction<Tables>,
  caller: ProbeCaller,
  call: SyncCall,
  now: number,
): Promise<{ applied: number; name: string }> {
  const { probe, version, queued, oldestAt, skewMs, fault, leaving } = call;
  const known = await trx
    .selectFrom('probe')
    .select(['region', 'applied'])
    .where('name', '=', probe)
    .executeTakeFirst();
  if (known && known.region !== caller.region)
    throw new ServiceError(
      'conflict',
      'This probe joined another region before. Give each probe a data folder of its own, or remove the old one.',
    );
  const seen = {
    // If the probe uses another token of its region now, that token replaces the stored one.
    token: caller.id,
    version,
    seen_at: leaving ? now - silentAfterMs - 1 : now,
    left_at: leaving ? now : null,
    queued,
    oldest_at: oldestAt,
    skew_ms: skewMs === null ? null : Math.round(skewMs),
    fault,
  };
  if (known) await trx.updateTable('probe').set(seen).where('name', '=', probe).execute();
  else await addProbe(trx, { name: probe, region: caller.region, first_seen_at: now, ...seen }, now);
  await trx
    .updateTable('region')
    .set({ seen_at: now })
    .where('id', '=', caller.region)
    // 0 and 1 mean that not all monitors without a named region have this region yet: see lifecycle/join-region.ts.
    .where('seen_at', '>', 1)
    .execute();
  const { name } = await trx
    .selectFrom('region')
    .select('name')
    .where('id', '=', caller.region)
    .executeTakeFirstOrThrow();
  return { applied: known?.applied ?? 0, name };
}

/** Adds a probe. Throws `conflict` if its token has too many probes. */
async function addProbe(trx: Transaction<Tables>, row: Insertable<ProbeTable>, now: number): Promise<void> {
  await trx
    .deleteFrom('probe')
    .where('token', '=', row.token)
    .where('seen_at', '<', now - forgottenAfterMs)
    .execute();
  const { count } = await trx
    .selectFrom('probe')
    .where('token', '=', row.token)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= mostProbes)
    throw new ServiceError('conflict', `This token has ${mostProbes} probes already. Add another token for more.`);
  await trx
    .insertInto('probe')
    .values(row)
    // A repeated first call may arrive while the earlier one is under way.
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row).where('probe.region', '=', row.region))
    .execute();
}

async function refuseRevoked(store: Store, caller: ProbeCaller): Promise<void> {
  const row = await store.db.selectFrom('probe_token').select('id').where('id', '=', caller.id).executeTakeFirst();
  if (!row) throw revoked();
}

export const revoked = () =>
  new ServiceError(
    'unauthenticated',
    'This probe token is not valid: it is mistyped or was revoked. `uptimed admin probes add <region>` makes a new one.',
  );
