import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maxResults } from '../probe-protocol.ts';
import { createFakeProbe, type FakeProbe } from '../testing/fake-probe.ts';
import { addHeavyMonitors, heavySizes, longestTurn } from '../testing/heavy-monitors.ts';
import { boundTurnMs } from '../testing/bound-ms.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

describe.each(heavySizes)('with $count monitors of $kilobytes KB', (size) => {
  let daemon: TestDaemon;
  let probe: FakeProbe;
  let monitors: number[];

  beforeAll(async () => {
    daemon = await createTestDaemon({ runCheck: passingCheck });
    const { body } = await daemon.request('POST', '/api/probes', { region: 'eu' }, { cookie: daemon.cookie });
    probe = createFakeProbe(daemon, (body as { token: string }).token);
    await probe.sync();
    monitors = await addHeavyMonitors(daemon, size);
  });
  afterAll(() => daemon.close());

  test('sending the monitors to a probe, and storing their results, blocks the event loop for less than 50 ms at a time', async () => {
    expect(await longestTurn(() => probe.sync())).toBeLessThan(boundTurnMs());
    const results = monitors.slice(0, maxResults).map((monitor) => ({ monitor }));
    expect(
      await longestTurn(async () => {
        expect((await probe.send(results)).status).toBe(200);
      }),
    ).toBeLessThan(boundTurnMs());
  });
});
