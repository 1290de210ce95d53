import { expect, test } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon } from '../testing/test-daemon.ts';

test('an Idempotency-Key is remembered over a restart, for 24 hours and no longer', async () => {
  const clock = createFakeClock();
  const daemon = await createTestDaemon({ clock, runCheck: passingCheck });
  try {
    const headers = { 'idempotency-key': 'a-day' };
    const ask = async () => {
      const answer = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'x' }, { headers });
      return (answer.body as { id: string }).id;
    };
    const first = await ask();
    await daemon.restart();
    clock.setWall(24 * 3_600_000 - 1000);
    expect(await ask()).toBe(first);
    clock.setWall(2000);
    const second = await ask();
    expect(second).not.toBe(first);
    expect(await ask()).toBe(second);
  } finally {
    await daemon.close();
  }
});
