import { expect, it } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createClaimsAhead } from './claims-ahead.ts';
import { type HeldLease, leaseMs } from './claims.ts';

const begun = Date.UTC(2026, 5, 1);
const lease = { claim: 1, isSure: () => true };

/** Creates a `ClaimsAhead` on a fake schedule. There, each claim gets the monitor with the next number. */
function createWorld() {
  const clock = createFakeClock(begun);
  const givenBack: number[] = [];
  let monitor = 0;
  const take = async () => ({ claimed: [{ monitor: ++monitor, next_at: begun, project: 'shop', lease }], more: true });
  const giveBack = async (held: readonly HeldLease[]) => void givenBack.push(...held.map((one) => one.monitor));
  return { clock, givenBack, ahead: createClaimsAhead({ clock, claims: { giveBack }, fair: { take } }) };
}

const monitorsOf = ({ claimed }: { claimed: { monitor: number }[] }) => claimed.map(({ monitor }) => monitor);

it('`take` returns the checks that were claimed ahead, and a second `take` claims further checks', async () => {
  const { ahead } = createWorld();
  expect(monitorsOf(await ahead.take())).toEqual([1]);
  ahead.claim(() => []);
  ahead.claim(() => []);
  expect(monitorsOf(await ahead.take())).toEqual([2]);
  expect(monitorsOf(await ahead.take())).toEqual([3]);
});

it('checks that were claimed ahead too long ago are dropped and not given back, as their leases may lapse', async () => {
  const { ahead, clock, givenBack } = createWorld();
  ahead.claim(() => []);
  await clock.advance(leaseMs / 3);
  expect(monitorsOf(await ahead.take())).toEqual([2]);
  ahead.claim(() => []);
  await clock.advance(leaseMs / 3);
  await ahead.giveBack();
  expect(givenBack).toEqual([]);
});

it('checks that were claimed ahead and do not begin are given back', async () => {
  const { ahead, givenBack } = createWorld();
  await ahead.giveBack();
  ahead.claim(() => []);
  await ahead.giveBack();
  expect(givenBack).toEqual([1]);
});
