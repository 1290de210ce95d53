import * as fc from 'fast-check';
import { probeProtocol } from '../probe-protocol.ts';
import { createResultQueue, type QueuedResult, type ResultQueue } from '../probe/result-queue.ts';
import { storedProbeName } from '../core/probe-name.ts';
import { createTakeResults } from '../probes/take-results.ts';
import { joinRegion } from '../lifecycle/join-region.ts';
import { createOpenSlots } from '../recording/open-slots.ts';
import { createQuietChecks } from '../recording/quiet-checks.ts';
import { createOutcomeRecording } from '../recording/record-outcome.ts';
import { type Absences, noAbsences } from '../core/absence.ts';
import { allRoles } from '../core/roles.ts';
import { recordAbsence } from '../recording/record-absence.ts';
import type { Store } from '../store/store.ts';
import { compareHistory, intervalMs, regions, rounds } from './compare-history.ts';
import { databases, type TestDatabase } from './databases.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { type Arrival, statusChanges } from './naive-regions.ts';
import { steadyTime } from './record-check.ts';
import { begunAt, createWatchedProject, type WatchedProject } from './watched-project.ts';

/** The events of five probes in sixteen rounds. Regions and rounds are numbers. */
interface History {
  /** In these rounds the target fails for these regions. */
  outages: { from: number; length: number; regions: number[] }[];
  /** In this round, the check of this region gets the opposite verdict. */
  errors: { region: number; round: number }[];
  /** The network connection of this region's probe is interrupted during these rounds. */
  cuts: { region: number; from: number; length: number }[];
  /** The server is stopped during these rounds; null if it never stops. */
  stop: { from: number; length: number } | null;
  /** From this round on, the probe of this region is dead: it neither checks nor sends. */
  deaths: { region: number; round: number }[];
  /** How long results of each region take to arrive, in seconds. */
  delays: number[];
  /** If this is 5, the answer to every fifth arrival is lost. The probe then sends the same results again. */
  lostEvery: number;
}

const round = fc.integer({ min: 0, max: rounds - 1 });
const region = fc.nat(regions.length - 1);
const some = fc.subarray(
  regions.map((_, number) => number),
  { minLength: 1 },
);
const all: fc.Arbitrary<number[]> = fc.constant([0, 1, 2, 3, 4]);
const length = fc.integer({ min: 1, max: 6 });

const history: fc.Arbitrary<History> = fc.record({
  outages: fc.array(fc.record({ from: round, length, regions: fc.oneof(some, all) }), {
    maxLength: 3,
  }),
  errors: fc.array(fc.record({ region, round }), { maxLength: 6 }),
  cuts: fc.array(fc.record({ region, from: round, length: fc.integer({ min: 1, max: 9 }) }), { maxLength: 6 }),
  stop: fc.option(fc.record({ from: round, length: fc.integer({ min: 4, max: 12 }) })),
  deaths: fc.array(fc.record({ region, round }), { maxLength: 2 }),
  delays: fc.array(fc.constantFrom(0, 0.1, 2, 20, 70), { minLength: 5, maxLength: 5 }),
  lostEvery: fc.constantFrom(2, 5, 1000),
});

/** How many histories, changes of status and late arrivals there were, and the faults that were found. */
export interface Tried {
  histories: number;
  changes: number;
  late: number;
  faults: string[];
}

/**
 * Plays random histories of five regions on a real store. Compares the statuses and alerts with the simple model in
 * naive-regions.ts.
 */
export async function tryRegionHistories(numRuns: number, seed: number): Promise<Tried> {
  const [sqlite] = databases;
  const opened: TestDatabase[] = [];
  const open = async () => {
    const database = await sqlite!.open();
    opened.push(database);
    return database.store;
  };
  try {
    const server = await startServer(await open());
    const queues = [];
    for (const _ of regions) {
      const store = await open();
      queues.push({ store, queue: await createResultQueue(store) });
    }
    const tried: Tried = { histories: 0, changes: 0, late: 0, faults: [] };
    for (const played of fc.sample(history, { numRuns, seed })) {
      const { changes, late, faults } = await play(server, queues, played, tried.histories++);
      tried.changes += changes;
      tried.late += late;
      tried.faults.push(...faults.map((fault) => `${fault}\n${JSON.stringify(played)}`));
    }
    return tried;
  } finally {
    for (const database of opened) await database.dispose();
  }
}

