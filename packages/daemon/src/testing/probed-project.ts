import { internalOutcome } from '../checks/index.ts';
import { joinRegion } from '../lifecycle/join-region.ts';
import { noteUnobserved } from '../recording/note-unobserved.ts';
import { createOpenSlots } from '../recording/open-slots.ts';
import { createQuietChecks } from '../recording/quiet-checks.ts';
import { createOutcomeRecording, type FinishedCheck } from '../recording/record-outcome.ts';
import { createStatsReader } from '../resources/monitor-past/stats.ts';
import { storedState } from '../store/monitor-state-row.ts';
import type { Store } from '../store/store.ts';
import type { TestDatabaseKind } from './databases.ts';
import { steadyTime } from './record-check.ts';
import { begunAt, createWatchedProject, minute } from './watched-project.ts';
import { noAbsences } from '../core/absence.ts';

export type ProbedProject = Awaited<ReturnType<typeof createProbedProject>>;

/** Creates a project whose monitors a probe checks from the region `eu`. */
export async function createProbedProject({ open }: TestDatabaseKind) {
  const database = await open();
  const { store } = database;
  const project = await createWatchedProject(store);
  const region = await joinRegion(store, 'eu', begunAt);
  const token = { id: 'prb_eu', region, digest: 'eu', created_at: begunAt };
  await store.db.insertInto('probe_token').values(token).execute();
  const quiet = createQuietChecks(steadyTime);
  const record = createOutcomeRecording(store, { renew: steadyTime.renew, quiet, slots: createOpenSlots(store) });
  let count = 0;

  const add = (regions: string[] = ['eu']) => project.addMonitor(`m${++count}`, { interval: 60, regions });
  /**
   * Records results of a probe that arrive together at minute `at`. `results` lists the minute of each check. A minute
   * has a `-` if the check failed, and an `!` if the probe itself was at fault. A `~` before a minute means that the
   * probe deleted the results between the previous listed minute and this minute. `isLate`: the results arrived too
   * late to change the status.
   */
  const arrive = async (
    monitor: number,
    at: number,
    results: string,
    { isLate = false, from = region, takesMs = 0 } = {},
  ) => {
    const ended = results.split(' ').map((word) => finished(monitor, word, from));
    const checks = ended.map((one, place) => ({
      ...one,
      begunAt: one.at - takesMs,
      arrived: { at: begunAt + at * minute, isLate, thinned: thinnedOf(results, place) },
      ...(isLate && { later: 'over' as const }),
    }));
    const recorded = await store.write((trx) => record(trx, checks));
    for (const [place, check] of checks.entries()) quiet.learn(check, recorded[place]!);
    return recorded;
  };
  /**
   * Describes the results that the probe deleted before the result at `place`. Returns null if this result has no
   * `~`. The deleted results were a minute apart.
   */
  const thinnedOf = (results: string, place: number) => {
    const words = results.split(' ');
    if (!words[place]!.startsWith('~')) return null;
    return { since: begunAt + Number.parseFloat(words[place - 1]!.replace('~', '')) * minute, longestGapMs: minute };
  };
  const finished = (monitor: number, word: string, from: number) => {
    const at = Number.parseFloat(word.replace('~', ''));
    const check = project.finished(monitor, at, /[-!]$/.test(word) ? 'timeout' : null, { region: from });
    return word.endsWith('!') ? { ...check, outcome: internalOutcome('The resolver is gone.') } : check;
  };
  const fallSilent = (at: number, regions = [region]) =>
    noteUnobserved(store, { regions, now: begunAt + at * minute, absences: noAbsences, quiet });
  /** Records a check of a daemon. */
  const check = async (one: FinishedCheck) => {
    const [recorded] = await store.write((trx) => record(trx, [one]));
    quiet.learn(one, recorded!);
  };
  return { database, project, region, add, arrive, check, fallSilent, ...createReaders(store) };
}

/** Returns functions that read what is stored of a monitor. */
function createReaders(store: Store) {
  const uptime = async (monitor: number, at: number) => {
    const stats = await createStatsReader(store)(monitor, begunAt + at * minute);
    return { status: stats.status, uptime: stats.uptime24h };
  };
  const observedMinutes = async (monitor: number) => {
    const rows = await store.db.selectFrom('observed_day').selectAll().where('monitor', '=', monitor).execute();
    const sum = (column: 'up_ms' | 'down_ms') => rows.reduce((total, row) => total + row[column], 0) / minute;
    return { up: sum('up_ms'), down: sum('down_ms') };
  };
  /** Returns the times of a monitor's state, in minutes since the beginning. */
  const timesOf = async (monitor: number) => {
    const row = await store.db
      .selectFrom('monitor_state')
      .selectAll()
      .where('monitor', '=', monitor)
      .executeTakeFirstOrThrow();
    const minutes = (at: number) => (at - begunAt) / minute;
    const state = storedState(row);
    return {
      unobservedSince: state.unobservedSince === null ? null : minutes(state.unobservedSince),
      rolledUpUntil: minutes(state.rolledUpUntil),
      unobserved: state.unobserved.map(({ from, until }) => [minutes(from), minutes(until)]),
    };
  };
  return { uptime, observedMinutes, timesOf };
}
