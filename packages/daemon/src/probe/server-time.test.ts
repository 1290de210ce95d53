import { expect, test } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createSteadyClock } from '../steady-clock.ts';
import { createServerTime } from './server-time.ts';

/** Returns the clock of a probe whose machine's clock is off by `skewMs`, after several exchanges with its server. */
function measured(skewMs: number) {
  const machine = createFakeClock();
  const clock = createSteadyClock(machine);
  const serverTime = createServerTime(clock);
  expect(serverTime.skewMs()).toBeNull();
  const serverNow = () => machine.now() - skewMs;
  for (let exchange = 0; exchange < 8; exchange++)
    serverTime.measure({ now: serverNow(), keptMs: 0 }, clock.monotonicMs());
  return { clock, serverTime, serverNow };
}

test.each([-1_800_000, -1500, 0, 90_000, 3_500_000])(
  'a clock that is off by %i ms is corrected, and checks get verdicts',
  (skewMs) => {
    const { clock, serverTime, serverNow } = measured(skewMs);
    expect(Math.abs(clock.now() - serverNow())).toBeLessThanOrEqual(100);
    expect(Math.abs(serverTime.skewMs()! - skewMs)).toBeLessThanOrEqual(100);
    expect(serverTime.fault()).toBeNull();
  },
);

test('a clock that is off by more than an hour causes a fault that says by how much, and in which direction', () => {
  expect(measured(7_200_000).serverTime.fault()).toMatch(
    /^The clock of this machine is 2 h ahead of the server's: set it\./,
  );
  expect(measured(-5_400_000).serverTime.fault()).toMatch(
    /^The clock of this machine is 1\.5 h behind the server's: set it\./,
  );
});

test.each([
  [0, 0],
  [-90_000, 90_000],
  [3_500_000, -3_500_000],
  [7_200_000, null],
])('if the clock is off by %i ms, earlyCorrection returns %s', (skewMs, correction) => {
  const early = measured(skewMs).serverTime.earlyCorrection();
  if (correction === null) expect(early).toBeNull();
  else expect(Math.abs(early! - correction)).toBeLessThanOrEqual(100);
});
