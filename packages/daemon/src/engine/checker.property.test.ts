import type { NormalMonitor } from '@uptime/sdk/contract';
import * as fc from 'fast-check';
import type { Transaction } from 'kysely';
import { expect, it } from 'vitest';
import type { CheckOutcome } from '../checks/check.ts';
import { jitterMs } from '../core/verdict.ts';
import { ServiceError } from '../errors.ts';
import { changeMonitor } from '../lifecycle/monitor-life.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import { createCheckRecording } from '../testing/record-check.ts';
import { databases } from '../testing/databases.ts';
import type { Tables } from '../store/tables.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { passed } from '../testing/passing-check.ts';
import { testVault } from '../testing/test-vault.ts';
import { begunAt, createWatchedProject, monitorFields } from '../testing/watched-project.ts';
import { startChecker } from './checker.ts';
import { createMonitorLoader } from './load-monitor.ts';
import { openSchedule } from './open-schedule.ts';
import { absentUntil } from '../testing/absent-until.ts';

const error = { code: 'timeout', message: 'timeout' } as const;
const outcomes = {
  up: passed,
  down: { ...passed, verdict: 'down', error },
  internal: { ...passed, verdict: 'internal', error: { code: 'internal', message: 'no descriptors' } },
} satisfies Record<string, CheckOutcome>;

type Step =
  | { do: 'wait'; ms: number }
  | { do: 'end'; which: number; verdict: keyof typeof outcomes }
  | { do: 'retarget' | 'pause' | 'resume' | 'checkNow' };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 3500 }) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('end' as const),
        which: fc.nat(20),
        verdict: fc.constantFrom('up', 'down', 'internal', 'up', 'down'),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constantFrom('retarget', 'pause', 'resume', 'resume', 'checkNow') }),
    },
  ),
  { minLength: 5, maxLength: 40 },
);

const interval = 1000;

