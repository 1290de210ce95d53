import { describe, expect, test } from 'vitest';
import { type Budget, countInBudgets, type MessagePurpose, usedOf } from './message-budget.ts';

const hour = 3_600_000;
const day = 24 * hour;
const noon = Date.UTC(2026, 0, 31, 12);

const budget = (more: Partial<Budget> = {}): Budget => ({
  level: 'project',
  maxMessages: 8,
  periodMs: day,
  fullAt: 0,
  ...more,
});

/** Counts messages for one purpose until a limit refuses. Returns how many were allowed, and the refusal. */
function countAll(budgets: Budget[], purpose: MessagePurpose, now: number) {
  for (let went = 0; ; went++) {
    const count = countInBudgets(budgets, purpose, now);
    if (!count.ok) return { went, ...count };
    budgets.forEach((one, at) => (one.fullAt = count.fullAt[at]!));
    if (went > 1000) throw new Error('No limit refused.');
  }
}

test('an unused limit allows all its messages at once, and then one message at a time as it refills', () => {
  const budgets = [budget()];
  const { went, until } = countAll(budgets, 'alarm', noon);
  expect(went).toBe(8);
  expect(until).toBe(noon + day / 8);
  expect(countAll(budgets, 'alarm', until - 1).went).toBe(0);
  expect(countAll(budgets, 'alarm', until).went).toBe(1);
  let later = 1;
  for (let at = until; at < noon + day; at += hour) later += countAll(budgets, 'alarm', at).went;
  expect(later).toBe(7);
});

test('a limit refills evenly with time, and not at midnight', () => {
  const budgets = [budget()];
  const midnight = noon + day / 2;
  countAll(budgets, 'alarm', midnight - 1);
  expect(countAll(budgets, 'alarm', midnight + 1).went).toBe(0);
});

test.each([
  ['alarm', 8],
  ['recovery', 6],
  ['reminder', 4],
  ['requested', 4],
] as const)('messages with the purpose %s may use %i of a limit of 8', (purpose, maxMessages) => {
  const budgets = [budget()];
  expect(countAll(budgets, purpose, noon).went).toBe(maxMessages);
  expect(countAll(budgets, 'alarm', noon).went).toBe(8 - maxMessages);
});

test('confirmation codes may use all of their own limit, because that limit counts no alarms', () => {
  expect(countAll([budget({ level: 'codes' })], 'requested', noon).went).toBe(8);
});

test('a limit of one allows one message for any purpose', () => {
  for (const purpose of ['alarm', 'recovery', 'reminder', 'requested'] as const)
    expect(countAll([budget({ maxMessages: 1 })], purpose, noon).went).toBe(1);
});

test('rounding loses no message if the period is not a multiple of the limit', () => {
  for (const maxMessages of [3, 7, 11, 13, 1000]) {
    expect(countAll([budget({ maxMessages })], 'alarm', noon).went).toBe(maxMessages);
  }
});

test('if a limit refuses a message, no limit counts the message, and the result names the limit with the longest wait', () => {
  const tight = budget({ level: 'channel', maxMessages: 2, periodMs: hour });
  const spent = budget({ level: 'account', maxMessages: 2, fullAt: noon + day });
  const count = countInBudgets([spent, tight], 'alarm', noon);
  expect(count).toEqual({ ok: false, by: spent, until: noon + day / 2 });
});

test('for an allowed message, the result contains how many alarms may follow', () => {
  expect(countInBudgets([budget({ maxMessages: 3 }), budget({ maxMessages: 2 })], 'alarm', noon)).toMatchObject({
    ok: true,
    left: 1,
  });
  expect(countInBudgets([], 'alarm', noon)).toEqual({ ok: true, fullAt: [], left: Infinity });
});

test('if a wrong clock stored a time far ahead, the limit counts as used up, and refills within one period', () => {
  const year = 365 * day;
  const wrong = budget({ fullAt: noon + year });
  expect(usedOf(wrong, noon)).toBe(8);
  expect(countInBudgets([wrong], 'alarm', noon)).toMatchObject({ ok: false, until: noon + day / 8 });
});

describe('the limit that all accounts share', () => {
  const server = (used: number) => budget({ level: 'server', maxMessages: 100, fullAt: noon + (used / 100) * day });
  const account = (used: number) => budget({ level: 'account', maxMessages: 1000, fullAt: noon + (used / 1000) * day });

  test('the shared limit allows one account to use half of it, so that the other half remains for other accounts', () => {
    const budgets = [server(0), account(0)];
    expect(countAll(budgets, 'alarm', noon).went).toBe(50);
  });

  test('the shared limit allows a message of an account that sent little, although five others sent as many as they could', () => {
    const shared = server(0);
    for (let other = 0; other < 5; other++) {
      const budgets = [shared, account(0)];
      countAll(budgets, 'alarm', noon);
    }
    expect(countInBudgets([shared, account(0)], 'alarm', noon).ok).toBe(true);
  });

  test('the shared limit allows a refused message after the reported wait, and not 2 ms earlier', () => {
    const budgets = [server(60), account(45)];
    const refused = countInBudgets(budgets, 'alarm', noon);
    if (refused.ok) throw new Error('The message was not refused.');
    expect(countInBudgets(budgets, 'alarm', refused.until).ok).toBe(true);
    expect(countInBudgets(budgets, 'alarm', refused.until - 2).ok).toBe(false);
  });
});
