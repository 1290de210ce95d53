import { afterEach, beforeEach, expect, test } from 'vitest';
import { followMove } from '../daemon/follow-move.ts';
import { createStarted, refuseWritesDuringMove } from '../daemon/started.ts';
import { systemClock } from '../deps.ts';
import { migrateToPostgres } from '../move-to-postgres/migrate-to-postgres.ts';
import { maxResults, probeProtocol, type ProbeResult } from '../probe-protocol.ts';
import { createOpenSlots } from '../recording/open-slots.ts';
import { createQuietChecks } from '../recording/quiet-checks.ts';
import { createOutcomeRecording } from '../recording/record-outcome.ts';
import { readMove } from '../store/database-move.ts';
import type { Store } from '../store/store.ts';
import { allResults } from '../testing/all-results.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { steadyTime } from '../testing/record-check.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { begunAt, createWatchedProject, minute } from '../testing/watched-project.ts';
import { nextTurn } from '../wait.ts';
import { storedProbeName } from '../core/probe-name.ts';
import { createTakeResults } from './take-results.ts';
import { noAbsences } from '../core/absence.ts';

const ownName = 'a'.repeat(16);
const name = storedProbeName(ownName);

let database: TestDatabase;
let results: ProbeResult[];
let region: number;

beforeEach(async () => {
  database = await databases.find(({ name }) => name === 'sqlite')!.open();
  const { store } = database;
  const project = await createWatchedProject(store);
  region = project.region;
  const monitors: number[] = [];
  for (let at = 0; at < maxResults; at++) monitors.push(await project.addMonitor(`m${at}`));
  const channels = [await project.addChannel('one'), await project.addChannel('two')];
  await project.addRule('down', { monitors, channels });
  const token = { id: 'prb', region, digest: 'd', created_at: begunAt };
  await store.db.insertInto('probe_token').values(token).execute();
  const times = { first_seen_at: begunAt, seen_at: begunAt };
  await store.db
    .insertInto('probe')
    .values({ name, token: 'prb', region, version: '1.0.0', queued: 0, ...times })
    .execute();
  // The checks end in the reverse order of the monitors' numbers, so that the test can tell the two orders apart.
  results = monitors.toReversed().map((monitor, at) => failed(monitor, at + 1));
});
afterEach(() => database.dispose());

const failed = (monitor: number, seq: number): ProbeResult => ({
  seq,
  monitor,
  generation: 1,
  begun: begunAt + minute,
  at: begunAt + minute,
  verdict: 'down',
  over: false,
  error: { code: 'connect_refused', message: 'refused' },
  responseTime: null,
  statusCode: null,
  timings: null,
  certificate: null,
});

/**
 * Creates the function that stores results. Each read of the clock moves the clock by 1 ms, so that recording seems
 * slow.
 */
function takeInto(
  store: Store,
  onTransition: (monitor: number) => void = () => {},
  refuse: () => void = () => {},
  wallAt = begunAt + minute,
) {
  let now = 0;
  const clock = { ...systemClock, now: () => wallAt, monotonicMs: () => now++ };
  const quiet = createQuietChecks(steadyTime);
  const record = createOutcomeRecording(store, { renew: steadyTime.renew, quiet, slots: createOpenSlots(store) });
  const recording = { record, observingSince: () => begunAt, absences: () => noAbsences, learn: () => {} };
  const options = {
    store,
    recording: () => {
      refuse();
      return recording;
    },
    onTransition: ({ monitor }: { monitor: number }) => onTransition(monitor),
  };
  const take = createTakeResults({ clock }, options, { note: () => {} });
  return () => take({ id: 'prb', region }, { protocol: probeProtocol, probe: ownName, run: null, results });
}

const appliedIn = async ({ db }: Store) =>
  await db.selectFrom('probe').select(['applied', 'applied_at']).where('name', '=', name).executeTakeFirstOrThrow();

test('200 failures are recorded in short transactions, in order, and other work runs between them', async () => {
  const { store } = database;
  const applied: number[] = [];
  const told: number[] = [];
  const ended = new AbortController();
  const look = async () => {
    while (!ended.signal.aborted) {
      const { applied: latest } = await appliedIn(store);
      if (latest !== applied.at(-1)) applied.push(latest);
      await nextTurn();
    }
  };
  const looking = look();
  const answer = await takeInto(store, (monitor) => told.push(monitor))();
  expect(answer).toEqual({ protocol: probeProtocol, applied: maxResults, ignored: 0 });
  ended.abort();
  await looking;

  // Each read of the clock moves it, so a transaction records at most eight checks. So `look` has seen the stored
  // number rise in many steps.
  expect(applied.length).toBeGreaterThan(10);
  const changes = await store.db.selectFrom('status_change').select('monitor').orderBy('id').execute();
  expect(changes.map(({ monitor }) => monitor)).toEqual(results.map(({ monitor }) => monitor));
  expect(told).toEqual(results.map(({ monitor }) => monitor));
  expect(await appliedIn(store)).toEqual({ applied: maxResults, applied_at: begunAt + minute });
});