it('the checker agrees with a naive model and never stops checking, in whatever order overlapping checks end', async () => {
  const database = await databases[0]!.open();
  const { store } = database;
  const project = await createWatchedProject(store);
  const record = createCheckRecording(store);
  let monitors = 0;

  async function play(played: readonly Step[]): Promise<void> {
    const clock = createFakeClock(begunAt);
    const seq = await project.addMonitor(`shop${monitors++}`, { interval: 1, timeout: 120 });
    const errors: unknown[] = [];
    const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => void errors.push(fields) };
    let fields: NormalMonitor = monitorFields({ name: 'shop', interval: 1, timeout: 120 });
    let era = 0;
    let [asked, internals] = [0, 0];
    const recorded: FinishedCheck[] = [];
    /** The start of the latest failed check that counts as a round. */
    let lastRound = -Infinity;
    const checks: {
      era: number;
      at: number;
      over: boolean;
      /** The check's result, once it is recorded. */
      answered: FinishedCheck | null;
      signal: AbortSignal;
      end(found: CheckOutcome): void;
    }[] = [];
    const opened = { region: project.region, observingSince: () => begunAt };
    const { claims, writes } = await openSchedule(store, clock, opened);
    const checker = startChecker(
      { clock, log, random: Math.random },
      {
        loadMonitors: createMonitorLoader(store, testVault()),
        region: project.region,
        claims,
        absences: () => absentUntil(begunAt),
        runCheck: (_, signal) =>
          new Promise((end) => {
            checks.push({ era, at: clock.now(), over: false, answered: null, signal, end });
            signal.addEventListener('abort', () => end(outcomes.internal));
          }),
        record: (check) => {
          recorded.push(check);
          const write = async (trx: Transaction<Tables>) => {
            await record(trx, check, writes);
          };
          return store.write(write, { durable: false });
        },
      },
    );
    const pass = async (ms: number) => {
      for (let gone = 0; gone < ms; gone += 100) await clock.advance(Math.min(100, ms - gone));
    };
    const edit = async (change: object) => {
      const after = monitorFields({ ...fields, ...change });
      await store.write(async (trx) => {
        const config = JSON.stringify(after);
        await trx.updateTable('monitor').set({ config }).where('seq', '=', seq).execute();
        await changeMonitor(trx, { seq, before: fields, after, now: clock.now() });
      });
      fields = after;
    };

    let expected = { status: 'pending', failures: 0 };
    const end = async (check: (typeof checks)[number], verdict: keyof typeof outcomes) => {
      check.over = true;
      const outcome = { ...outcomes[verdict] };
      check.end(outcome);
      await pass(10);
      if (verdict === 'internal') internals++;
      if (verdict === 'internal' || check.era !== era || fields.paused) return;
      const answer = recorded.find((one) => one.outcome === outcome)!;
      check.answered = answer;
      // The nominal start of a check is its due time, unless it really began much later.
      expect(answer.begunAt).toBeLessThanOrEqual(check.at);
      expect(answer.begunAt).toBeGreaterThanOrEqual(check.at - interval / 2);
      const overtaken = checks
        .slice(checks.indexOf(check) + 1)
        .flatMap((later) => (later.answered && later.era === era ? [later.answered] : []))
        .some((later) => !later.requested || (!answer.requested && later.outcome.verdict === 'up'));
      if (overtaken) return;
      if (verdict === 'up') lastRound = -Infinity;
      const isRound = verdict === 'down' && !answer.requested && answer.begunAt >= lastRound + interval - jitterMs;
      if (isRound) lastRound = answer.begunAt;
      expected = { status: verdict, failures: verdict === 'up' ? 0 : expected.failures + (isRound ? 1 : 0) };
    };
    const underWay = () => checks.filter((check) => !check.over && !check.signal.aborted);

    await pass(600);
    for (const step of played) {
      if (step.do === 'wait') await pass(step.ms);
      else if (step.do === 'end') {
        const running = underWay();
        const check = running[step.which % Math.max(1, running.length)];
        if (check) await end(check, step.verdict);
      } else if (step.do === 'checkNow' && !fields.paused) {
        asked++;
        // A ServiceError is expected if the monitor is paused before this check can begin, or if the checker stops.
        void checker.checkNow(seq).catch((failure: unknown) => {
          if (!(failure instanceof ServiceError)) errors.push(failure);
        });
        await pass(60);
      } else if (step.do === 'retarget') {
        era++;
        lastRound = -Infinity;
        expected.failures = 0;
        await edit({ url: `https://shop.example/${era}` });
        await pass(600);
      } else if (step.do === 'pause' && !fields.paused) {
        lastRound = -Infinity;
        expected = { status: 'paused', failures: 0 };
        await edit({ paused: true });
        await pass(60);
      } else if (step.do === 'resume' && fields.paused) {
        era++;
        lastRound = -Infinity;
        expected = { status: 'pending', failures: 0 };
        await edit({ paused: false });
        await pass(600);
      }
      const state = await store.db
        .selectFrom('monitor_state')
        .select(['status', 'failures'])
        .where('monitor', '=', seq)
        .executeTakeFirstOrThrow();
      expect(state).toEqual(expected);
    }

    // The next check must begin, whatever happened before.
    for (let round = 0; round < 3 && !fields.paused; round++) {
      for (const check of underWay()) await end(check, 'up');
      const before = checks.length;
      await pass(2 * interval);
      expect(checks.length).toBeGreaterThan(before);
    }
    const slots = (clock.now() - begunAt) / interval;
    expect(checks.length).toBeLessThanOrEqual(2 + slots + asked + 2 * era + internals);
    for (const check of checks) check.end(passed);
    await pass(200);
    const stopped = checker.stop();
    await pass(600);
    await stopped;
    expect(checker.inFlight()).toBe(0);
    expect(errors).toEqual([]);
    await store.db.deleteFrom('schedule').execute();
  }

  try {
    await fc.assert(fc.asyncProperty(steps, play), { numRuns: 60 });
  } finally {
    await database.dispose();
  }
});
