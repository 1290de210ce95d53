import { sql, type Transaction } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import {
  begunAt,
  createWatchedProject,
  minute,
  monitorFields,
  type WatchedProject,
} from '../testing/watched-project.ts';
import { endWindow } from '../lifecycle/end-window.ts';
import { judgeHeartbeat } from '../recording/judge-heartbeat.ts';
import { changeMonitor, removeMonitors } from '../lifecycle/monitor-life.ts';
import { createCheckRecording } from '../testing/record-check.ts';
import { reviewAlerts } from './review-alerts.ts';

type Work = (trx: Transaction<Tables>) => Promise<unknown>;

interface Write {
  durable: boolean;
  work: (store: Store) => Work;
}

/** Only PostgreSQL lets two daemons write at once. On SQLite, transactions run one after another. */
describe.each(databases.filter(({ name }) => name === 'postgres'))('two writes at once on $name', ({ open }) => {
  let database: TestDatabase;
  let other: Store;
  let project: WatchedProject;
  let [shop, chat, rule] = [0, 0, 0];
  beforeEach(async () => {
    database = await open();
    other = await database.openAnother();
    project = await createWatchedProject(database.store);
    shop = await project.addMonitor('shop');
    chat = await project.addChannel('chat');
    rule = await project.addRule('rule', { monitors: [shop], channels: [chat] });
  });
  afterEach(() => database.dispose());

  /**
   * A write that records the result of a check. Its transaction is not durable, so it runs under `read committed`: its
   * reads also see rows that other transactions commit meanwhile.
   */
  const outcome = (at: number, failed: boolean, more: object = {}): Write => ({
    durable: false,
    work: (store: Store) => (trx: Transaction<Tables>) =>
      createCheckRecording(store)(trx, project.finished(shop, at, failed ? 'timeout' : null, more)),
  });
  const edit = (work: Work): Write => ({ durable: true, work: () => work });

  /**
   * Runs two transactions so that both read before either commits. The second transaction begins when the first has
   * done everything except its commit. When the second transaction waits for a lock, the first one commits.
   */
  async function meet(first: Write, second: Write): Promise<void> {
    const done = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const one = database.store.write(
      async (trx) => {
        await first.work(database.store)(trx);
        done.resolve();
        await go.promise;
      },
      { durable: first.durable },
    );
    await Promise.race([done.promise, one]);
    const two = other.write(second.work(other), { durable: second.durable });
    await vi.waitFor(async () => {
      const { rows } = await sql`select 1 from pg_locks where not granted`.execute(database.store.db);
      expect(rows).not.toEqual([]);
    }, 10_000);
    go.resolve();
    await Promise.all([one, two]);
  }
  /**
   * Defines two tests: one in which the first write of the pair begins first, and one in which the second write begins
   * first.
   */
  const inBothOrders = (name: string, pair: () => [Write, Write], proof: () => Promise<void>) => {
    it(name, async () => {
      const [first, second] = pair();
      await meet(first, second);
      await proof();
    });
    it(`${name}, also if the second write begins first`, async () => {
      const [first, second] = pair();
      await meet(second, first);
      await proof();
    });
  };
  const openAlerts = async () => (await project.alerts()).filter((line) => line.endsWith('-'));

  inBothOrders(
    'if a check fails while the rule is deleted, no alert stays open',
    () => [
      outcome(1, true),
      edit(async (trx) => {
        await trx.deleteFrom('rule').where('seq', '=', rule).execute();
        await reviewAlerts(trx, shop, { at: begunAt + minute });
      }),
    ],
    async () => expect(await openAlerts()).toEqual([]),
  );

  inBothOrders(
    'if a check fails while its monitor is paused, no alert stays open',
    () => [
      outcome(1, true),
      edit(async (trx) => {
        const before = monitorFields({ name: 'shop' });
        await changeMonitor(trx, { seq: shop, before, after: { ...before, paused: true }, now: begunAt + minute });
      }),
    ],
    async () => {
      expect(await openAlerts()).toEqual([]);
      const state = await database.store.db.selectFrom('monitor_state').select('status').execute();
      expect(state).toEqual([{ status: 'paused' }]);
    },
  );

  inBothOrders(
    'if a check fails while its monitor is removed, no alert stays open',
    () => [outcome(1, true), edit((trx) => removeMonitors(trx, [shop], begunAt + minute))],
    async () => expect(await openAlerts()).toEqual([]),
  );

  describe('with an alert that opened before a maintenance window', () => {
    let window = 0;
    beforeEach(async () => {
      await database.store.write(outcome(1, true).work(database.store));
      window = await project.addWindow([shop], begunAt + 2 * minute, begunAt + 4 * minute);
    });
    inBothOrders(
      'if the window ends while a recovery inside the window is recorded, the alert resolves',
      () => [outcome(3, false), edit((trx) => endWindow(trx, window, begunAt + 4 * minute))],
      async () => {
        expect(await project.alerts()).toEqual(['rule shop chat monitor_down 1-3']);
        expect(await project.outbox()).toEqual(['alarm shop to chat at 1', expect.stringContaining('recovery')]);
      },
    );
  });

  describe('with a heartbeat', () => {
    let job = 0;
    beforeEach(async () => {
      job = await project.addMonitor('job', { type: 'heartbeat', interval: 60, gracePeriod: 0 });
    });
    it('two daemons that notice a silence at the same time begin only one outage', async () => {
      const judged = edit((trx) => judgeHeartbeat(trx, job, begunAt + 2 * minute));
      await meet(
        judged,
        edit((trx) => judgeHeartbeat(trx, job, begunAt + 2 * minute)),
      );
      expect(await database.store.db.selectFrom('outage').select('monitor').execute()).toEqual([{ monitor: job }]);
    });
    inBothOrders(
      'if a rule begins to watch the heartbeat while a silence is recorded, only one alarm is sent',
      () => [
        edit((trx) => judgeHeartbeat(trx, job, begunAt + 2 * minute)),
        edit(async (trx) => {
          await trx.insertInto('rule_monitor').values({ rule, monitor: job, position: 1 }).execute();
          await reviewAlerts(trx, job, { at: begunAt + 2 * minute });
        }),
      ],
      async () => {
        expect(await project.alerts()).toEqual(['rule job chat monitor_down 2-']);
        expect(await project.outbox()).toEqual(['alarm job to chat at 2']);
      },
    );
  });

  it('if failures of two of three regions are recorded at the same time, an alert opens', async () => {
    const regions = Object.fromEntries(
      [1, 2, 3].map((region) => [region, { at: null, failed: false, round: 'due', began: null }]),
    );
    await database.store.db
      .updateTable('monitor_state')
      .set({ regions: JSON.stringify(regions) })
      .execute();
    await meet(outcome(1, true, { region: 1 }), outcome(1, true, { region: 2 }));
    expect(await project.alerts()).toEqual(['rule shop chat monitor_down 1-']);
  });

  it('after 120 simultaneous writes, reviews find nothing to change, and no monitor that is up has an open alert', async () => {
    const monitors = [shop, await project.addMonitor('blog'), await project.addMonitor('mail')];
    await database.store.db
      .insertInto('rule_monitor')
      .values(monitors.slice(1).map((monitor, at) => ({ rule, monitor, position: at + 1 })))
      .execute();
    const stores = [database.store, other];
    const work = Array.from({ length: 120 }, (_, step): Promise<unknown> => {
      const store = stores[step % 2] as Store;
      const monitor = monitors[step % 3] as number;
      const at = step + 1;
      if (step % 10 === 9)
        return store.write(async (trx) => {
          const enabled = step % 20 === 9 ? 0 : 1;
          await trx.updateTable('rule').set({ enabled, consecutive_failures: 1 }).where('seq', '=', rule).execute();
          for (const one of monitors) await reviewAlerts(trx, one, { at: begunAt + at * minute });
        });
      const check = project.finished(monitor, at, (step * 7) % 5 < 3 ? 'timeout' : null);
      return store.write((trx) => createCheckRecording(store)(trx, check), { durable: false });
    });
    await Promise.all(work);
    const left = [await project.alerts(), await project.outbox()];
    for (const monitor of monitors) await project.review(monitor, 200);
    expect([await project.alerts(), await project.outbox()]).toEqual(left);
    const down = await database.store.db
      .selectFrom('monitor_state')
      .innerJoin('alert', 'alert.monitor', 'monitor_state.monitor')
      .select('monitor_state.status')
      .where('alert.resolved_at', 'is', null)
      .execute();
    expect(down.filter(({ status }) => status !== 'down')).toEqual([]);
    expect(left[0]?.length).toBeGreaterThan(3);
  });
});
