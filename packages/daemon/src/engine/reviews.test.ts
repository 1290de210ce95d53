import type { Transaction } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { maxAlertsAtOnce } from '../alerting/review-alerts.ts';
import { judgeHeartbeat } from '../recording/judge-heartbeat.ts';
import { reviewRule } from '../resources/alert-rules/review-rule.ts';
import type { Tables } from '../store/tables.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { createCheckRecording, type RecordCheck } from '../testing/record-check.ts';
import { begunAt, createWatchedProject, minute, type WatchedProject } from '../testing/watched-project.ts';
import { startExpiries } from './expiries.ts';
import type { Loop } from './loop.ts';
import { startReviews } from './reviews.ts';

const log = { debug() {}, info() {}, warn() {}, error: vi.fn<(fields: object, message: string) => void>() };
/** Number of channels of the rule. One transaction cannot write alerts for so many. */
const channelCount = maxAlertsAtOnce + 4;

describe.each(databases)('the loop for reviews, with more alerts than one transaction writes, on $name', ({ open }) => {
  let database: TestDatabase;
  let project: WatchedProject;
  let record: RecordCheck;
  let clock: FakeClock;
  let shop: number;
  let rule: number;
  let loops: Loop[];
  beforeEach(async () => {
    database = await open();
    project = await createWatchedProject(database.store);
    record = createCheckRecording(database.store);
    clock = createFakeClock(begunAt + minute);
    shop = await project.addMonitor('shop', { url: 'https://example.com/' });
    loops = [];
  });
  afterEach(async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
    await database.dispose();
    expect(log.error).not.toHaveBeenCalled();
  });

  const write = <T>(work: (trx: Transaction<Tables>) => Promise<T>) => database.store.write(work);
  const watch = async (monitor: number) => {
    const channels = [];
    for (let at = 0; at < channelCount; at++) channels.push(await project.addChannel(`many${at}`));
    rule = await project.addRule('wide', { monitors: [monitor], channels });
  };
  const fail = () => write((trx) => record(trx, project.finished(shop, 1, 'http_status')));
  const review = () => loops.push(startReviews({ clock, log }, database.store));
  /**
   * Expects all alarms to be queued within five seconds. After each second, waits until `resting` loops are idle.
   */
  const expectAlarms = async (resting = 1) => {
    for (let second = 0; second < 5; second++) {
      await clock.advance(1000);
      await vi.waitFor(() => expect(clock.waiting()).toBe(resting), { timeout: 20_000, interval: 1 });
    }
    expect(await project.outbox()).toHaveLength(channelCount);
  };

  test('the loop for reviews opens all alerts of the outage, even while a registry does not answer', async () => {
    await watch(shop);
    let asked = false;
    const ask = (_: string, signal?: AbortSignal) => {
      asked = true;
      return new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(new Error('It stops.'))));
    };
    const expiries = startExpiries({ clock, log: { ...log, error() {} } }, database.store, ask);
    loops.push(expiries);
    await vi.waitFor(
      async () => {
        await clock.advance(1000);
        expect(asked).toBe(true);
      },
      { timeout: 20_000, interval: 1 },
    );
    review();
    await fail();
    await expectAlarms();
  });

  test('the loop for reviews opens all alerts of the outage, even if a registry answers between two transactions', async () => {
    await watch(shop);
    await fail();
    const answer = { expiresAt: null, registrar: null, error: null, unsupported: false };
    loops.push(startExpiries({ clock, log }, database.store, async () => answer));
    const answered = () =>
      database.store.db
        .selectFrom('domain_registration')
        .select('name')
        .where('checked_at', 'is not', null)
        .executeTakeFirst();
    await vi.waitFor(
      async () => {
        await clock.advance(1000);
        expect(await answered()).toBeDefined();
      },
      { timeout: 20_000, interval: 1 },
    );
    review();
    await expectAlarms(2);
  });

  test('the loop for reviews opens all alerts of the outage, even if the rule is edited between two transactions', async () => {
    await watch(shop);
    await fail();
    await write((trx) =>
      reviewRule(trx, { rule, trigger: 'monitor_down', monitors: [shop], now: begunAt + minute + 1 }),
    );
    review();
    await expectAlarms();
  });

  test('the loop for reviews opens all alerts of the outage soon, even if the daemon is killed between two transactions and the clock is set back', async () => {
    const job = await project.addMonitor('job', { type: 'heartbeat', interval: 60, gracePeriod: 0 });
    await watch(job);
    await write((trx) => judgeHeartbeat(trx, job, begunAt + 10 * minute));
    expect((await project.outbox()).length).toBeLessThan(channelCount);
    clock = createFakeClock(begunAt - 43 * minute);
    review();
    await expectAlarms();
  });
});
