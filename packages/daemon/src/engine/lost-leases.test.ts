import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CheckOutcome } from '../checks/check.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import { allResults } from '../testing/all-results.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { passed } from '../testing/passing-check.ts';
import { createCheckRecording } from '../testing/record-check.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { testVault } from '../testing/test-vault.ts';
import { begunAt, createWatchedProject, type WatchedProject } from '../testing/watched-project.ts';
import { type Checker, startChecker } from './checker.ts';
import { createMonitorLoader } from './load-monitor.ts';
import { openSchedule } from './open-schedule.ts';
import { absentUntil } from '../testing/absent-until.ts';

// These tests need PostgreSQL, because on SQLite no other process can take over a check.
const postgres = databases.find(({ name }) => name === 'postgres')!;
const leaseMs = 15_000;

/** A process that runs checks. Its clock stands still until the test moves it. */
interface Node {
  clock: FakeClock;
  /** Ends the checks that the node began. */
  ends: ((outcome: CheckOutcome) => void)[];
  checker: Checker;
  /** The results that the node tried to record. */
  recorded: FinishedCheck[];
  /** How often the node has searched for due checks. */
  looks(): number;
}

describe('a node that is suspended for longer than its leases last', () => {
  let database: TestDatabase;
  let project: WatchedProject;
  let monitor: number;
  let nodes: Node[];

  beforeEach(async () => {
    database = await postgres.open();
    project = await createWatchedProject(database.store);
    monitor = await project.addMonitor('shop', { interval: 60, timeout: 30 });
    nodes = [];
  });
  afterEach(async () => {
    for (const { checker } of nodes) await checker.stop();
    await database.dispose();
  });

  const start = async (beforeLoad: () => Promise<void> = async () => {}): Promise<Node> => {
    const { store } = database;
    const clock = createFakeClock(begunAt);
    const observingSince = () => begunAt;
    const { claims, writes } = await openSchedule(store, clock, { region: project.region, observingSince });
    const loadMonitors = createMonitorLoader(store, testVault());
    const record = createCheckRecording(store);
    const [ends, recorded]: [Node['ends'], FinishedCheck[]] = [[], []];
    let looks = 0;
    const checker = startChecker(
      { clock, log: silentLog, random: Math.random },
      {
        region: project.region,
        claims: {
          ...claims,
          takeDue(look) {
            looks++;
            return claims.takeDue(look);
          },
        },
        absences: () => absentUntil(begunAt),
        async loadMonitors(monitors) {
          const loaded = await loadMonitors(monitors);
          await beforeLoad();
          return loaded;
        },
        runCheck: (_, signal) =>
          new Promise((end) => {
            ends.push(end);
            signal.addEventListener('abort', () => end(passed));
          }),
        async record(check) {
          await store.write((trx) => record(trx, check, writes), { durable: false });
          recorded.push(check);
        },
      },
    );
    const node = { clock, ends, checker, recorded, looks: () => looks };
    nodes.push(node);
    return node;
  };
  /** Starts a node, which claims the due check. The node is suspended after the claim, before the check begins. */
  const startFrozen = async () => {
    const thawed = Promise.withResolvers<void>();
    let hasClaimed = false;
    const frozen = await start(() => {
      hasClaimed = true;
      return thawed.promise;
    });
    await moveUntil(frozen, () => hasClaimed);
    return { frozen, thaw: () => thawed.resolve() };
  };
  const moveUntil = (node: Node, isDone: () => boolean) =>
    vi.waitFor(
      async () => {
        // The test's clock moves more slowly than real time. Otherwise a lease would lapse while the store works.
        await node.clock.advance(1);
        expect(isDone()).toBe(true);
      },
      { timeout: 50_000, interval: 1 },
    );
  const lease = () =>
    database.store.db
      .selectFrom('schedule')
      .select(['lease_until', 'claim', 'next_at'])
      .where('monitor', '=', monitor)
      .executeTakeFirstOrThrow();

  it('a node that was suspended records nothing for a check that another node took over, and does not end the lease of that node', async () => {
    const frozen = await start();
    await moveUntil(frozen, () => frozen.ends.length === 1);
    const other = await start();
    other.clock.jump(leaseMs + 1000);
    await moveUntil(other, () => other.ends.length === 1);
    const held = await lease();

    frozen.clock.jump(leaseMs + 1000);
    frozen.ends[0]!(passed);
    await moveUntil(frozen, () => frozen.recorded.length === 1);
    expect(await allResults(database.store)).toEqual([]);
    expect(await lease()).toEqual(held);

    other.ends[0]!(passed);
    await moveUntil(other, () => other.recorded.length === 1);
    expect(await allResults(database.store)).toHaveLength(1);
    expect((await lease()).lease_until).toBe(0);
  });

  it('a node that was suspended does not begin a check that it claimed before, because another node has claimed that check since', async () => {
    const { frozen, thaw } = await startFrozen();
    const other = await start();
    other.clock.jump(leaseMs + 1000);
    await moveUntil(other, () => other.ends.length === 1);

    frozen.clock.jump(leaseMs + 1000);
    thaw();
    await moveUntil(frozen, () => frozen.checker.idleForMs() > 0);
    expect(frozen.ends).toEqual([]);
  });

  it('a node that was suspended begins a check that it claimed before, if no other node has claimed that check since', async () => {
    const { frozen, thaw } = await startFrozen();
    frozen.clock.jump(leaseMs + 1000);
    thaw();
    await moveUntil(frozen, () => frozen.ends.length === 1);
    frozen.ends[0]!(passed);
    await moveUntil(frozen, () => frozen.recorded.length === 1);
    expect(await allResults(database.store)).toHaveLength(1);
  });

  it('a node that was suspended begins no overlapping check under a lease that it may have lost', async () => {
    await project.addMonitor('slow', { interval: 5, timeout: 30 });
    const frozen = await start();
    await moveUntil(frozen, () => frozen.ends.length === 2);
    const other = await start();
    other.clock.jump(leaseMs + 1000);
    await moveUntil(other, () => other.ends.length === 2);
    const looks = frozen.looks();
    frozen.clock.jump(leaseMs + 1000);
    await moveUntil(frozen, () => frozen.looks() > looks + 1);
    expect(frozen.ends).toHaveLength(2);
  });
});
