import { expect, it } from 'vitest';
import { createRequestLimit, maxRequestedAtOnce } from './request-limit.ts';
import { createCheckSlots } from './check-slots.ts';

const limited = () => {
  const slots = createCheckSlots({ maxChecks: () => 100 });
  return { slots, request: createRequestLimit(slots) };
};

it('a project may request a few checks at once, and the error for a further request names the limit', () => {
  const { request } = limited();
  const ends = Array.from({ length: maxRequestedAtOnce }, () => request('greedy'));
  expect(() => request('greedy')).toThrow(`the limit is ${maxRequestedAtOnce}. Try again in 1 s.`);
  request('other')();
  ends[0]!();
  request('greedy')();
});

it('a project may not request a check while it uses its share of all running checks', () => {
  const { request, slots } = limited();
  for (let running = 0; running < 50; running++) slots.begin('greedy');
  expect(() => request('greedy')).toThrow(
    'has 50 running checks, which is its share of this server. Try again in 5 s.',
  );
  request('other')();
});
