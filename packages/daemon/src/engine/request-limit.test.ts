import { expect, it } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { requestedPerMinute, requestedAtOnce, createRequestLimit } from './request-limit.ts';
import { createCheckSlots } from './check-slots.ts';

const limitOf = (clock: ReturnType<typeof createFakeClock>, byMinute = true) => {
  const slots = createCheckSlots({ most: () => 100 });
  return { slots, request: createRequestLimit({ clock, slots, byMinute }) };
};

it('a project may request a few checks at once, and the error for a further request names the limit', () => {
  const { request } = limitOf(createFakeClock());
  const ends = Array.from({ length: requestedAtOnce }, () => request('greedy'));
  expect(() => request('greedy')).toThrow(`the limit is ${requestedAtOnce}. Try again in 1 s.`);
  request('other')();
  ends[0]!();
  request('greedy')();
});

it('a project may request a limited number of checks in a minute, and the error for a further request says how long to wait', async () => {
  const clock = createFakeClock();
  const { request } = limitOf(clock);
  for (let sent = 0; sent < requestedPerMinute; sent++) request('greedy')();
  expect(() => request('greedy')).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 1 }));
  request('other')();
  await clock.advance(1000);
  request('greedy')();
  expect(() => request('greedy')).toThrow(`within a minute; the limit is ${requestedPerMinute}.`);
});

it('a project may request any number of checks in a minute if `byMinute` is false', () => {
  const { request } = limitOf(createFakeClock(), false);
  for (let sent = 0; sent < 3 * requestedPerMinute; sent++) request('ours')();
});

it('a project may not request a check while it uses its share of all running checks', () => {
  const { request, slots } = limitOf(createFakeClock());
  for (let running = 0; running < 50; running++) slots.begin('greedy');
  expect(() => request('greedy')).toThrow(
    'has 50 running checks, which is its share of this server. Try again in 5 s.',
  );
  request('other')();
});
