import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { probeProtocol, type ProbeResult } from '../probe-protocol.ts';
import { createOpenSlots } from '../recording/open-slots.ts';
import { createQuietChecks } from '../recording/quiet-checks.ts';
import { createOutcomeRecording } from '../recording/record-outcome.ts';
import type { Store } from '../store/store.ts';
import { allResults } from '../testing/all-results.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { passedResult } from '../testing/passed-result.ts';
import { steadyTime } from '../testing/record-check.ts';
import { begunAt, createWatchedProject, minute } from '../testing/watched-project.ts';
import { maxHoldMs } from './future-results.ts';
import { storedProbeName } from '../core/probe-name.ts';
import { createTakeResults } from './take-results.ts';
import { noAbsences } from '../core/absence.ts';

const ownName = 'a'.repeat(16);
const name = storedProbeName(ownName);
const hour = 60 * minute;

describe.each(databases)('results from the future on $name', (kind) => {
  let database: TestDatabase;
  let clock: FakeClock;
  let region: number;
  let monitor: number;
  let seq: number;

  beforeEach(async () => {
    database = await kind.open();
    const { store } = database;
    clock = createFakeClock(begunAt);
    const project = await createWatchedProject(store);
    region = project.region;
    monitor = await project.addMonitor('shop');
    seq = 0;
    const token = { id: 'prb', region, digest: 'd', created_at: begunAt };
    await store.db.insertInto('probe_token').values(token).execute();
    const times = { first_seen_at: begunAt, seen_at: begunAt };
    await store.db
      .insertInto('probe')
      .values({ name, token: 'prb', region, version: '1.0.0', queued: 0, ...times })
      .execute();
  });
  afterEach(() => database.dispose());

  /** Returns the function that takes results on a node with this clock. */
  const startNode = (nodeClock: FakeClock) => {
    const { store } = database;
    const quiet = createQuietChecks(steadyTime);
    const record = createOutcomeRecording(store, { renew: steadyTime.renew, quiet, slots: createOpenSlots(store) });
    const recording = { record, observingSince: () => begunAt, absences: () => noAbsences, learn: () => {} };
    const options = { store, recording: () => recording, onTransition: () => {} };
    const take = createTakeResults({ clock: nodeClock }, options, { note: () => {} });
    return (results: ProbeResult[]) =>
      take({ id: 'prb', region }, { protocol: probeProtocol, probe: ownName, run: null, results });
  };
  const resultAt = (at: number): ProbeResult => passedResult(at, { seq: ++seq, monitor, generation: 1 });
  const resultsAt = (...minutes: number[]) => minutes.map((at) => resultAt(begunAt + at * minute));
  const waits = { code: 'unavailable', retryAfterSeconds: 5 };
  const appliedIn = async ({ db }: Store) =>
    await db.selectFrom('probe').select(['applied', 'applied_at']).where('name', '=', name).executeTakeFirstOrThrow();
  const storedMinutes = async () => (await allResults(database.store)).map(({ at }) => (at - begunAt) / minute);

  test('results from the future wait while the clock of the server is 5 minutes behind, and are stored as soon as it is right', async () => {
    const take = startNode(clock);
    await clock.advance(5 * minute);
    const results = resultsAt(4, 5, 6, 7, 8, 9, 10);
    for (let times = 0; times < 2; times++) {
      await expect(take(results)).rejects.toMatchObject(waits);
      // A sync answers with this number, and the probe deletes only the results up to it.
      expect(await appliedIn(database.store)).toEqual({ applied: 2, applied_at: 0 });
      expect(await storedMinutes()).toEqual([4, 5]);
      await clock.advance(5000);
    }
    clock.step(5 * minute);
    for (let times = 0; times < 2; times++) {
      expect(await take(results)).toMatchObject({ applied: 7, ignored: 0 });
      expect(await storedMinutes()).toEqual([4, 5, 6, 7, 8, 9, 10]);
    }
    expect(await appliedIn(database.store)).toEqual({ applied: 7, applied_at: begunAt + 10 * minute });
  });

  test('results that stay in the future for two minutes are ignored, and do not block other results', async () => {
    const take = startNode(clock);
    await clock.advance(minute);
    const results = resultsAt(0.5, 60, 1);
    for (const untilMonoMs = clock.monotonicMs() + maxHoldMs; clock.monotonicMs() < untilMonoMs;) {
      await expect(take(results)).rejects.toMatchObject(waits);
      await clock.advance(5000);
    }
    expect(await take(results)).toMatchObject({ applied: 3, ignored: 1 });
    expect(await storedMinutes()).toEqual([0.5, 1]);
    // Later results from the future are ignored at once.
    expect(await take(resultsAt(61))).toMatchObject({ applied: 4, ignored: 1 });
  });

  test('results from the future wait again after results without a wrong time, or after an hour', async () => {
    const take = startNode(clock);
    const ignoreOne = async () => {
      const result = resultAt(clock.now() + hour);
      await expect(take([result])).rejects.toMatchObject(waits);
      await clock.advance(maxHoldMs);
      expect(await take([result])).toMatchObject({ ignored: 1 });
    };
    await ignoreOne();
    expect(await take([resultAt(clock.now())])).toMatchObject({ ignored: 0 });
    await ignoreOne();
    await clock.advance(hour);
    await ignoreOne();
  });

  test('if there are several nodes, the first node whose two minutes are over ignores results from the future', async () => {
    const [one, other] = [startNode(clock), startNode(clock)];
    const results = resultsAt(0, 600);
    await expect(one(results)).rejects.toMatchObject(waits);
    await clock.advance(maxHoldMs / 2);
    await expect(other(results)).rejects.toMatchObject(waits);
    await clock.advance(maxHoldMs / 2);
    await expect(other(results)).rejects.toMatchObject(waits);
    expect(await one(results)).toMatchObject({ applied: 2, ignored: 1 });
    expect(await other(results)).toMatchObject({ applied: 2, ignored: 0 });
    expect(await storedMinutes()).toEqual([0]);
  });
});
