import { expect, test } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon } from '../testing/test-daemon.ts';

test('healthz answers 503, with the reason, when the loops stand still', async () => {
  const clock = createFakeClock();
  const daemon = await createTestDaemon({ clock, runCheck: passingCheck });
  try {
    const well = await daemon.request('GET', '/healthz', undefined, { apiKey: null });
    expect(well).toMatchObject({ status: 200, body: { status: 'ok', reason: null } });
    clock.jump(60_000);
    const ill = await daemon.request('GET', '/healthz', undefined, { apiKey: null });
    expect(ill).toMatchObject({ status: 503, body: { status: 'unavailable', reason: expect.any(String) as string } });
  } finally {
    await daemon.close();
  }
});
