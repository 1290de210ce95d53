import { storedState } from '../store/monitor-state-row.ts';
import type { Store } from '../store/store.ts';
import { type Arrival, statusChanges, type Stop } from './naive-regions.ts';

/** The regions of the histories. */
export const regions = ['eu', 'us', 'asia', 'africa', 'oceania'] as const;
export const intervalMs = 60_000;
/** The number of rounds of a history. */
export const rounds = 16;

/** A history that was played. */
interface Played {
  monitor: number;
  arrivals: readonly Arrival[];
  start: number;
  /** When the server was stopped and started again; null if it was not stopped. */
  stop: Stop | null;
}

/** Compares what is stored of a monitor with the simple model in naive-regions.ts. Returns the differences. */
export async function compareHistory(store: Store, { monitor, arrivals, start, stop }: Played): Promise<string[]> {
  const faults: string[] = [];
  const say = (what: string, found: unknown, expected: unknown) => {
    const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
    if (one !== other) faults.push(`${what}: ${one} instead of ${other}`);
  };
  const expected = statusChanges(regions, arrivals, { begunAt: start, intervalMs, stop });
  const changes = await store.db
    .selectFrom('status_change')
    .select(['to_status', 'at'])
    .where('monitor', '=', monitor)
    .orderBy('id')
    .execute();
  const since = (at: number | null) => (at === null ? null : at - start);
  say(
    'statuses',
    changes.map(({ to_status: to, at }) => [to, since(at)]),
    expected.map(({ to, at }) => [to, since(at)]),
  );
  const alerts = await store.db
    .selectFrom('alert')
    .select(['triggered_at', 'resolved_at'])
    .where('monitor', '=', monitor)
    .orderBy('seq')
    .execute();
  const outages = expected.flatMap(({ to, at }, place) =>
    to === 'down' ? [[at, expected[place + 1]?.at ?? null]] : [],
  );
  say(
    'alerts',
    alerts.map(({ triggered_at: from, resolved_at: until }) => [since(from), since(until)]),
    outages.map(([from, until]) => [since(from!), since(until!)]),
  );
  const times = await rolledUpTimes(store, monitor);
  // No time counts twice, and no time since the first status is missing. Late results may also add time before the
  // first status.
  const countedMs = times.observedMs + times.unobservedMs;
  if (times.since < (stop?.from ?? Infinity) && countedMs < times.rolledUpMs)
    say('counted time', countedMs, times.rolledUpMs);
  const sinceStartMs = times.rolledUpMs + times.since - start;
  if (times.since < Infinity && countedMs > sinceStartMs) say('counted time', countedMs, sinceStartMs);
  const stored = await store.db
    .selectFrom('recent_result')
    .select(['at', 'region'])
    .where('monitor', '=', monitor)
    .execute();
  say('results', new Set(stored.map(({ at, region }) => `${at} ${region}`)).size, stored.length);
  const sent = arrivals.flatMap(({ region, results }) => results.map(({ at }) => `${at} ${region}`));
  say('results', stored.length, new Set(sent).size);
  return faults;
}

/**
 * Returns when a monitor's first status began (`since`), and the length of the time from then to the end of the rollups
 * (`rolledUpMs`). Also returns the time that counts in the uptime (`observedMs`), and the time that does not
 * (`unobservedMs`).
 */
async function rolledUpTimes(store: Store, monitor: number) {
  const { up, down } = await store.db
    .selectFrom('observed_day')
    .select(({ fn }) => [fn.sum<number | null>('up_ms').as('up'), fn.sum<number | null>('down_ms').as('down')])
    .where('monitor', '=', monitor)
    .executeTakeFirstOrThrow();
  const first = await store.db
    .selectFrom('status_change')
    .select('at')
    .where('monitor', '=', monitor)
    .orderBy('id')
    .executeTakeFirst();
  const state = storedState(
    await store.db.selectFrom('monitor_state').selectAll().where('monitor', '=', monitor).executeTakeFirstOrThrow(),
  );
  return {
    observedMs: (up ?? 0) + (down ?? 0),
    unobservedMs: state.unobserved.reduce((sum, { from, until }) => sum + until - from, 0),
    rolledUpMs: first ? state.rolledUpUntil - first.at : 0,
    since: first?.at ?? Infinity,
  };
}