interface Server {
  store: Store;
  noteAbsences: (latest: Absences) => void;
  clock: FakeClock;
  project: WatchedProject;
  channel: number;
  take: ReturnType<typeof createTakeResults>;
}

async function startServer(store: Store): Promise<Server> {
  const clock = createFakeClock(begunAt);
  const project = await createWatchedProject(store);
  const quiet = createQuietChecks(steadyTime);
  const record = createOutcomeRecording(store, { renew: steadyTime.renew, quiet, slots: createOpenSlots(store) });
  let absences = noAbsences;
  const take = createTakeResults(
    { clock },
    {
      store,
      recording: () => ({
        observingSince: () => begunAt,
        absences: () => absences,
        record,
        learn: (checks, recorded) => checks.forEach((check, at) => quiet.learn(check, recorded[at]!)),
      }),
      onTransition: () => {},
    },
    { note: () => {} },
  );
  for (const name of regions) {
    const number = await joinRegion(store, name, begunAt);
    await store.db
      .insertInto('probe_token')
      .values({ id: `prb_${name}`, region: number, digest: name, created_at: begunAt })
      .execute();
    const probe = {
      name: storedProbeName(name),
      token: `prb_${name}`,
      region: number,
      version: '1',
      queued: 0,
      oldest_at: null,
    };
    await store.db
      .insertInto('probe')
      .values({ ...probe, first_seen_at: 0, seen_at: begunAt, skew_ms: 0, fault: null })
      .execute();
  }
  const noteAbsences = (latest: Absences) => void (absences = latest);
  return { store, clock, project, channel: await project.addChannel('team'), take, noteAbsences };
}

type Queue = { store: Store; queue: ResultQueue };

/**
 * Plays a history with a new monitor. Returns how often the status changed, how many arrivals were late, and the faults
 * that were found.
 */
async function play(server: Server, queues: readonly Queue[], played: History, number: number) {
  const { store, clock, project, channel } = server;
  const start = clock.now();
  const id = `m${number}`;
  const names = [...regions];
  const monitor = await project.addMonitor(id, { interval: 60, regions: names });
  await store.db
    .updateTable('monitor_state')
    .set({ watched_since: start, since: start, rolled_up_until: start })
    .where('monitor', '=', monitor)
    .execute();
  await project.addRule(id, { monitors: [monitor], channels: [channel] });
  const arrivals: Arrival[] = [];
  let late = 0;
  for (const step of timeline(played)) {
    clock.jump(Math.max(0, start + step.at - clock.now()));
    if (step.do === 'start') {
      const node = { name: 'serve:default', region: 0, roles: allRoles };
      const { noted } = await recordAbsence(store, node, { from: start + step.since, to: start + step.at });
      server.noteAbsences(noted);
      continue;
    }
    const { store: ownStore, queue } = queues[step.region]!;
    if (step.do === 'check') {
      const result = checked(monitor, { at: start + step.at, failed: step.failed });
      await ownStore.write((trx) => queue.add(trx, [result]), { durable: false });
      continue;
    }
    const name = names[step.region]!;
    const results = await queue.next();
    if (results.length === 0) continue;
    arrivals.push({
      now: clock.now(),
      region: name,
      results: results.map(({ at, verdict }) => ({ at, failed: verdict === 'down' })),
    });
    const caller = { id: `prb_${name}`, region: await regionOf(store, name) };
    const { applied, ignored } = await server.take(caller, {
      protocol: probeProtocol,
      probe: name,
      run: null,
      results,
    });
    if (ignored > 0) throw new Error(`The server ignored ${ignored} results.`);
    if (results.some(({ at }) => at < clock.now() - 3 * intervalMs)) late++;
    if (arrivals.length % played.lostEvery !== 0) await queue.drop(applied);
  }
  // A dead probe leaves results in its queue.
  for (const { queue } of queues)
    for (let left; (left = (await queue.next()).at(-1)) !== undefined;) await queue.drop(left.seq);
  // This jump is so long that the stop of this history does not matter in the next history.
  clock.jump(20 * intervalMs);
  const stop = stopOf(played);
  const times = stop && { from: start + stop.since, until: start + stop.at };
  const faults = await compareHistory(store, { monitor, arrivals, start, stop: times });
  const changes = statusChanges(names, arrivals, { begunAt: start, intervalMs, stop: times }).length;
  return { changes, late, faults };
}

