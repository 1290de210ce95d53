import { expect, it } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { askedAMinute, askedAtOnce, createAskLimit } from './ask-limit.ts';
import { createCheckSlots } from './check-slots.ts';

const limitOf = (clock: ReturnType<typeof createFakeClock>, byMinute = true) => {
  const slots = createCheckSlots({ most: () => 100 });
  return { slots, ask: createAskLimit({ clock, slots, byMinute }) };
};

it('lets a project ask for a few checks at once, and names the limit', () => {
  const { ask } = limitOf(createFakeClock());
  const ends = Array.from({ length: askedAtOnce }, () => ask('greedy'));
  expect(() => ask('greedy')).toThrow(`the limit is ${askedAtOnce}. Try again in 1 s.`);
  ask('other')();
  ends[0]!();
  ask('greedy')();
});

it('limits how often a project may ask in a minute, and says how long to wait', async () => {
  const clock = createFakeClock();
  const { ask } = limitOf(clock);
  for (let asked = 0; asked < askedAMinute; asked++) ask('greedy')();
  expect(() => ask('greedy')).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 1 }));
  ask('other')();
  await clock.advance(1000);
  ask('greedy')();
  expect(() => ask('greedy')).toThrow(`within a minute; the limit is ${askedAMinute}.`);
});

it('has no limit per minute while throttling is off', () => {
  const { ask } = limitOf(createFakeClock(), false);
  for (let asked = 0; asked < 3 * askedAMinute; asked++) ask('ours')();
});

it('refuses a project that has its share of all running checks', () => {
  const { ask, slots } = limitOf(createFakeClock());
  for (let begun = 0; begun < 50; begun++) slots.begin('greedy');
  expect(() => ask('greedy')).toThrow('has 50 running checks, which is its share of this server. Try again in 5 s.');
  ask('other')();
});
