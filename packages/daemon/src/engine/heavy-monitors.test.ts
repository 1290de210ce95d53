import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../deps.ts';
import { createSteadyClock } from '../steady-clock.ts';
import { addHeavyMonitors, heavySizes, longestTurn } from '../testing/heavy-monitors.ts';
import { boundTurnMs } from '../testing/bound-ms.ts';
import { neverCalled } from '../testing/never-called.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, silentLog, type TestDaemon } from '../testing/test-daemon.ts';
import { testVault } from '../testing/test-vault.ts';
import { createMonitorLoader } from './load-monitor.ts';
import { watchUnreadableSecrets } from './unreadable-secrets.ts';

describe.each(heavySizes)('with $count monitors of $kilobytes KB', (size) => {
  let daemon: TestDaemon;
  let monitors: number[];
  // This vault has another secret key than the daemon, so it cannot decrypt the bodies.
  const vault = testVault();

  beforeAll(async () => {
    daemon = await createTestDaemon({ runCheck: passingCheck });
    monitors = await addHeavyMonitors(daemon, size);
  });
  afterAll(() => daemon.close());

  test('loading the monitors for their checks blocks the event loop for less than 50 ms at a time', async () => {
    const load = createMonitorLoader(daemon.store, vault);
    expect(await longestTurn(() => load(monitors))).toBeLessThan(boundTurnMs());
    expect([...(await load(monitors)).keys()]).toEqual(monitors);
  });

  test('the search for unreadable secrets blocks the event loop for less than 50 ms at a time', async () => {
    const clock = createSteadyClock(systemClock);
    const warnings: string[][] = [];
    const search = async () => {
      const options = { store: daemon.store, vault, notifier: neverCalled };
      warnings.push(await watchUnreadableSecrets({ log: silentLog, clock }, options).warnings());
    };
    expect(await longestTurn(search)).toBeLessThan(boundTurnMs());
    expect(warnings[0]).toEqual([expect.stringContaining(`secrets of ${size.count} monitor(s)`)]);
  });
});