type Step =
  | ({ at: number; region: number } & ({ do: 'check'; failed: boolean } | { do: 'send' }))
  | { do: 'start'; since: number; at: number };

/** Returns the steps of a history in order. Times are milliseconds since the history began. */
function timeline(played: History): Step[] {
  const { outages, errors, cuts: ownCuts, stop, deaths, delays } = played;
  const steps: Step[] = [];
  const cuts = [...ownCuts, ...(stop ? regions.map((_, number) => ({ region: number, ...stop })) : [])];
  const stopped = stopOf(played);
  if (stopped) steps.push({ do: 'start', ...stopped });
  const deathOf = (region: number) =>
    Math.min(...deaths.filter((death) => death.region === region).map(({ round }) => round));
  for (const [region] of regions.entries())
    for (let round = 0; round < Math.min(rounds, deathOf(region)); round++) {
      const at = round * intervalMs + region * 11_000 + 500;
      const isOut = outages.some(
        ({ from, length, regions: seen }) => round >= from && round < from + length && seen.includes(region),
      );
      const isError = errors.some((one) => one.region === region && one.round === round);
      steps.push({ do: 'check', at, region, failed: isOut !== isError });
      const sentAt = at + (delays[region] ?? 0) * 1000 + 50;
      if (sentAt < deathOf(region) * intervalMs && !isCut(cuts, region, sentAt))
        steps.push({ do: 'send', at: sentAt, region });
    }
  for (const { region, from, length } of cuts) {
    const healedAt = (from + length) * intervalMs + 7000;
    if (healedAt < deathOf(region) * intervalMs && !isCut(cuts, region, healedAt))
      steps.push({ do: 'send', at: healedAt, region });
  }
  // Long after the last round, each probe that is not dead sends the results that it still has.
  for (const [region] of regions.entries()) {
    if (deathOf(region) < Infinity) continue;
    const at = (rounds + 12) * intervalMs + region * 1000;
    steps.push({ do: 'send', at, region }, { do: 'send', at: at + 100, region });
  }
  return steps.toSorted((one, other) => one.at - other.at);
}

/** Returns when the server stops and when it starts again, in milliseconds since the history began. */
function stopOf({ stop }: History): { since: number; at: number } | null {
  if (!stop) return null;
  const since = stop.from * intervalMs;
  return { since, at: since + stop.length * intervalMs + 6000 };
}

const isCut = (cuts: History['cuts'], region: number, at: number) =>
  cuts.some(
    (cut) => cut.region === region && at >= cut.from * intervalMs && at < (cut.from + cut.length) * intervalMs + 7000,
  );

const checked = (monitor: number, { at, failed }: { at: number; failed: boolean }): QueuedResult => ({
  monitor,
  generation: 1,
  begun: at,
  at,
  verdict: failed ? 'down' : 'up',
  over: false,
  error: failed ? { code: 'timeout', message: 'no answer' } : null,
  responseTime: 5,
  statusCode: null,
  timings: null,
  certificate: null,
});

const regionOf = async (store: Store, name: string): Promise<number> =>
  (await store.db.selectFrom('region').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id;
