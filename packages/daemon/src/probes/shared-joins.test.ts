import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bucketOf, versionsToText } from '../core/version-buckets.ts';
import { systemClock } from '../deps.ts';
import { joining } from '../lifecycle/regions.ts';
import { probeProtocol, versionOf } from '../probe-protocol.ts';
import type { Store } from '../store/store.ts';
import { databases } from '../testing/databases.ts';
import { hasOf } from '../testing/fake-probe.ts';
import { probesOf } from '../testing/joined-probes.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, silentLog, type TestDaemon } from '../testing/test-daemon.ts';
import { createSync } from './sync.ts';

describe.each(databases)('while a region gets the monitors that name no regions, on $name', (database) => {
  let daemon: TestDaemon;
  /** The only monitor. It names no regions. */
  let monitor: number;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
    ({ monitor } = await create({}));
  });
  afterAll(() => daemon.close());

  const { join, create } = probesOf(() => daemon);

  /**
   * Creates a region with a probe that already has the monitor. `beforeWork` runs before the first and the last
   * transaction with which the region gets its monitors. Calls wait for this work only `1 / haste` of the usual time.
   */
  const begin = async (
    name: string,
    beforeWork: () => Promise<void>,
    { haste = 1, observingSince = (): number => 0 } = {},
  ) => {
    const { id, ownName } = await join(name);
    const { db } = daemon.store;
    const { id: region } = await db
      .selectFrom('region')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    const row = await db
      .selectFrom('monitor')
      .select(['generation', 'updated_at as updatedAt'])
      .where('seq', '=', monitor)
      .executeTakeFirstOrThrow();
    const version = { monitor, ...row };
    const store: Store = {
      ...daemon.store,
      async write(work, options) {
        // All other transactions of a sync call have options.
        if (options === undefined) await beforeWork();
        return daemon.store.write(work, options);
      },
    };
    const clock = { ...systemClock, after: (ms: number, call: () => void) => systemClock.after(ms / haste, call) };
    const { signal } = new AbortController();
    const vault = { open: () => expect.unreachable() };
    const options = { store, vault, targets: 'all' as const, observingSince, stopping: signal };
    const sync = createSync({ clock, log: silentLog }, options);
    const state = { waitMs: 0, queued: 0, oldestAt: null, skewMs: 0, fault: null, failing: false, leaving: false };
    const call = {
      protocol: probeProtocol,
      probe: ownName,
      run: null,
      joins: true,
      version: '1.0.0',
      sentAt: 0,
      has: await hasOf([{ assignments: [version as never], removed: [] }]),
      versions: [{ bucket: bucketOf(monitor), text: versionsToText(new Map([[monitor, versionOf(version)]])) }],
      ...state,
    };
    return {
      call: () => sync({ id, region }, call, signal),
      hasMonitor: async () => {
        const scheduled = db.selectFrom('schedule').select('monitor').where('region', '=', region);
        const found = await scheduled.where('monitor', '=', monitor).executeTakeFirst();
        return found !== undefined;
      },
      seenAt: async () => {
        const { seen_at: seenAt } = await db
          .selectFrom('region')
          .select('seen_at')
          .where('id', '=', region)
          .executeTakeFirstOrThrow();
        return seenAt;
      },
    };
  };
  const noChange = { assignments: [], unavailable: [], removed: [], ask: [] };

  test('calls of its probes share the work and get answers, and the probes keep their monitors', async () => {
    const held = Promise.withResolvers<void>();
    onTestFinished(() => held.resolve());
    const beforeWork = vi.fn(() => held.promise);
    const region = await begin('slow', beforeWork, { haste: 20 });
    const answers = await Promise.all([region.call(), region.call()]);
    answers.push(await region.call());
    expect(answers).toMatchObject([noChange, noChange, noChange]);
    expect(beforeWork).toHaveBeenCalledTimes(1);
    expect(await region.hasMonitor()).toBe(false);
    held.resolve();
    await vi.waitFor(async () => expect(await region.seenAt()).toBeGreaterThan(joining), 20_000);
    expect(await region.hasMonitor()).toBe(true);
    expect(await region.call()).toMatchObject(noChange);
    expect(beforeWork).toHaveBeenCalledTimes(2);
  });

  test('if the work fails, the call gets the error, and the next call begins the work again', async () => {
    const beforeWork = vi.fn(() => Promise.resolve()).mockRejectedValueOnce(new Error('The disk is full.'));
    const region = await begin('failing', beforeWork);
    await expect(region.call()).rejects.toThrow('The disk is full.');
    expect(await region.call()).toMatchObject(noChange);
    await vi.waitFor(async () => expect(await region.hasMonitor()).toBe(true), 20_000);
  });

  test('if the daemon is still starting, the call gets the error, and the next call begins the work', async () => {
    const observingSince = vi
      .fn(() => 0)
      .mockImplementationOnce(() => {
        throw new Error('The daemon is starting.');
      });
    const region = await begin('early', () => Promise.resolve(), { observingSince });
    await expect(region.call()).rejects.toThrow('The daemon is starting.');
    expect(await region.call()).toMatchObject(noChange);
    await vi.waitFor(async () => expect(await region.hasMonitor()).toBe(true), 20_000);
  });
});
