import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginWaiting, lookAgain, nextLookMs, outcomeOf, type Seen } from './gate.ts';

const seen = (change: Partial<Seen> = {}): Seen => ({
  id: 'mon_1',
  key: null,
  name: 'Shop',
  type: 'http',
  status: 'up',
  interval: 60,
  lastCheckedAt: '2026-01-01T00:00:00.000Z',
  ...change,
});
const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const goal = { until: 'up', confirm: 2 } as const;

test('only results that arrive after the wait began confirm the status, and each result is counted once', () => {
  let waiting = beginWaiting([seen()], goal);
  expect(outcomeOf(waiting)).toBe('waiting');
  waiting = lookAgain(waiting, [seen()], goal);
  expect(waiting[0]!.confirmed).toBe(0);
  for (const second of [1, 1, 2]) waiting = lookAgain(waiting, [seen({ lastCheckedAt: at(second) })], goal);
  expect(waiting[0]).toMatchObject({ confirmed: 2, reached: true });
  expect(outcomeOf(waiting)).toBe('reached');
});

test('a read with another status restarts the count of confirming results', () => {
  let waiting = beginWaiting([seen()], goal);
  waiting = lookAgain(waiting, [seen({ lastCheckedAt: at(1) })], goal);
  waiting = lookAgain(waiting, [seen({ lastCheckedAt: at(2), status: 'down' })], goal);
  waiting = lookAgain(waiting, [seen({ lastCheckedAt: at(3) })], goal);
  expect(waiting[0]).toMatchObject({ confirmed: 1, reached: false });
});

test('a wait ends only when all monitors have the wanted status at the same time', () => {
  const once = { until: 'up', confirm: 0 } as const;
  const both = (a: Seen['status'], b: Seen['status']) => [seen({ status: a }), seen({ id: 'mon_2', status: b })];
  let waiting = beginWaiting(both('up', 'down'), once);
  waiting = lookAgain(waiting, both('down', 'up'), once);
  expect(outcomeOf(waiting)).toBe('waiting');
  expect(outcomeOf(lookAgain(waiting, both('up', 'up'), once))).toBe('reached');
});

test('the status of a heartbeat needs no confirming results, because it has no checks', () => {
  expect(outcomeOf(beginWaiting([seen({ type: 'heartbeat' })], goal))).toBe('reached');
});

test('a deleted or paused monitor ends the wait', () => {
  const waiting = beginWaiting([seen()], goal);
  expect(outcomeOf(lookAgain(waiting, [], goal))).toBe('gone');
  expect(outcomeOf(lookAgain(waiting, [seen({ status: 'paused' })], goal))).toBe('paused');
});

test('a wait reads the server every one to five seconds, and less often if each read needs several requests', () => {
  const next = (intervals: readonly number[]) =>
    nextLookMs(
      beginWaiting(
        intervals.map((interval, id) => seen({ id: `mon_${id}`, interval })),
        goal,
      ),
    );
  expect([next([1]), next([9, 60]), next([600])]).toEqual([1000, 3000, 5000]);
  expect(next(Array.from({ length: 2500 }, () => 60))).toBe(15_000);
});

/** Generates what one read of a monitor returns: its status, and whether it has a new result. */
const anyLook = fc.record({
  status: fc.constantFrom<Seen['status']>('up', 'down', 'pending'),
  isNew: fc.boolean(),
});

test('a wait is over when enough results in a row, all newer than the start of the wait, have the wanted status', () => {
  fc.assert(
    fc.property(fc.array(anyLook, { maxLength: 12 }), fc.integer({ min: 0, max: 3 }), (looks, confirm) => {
      const wanted = { until: 'up', confirm } as const;
      let waiting = beginWaiting([seen({ status: 'down' })], wanted);
      let second = 0;
      for (const [i, { status, isNew }] of looks.entries()) {
        if (isNew) second++;
        waiting = lookAgain(waiting, [seen({ status, lastCheckedAt: at(second) })], wanted);
        const lastOther = looks.slice(0, i + 1).findLastIndex((one) => one.status !== 'up');
        const results = looks.slice(lastOther + 1, i + 1).filter((one) => one.isNew).length;
        expect(outcomeOf(waiting)).toBe(status === 'up' && results >= confirm ? 'reached' : 'waiting');
      }
    }),
  );
});

test('the next read begins after one to five seconds, for any intervals of the monitors', () => {
  const interval = fc.integer({ min: 1, max: 86_400 });
  fc.assert(
    fc.property(fc.array(interval, { minLength: 1, maxLength: 20 }), (intervals) => {
      const monitors = intervals.map((each, id) => seen({ id: `mon_${id}`, interval: each }));
      const next = nextLookMs(beginWaiting(monitors, goal));
      expect(next).toBeGreaterThanOrEqual(1000);
      expect(next).toBeLessThanOrEqual(5000);
      expect(next).toBeLessThanOrEqual(Math.max(1000, (Math.min(...intervals) * 1000) / 3));
    }),
  );
});