test('a batch that a crash interrupts between two transactions is stored only once when the probe sends it again', async () => {
  const { store } = database;
  let transactions = 0;
  const dying: Store = {
    ...store,
    write: (work, options) => (++transactions > 3 ? Promise.reject(new Error('killed')) : store.write(work, options)),
  };
  await expect(takeInto(dying)()).rejects.toThrow('killed');
  const { applied, applied_at } = await appliedIn(store);
  expect(applied).toBeGreaterThan(0);
  expect(applied).toBeLessThan(maxResults);
  // The server ignores results from before `applied_at`. Only the last part changes `applied_at`, so the server still
  // accepts the rest of the batch.
  expect(applied_at).toBe(0);
  expect(await store.db.selectFrom('status_change').selectAll().execute()).toHaveLength(applied);

  const again = takeInto(store);
  expect(await again()).toMatchObject({ applied: maxResults, ignored: 0 });
  expect(await again()).toMatchObject({ applied: maxResults, ignored: 0 });
  expect(await store.db.selectFrom('status_change').selectAll().execute()).toHaveLength(maxResults);
  expect(await store.db.selectFrom('delivery').selectAll().execute()).toHaveLength(maxResults * 2);
  expect(await allResults(store)).toHaveLength(maxResults);
});

test('a batch with a result from the future is stored in parts up to that result, and the rest as soon as the clock is right', async () => {
  const { store } = database;
  for (const result of results.slice(150)) result.at += 5 * minute;
  await expect(takeInto(store)()).rejects.toMatchObject({ code: 'unavailable' });
  expect(await appliedIn(store)).toEqual({ applied: 150, applied_at: 0 });
  expect(await allResults(store)).toHaveLength(150);

  const later = takeInto(store, undefined, undefined, begunAt + 6 * minute);
  expect(await later()).toMatchObject({ applied: maxResults, ignored: 0 });
  expect(await store.db.selectFrom('status_change').selectAll().execute()).toHaveLength(maxResults);
  expect(await store.db.selectFrom('delivery').selectAll().execute()).toHaveLength(maxResults * 2);
  expect(await allResults(store)).toHaveLength(maxResults);
});

test('a batch that arrives twice at the same time is stored only once', async () => {
  const { store } = database;
  const take = takeInto(store);
  const answers = await Promise.all([take(), take()]);
  for (const answer of answers) expect(answer).toMatchObject({ applied: maxResults, ignored: 0 });
  expect(await store.db.selectFrom('delivery').selectAll().execute()).toHaveLength(maxResults * 2);
  expect(await allResults(store)).toHaveLength(maxResults);
});

test('if a move closes SQLite between two parts of a batch, SQLite refuses the rest, and PostgreSQL stores it only once', async () => {
  const { store, options } = database;
  await using opened = new AsyncDisposableStack();
  const postgres = await databases.find(({ name }) => name === 'postgres')!.open();
  opened.defer(() => postgres.dispose());
  const calls: string[] = [];
  const follower = followMove({ clock: systemClock, log: silentLog }, store, {
    stopWriting: async () => void calls.push('stop'),
    goOn: async () => void calls.push('go on'),
  });
  opened.defer(() => follower.stop());
  const started = createStarted('');
  started.isMoving = follower.isClosed;
  const [isHeld, isClosed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let transactions = 0;
  const holding: Store = {
    ...store,
    async write(work, given) {
      // The fourth part is the first one that the move refuses.
      if (++transactions === 4) {
        isHeld.resolve();
        await isClosed.promise;
      }
      return store.write(work, given);
    },
  };
  const told: number[] = [];
  const refuse = () => refuseWritesDuringMove(started);
  const refused = expect(takeInto(holding, (monitor) => told.push(monitor), refuse)()).rejects.toMatchObject({
    // The probe repeats the batch after this code.
    code: 'unavailable',
  });
  await isHeld.promise;
  const { applied } = await appliedIn(store);
  expect(applied).toBeGreaterThan(0);
  const print = (line: string) => {
    if (line.startsWith('3/3')) isClosed.resolve();
  };
  await migrateToPostgres({
    clock: systemClock,
    dataDir: options.dataDir,
    installation: 'one',
    sqlite: store,
    postgres: postgres.store,
    served: true,
    print,
    tell: () => {},
    stopping: new AbortController().signal,
  });
  await refused;
  expect(await readMove(store.db)).toMatchObject({ state: 'moved' });
  // SQLite has exactly the parts that it acknowledged, and PostgreSQL has the same.
  for (const each of [store, postgres.store]) {
    expect(await appliedIn(each)).toEqual({ applied, applied_at: 0 });
    expect(await each.db.selectFrom('status_change').selectAll().execute()).toHaveLength(applied);
    expect(await allResults(each)).toHaveLength(applied);
  }
  expect(told).toHaveLength(applied);

  const again = takeInto(postgres.store, (monitor) => told.push(monitor));
  expect(await again()).toMatchObject({ applied: maxResults, ignored: 0 });
  expect(told).toEqual(results.map(({ monitor }) => monitor));
  expect(await postgres.store.db.selectFrom('delivery').selectAll().execute()).toHaveLength(maxResults * 2);
  expect(await allResults(postgres.store)).toHaveLength(maxResults);
  await follower.stop();
  expect(calls).toEqual(['stop']);
});
