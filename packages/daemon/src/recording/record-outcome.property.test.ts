import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SeenCertificate } from '../checks/check.ts';
import { joinRegion } from '../lifecycle/join-region.ts';
import { changeMonitor } from '../lifecycle/monitor-life.ts';
import type { Store } from '../store/store.ts';
import { databases, type TestDatabaseKind } from '../testing/databases.ts';
import { steadyTime } from '../testing/record-check.ts';
import { begunAt, createWatchedProject, minute, monitorFields } from '../testing/watched-project.ts';
import { createCheckCounting } from './count-checks.ts';
import { createFold, removeFoldedSlot } from './fold-results.ts';
import { createResultMoving } from './move-results.ts';
import { createOpenSlots } from './open-slots.ts';
import { createQuietChecks } from './quiet-checks.ts';
import { recallQuietChecks } from './recall-quiet-checks.ts';
import { createOutcomeRecording, type FinishedCheck } from './record-outcome.ts';

interface Check {
  do: 'check';
  monitor: number;
  region: number;
  verdict: 'up' | 'down' | 'internal';
  requested: boolean;
  overtaken: boolean;
  later: FinishedCheck['later'];
  certificate: boolean;
}
type Event = Check | { do: 'retarget' | 'pause' | 'resume' | 'restart'; monitor: number };

const events = fc.array(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record<Check>({
        do: fc.constant('check'),
        monitor: fc.nat(2),
        region: fc.nat(1),
        verdict: fc.constantFrom('up', 'up', 'up', 'down', 'internal'),
        requested: fc.constantFrom(false, false, false, true),
        overtaken: fc.constantFrom(false, false, false, true),
        later: fc.constantFrom('none', 'none', 'running', 'over'),
        certificate: fc.constantFrom(false, false, true),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom('retarget', 'pause', 'resume', 'restart'), monitor: fc.nat(2) }),
    },
  ),
  { minLength: 10, maxLength: 60 },
);
const [sqlite, postgres] = databases;
/**
 * How many checks each transaction records. The first transaction takes the first number, and so on. After the last
 * number, the numbers are taken again from the first.
 */
const batchSizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 10 });

it(
  'checks that are recorded in batches, with folds and restarts in between, store the same data as checks that are recorded one by one',
  () => compare([sqlite!, sqlite!], 15),
  60_000,
);

it(
  'PostgreSQL, which writes each check to all tables at once, stores the same data as SQLite',
  () => compare([postgres!, postgres!, sqlite!], 3),
  60_000,
);

/**
 * Plays the same events on databases of these kinds, and expects the same data in each. On the first database, each
 * check has its own transaction. On the other databases, checks are recorded in batches.
 */
async function compare([alone, ...together]: TestDatabaseKind[], numRuns: number): Promise<void> {
  const playOn = async ({ open }: TestDatabaseKind, played: readonly Event[], sizes: readonly number[]) => {
    const database = await open();
    try {
      return await play(database.store, played, sizes);
    } finally {
      await database.dispose();
    }
  };
  await fc.assert(
    fc.asyncProperty(events, batchSizes, async (played, sizes) => {
      const expected = await playOn(alone!, played, [1]);
      for (const kind of together) expect(await playOn(kind, played, sizes)).toEqual(expected);
    }),
    { numRuns },
  );
}

/**
 * Plays the events, and records the checks between two edits in batches of these sizes. Resolves with all stored data.
 */
async function play(store: Store, played: readonly Event[], sizes: readonly number[]) {
  const { project, regions, monitors } = await createMonitors(store);
  let process = await startRecording(store);
  const answers: unknown[] = [];
  let waiting: FinishedCheck[] = [];
  let turn = 0;
  const flush = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, sizes[turn++ % sizes.length]);
      const recorded = await store.write((trx) => process.record(trx, batch), { durable: false });
      for (const [at, check] of batch.entries()) process.quiet.learn(check, recorded[at]!);
      answers.push(...recorded);
      // Between two batches, a fold processes one piece of the results.
      if (sizes.length > 1) await process.folds[turn % 2]!.piece(Number.MAX_SAFE_INTEGER);
    }
  };

  for (const [step, event] of played.entries()) {
    const one = monitors[event.monitor]!;
    const at = step / 3;
    if (event.do === 'check') {
      const code = event.verdict === 'up' ? null : 'timeout';
      const check = project.finished(one.seq, at, code, {
        region: regions[event.region]!,
        generation: one.generation,
        requested: event.requested,
        overtaken: event.overtaken,
        later: event.later,
      });
      const certificate = event.certificate ? certificateUntil(begunAt + (step % 4) * 10 * 1440 * minute) : null;
      waiting.push({ ...check, outcome: { ...check.outcome, verdict: event.verdict, certificate } });
      continue;
    }
    await flush();
    if (event.do === 'restart') {
      process = await startRecording(store);
      continue;
    }
    const fields = () => monitorFields({ name: 'x', url: `https://shop${one.url}.example/`, paused: one.paused });
    const before = fields();
    if (event.do === 'retarget') one.url++;
    else one.paused = event.do === 'pause';
    const after = fields();
    await store.write((trx) => changeMonitor(trx, { seq: one.seq, before, after, now: begunAt + at * minute }));
    const { generation } = await store.db
      .selectFrom('monitor')
      .select('generation')
      .where('seq', '=', one.seq)
      .executeTakeFirstOrThrow();
    one.generation = generation;
  }
  await flush();
  for (const fold of process.folds) while (await fold.piece(Number.MAX_SAFE_INTEGER));
  while (await removeFoldedSlot(store));
  expect(await store.db.selectFrom('recent_result').selectAll().execute()).toEqual([]);
  return { answers, alerts: (await project.alerts()).toSorted(), stored: await everythingIn(store, played) };
}

async function createMonitors(store: Store) {
  const project = await createWatchedProject(store);
  const regions = [project.region, await joinRegion(store, 'mars', begunAt)];
  const channel = await project.addChannel('team');
  const monitors = [];
  for (const id of ['a', 'b', 'c'])
    monitors.push({ seq: await project.addMonitor(id), generation: 1, url: 0, paused: false });
  const [watched, ...others] = monitors.map(({ seq }) => seq);
  await project.addRule('all', { monitors: [watched!, ...others], channels: [channel] });
  await project.addRule('later', { monitors: [watched!], channels: [channel], consecutive_failures: 2 });
  return { project, regions, monitors };
}

/** Creates the parts of recording that a start of the daemon creates. */
async function startRecording(store: Store) {
  const quiet = createQuietChecks(steadyTime);
  const slots = createOpenSlots(store);
  await recallQuietChecks(store, quiet);
  const folds = [
    createFold(store, slots, 'counts', createCheckCounting(store)),
    createFold(store, slots, 'results', createResultMoving(store, quiet)),
  ];
  return { quiet, folds, record: createOutcomeRecording(store, { renew: steadyTime.renew, quiet, slots }) };
}

const certificateUntil = (validTo: number): SeenCertificate => ({
  validFrom: begunAt - 1000,
  validTo,
  issuer: 'ca',
  subject: 'shop',
  fingerprint: String(validTo),
  error: null,
});

/** Returns everything that recording stores, without the random ids. */
async function everythingIn(store: Store, played: readonly Event[]) {
  const { db } = store;
  const rows = async (table: 'monitor_state' | 'result' | 'result_detail' | 'check_hour' | 'response_histogram') =>
    (await db.selectFrom(table).selectAll().execute()).map((row) => JSON.stringify(row)).toSorted();
  const changes = await db
    .selectFrom('status_change')
    .select(['monitor', 'at', 'from_status', 'to_status', 'error_code'])
    .orderBy('monitor')
    .orderBy('at')
    .orderBy('id')
    .execute();
  const observed = await db.selectFrom('observed_hour').selectAll().orderBy('monitor').orderBy('period').execute();
  return {
    states: played.some((event) => event.do === 'restart')
      ? withoutTimes(await rows('monitor_state'))
      : await rows('monitor_state'),
    results: await rows('result'),
    details: await rows('result_detail'),
    hours: await rows('check_hour'),
    histogram: await rows('response_histogram'),
    changes,
    observed,
  };
}

/**
 * Removes the times of the latest checks. After a restart, such a time may come from a result that could not change the
 * status, because there was a newer result.
 */
const withoutTimes = (states: readonly string[]) =>
  states.map((state) => state.replace(/"last_checked_at":\d+/, '').replaceAll(/\\"at\\":\d+/g, ''));
