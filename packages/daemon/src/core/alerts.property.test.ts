import { expect, test } from 'vitest';
import { agree, alertMonitors, minute, plainRule, playAlertHistories } from '../testing/alert-histories.ts';
import type { Happening, NaiveMonitor, NaiveWindow } from '../testing/naive-alerts.ts';

/*
 * Each random history is played twice: by the simple model in testing/naive-alerts.ts, and by the functions of core,
 * combined as in `alerting`. Both must send the same messages to every channel. alerts.soak.ts plays 20,000 histories.
 */

const seed = Date.now();

test(`3,000 random histories lead to the same messages as in the naive model (seed ${seed})`, () => {
  for (const count of Object.values(playAlertHistories(3000, seed))) expect(count).toBeGreaterThan(50);
});

test('512 histories of checks around a maintenance window lead to the same messages as in the naive model', () => {
  const [monitor] = alertMonitors as [NaiveMonitor];
  const rule: Happening = {
    at: 0,
    do: 'rule',
    rule: '1',
    to: { ...plainRule, monitors: [monitor.name], channels: ['chat'] },
  };
  const window: NaiveWindow = { monitors: [monitor.name], start: 3 * minute, end: 6 * minute, resolvedAt: null };
  const outcomes = new Set<string>();
  for (let bits = 0; bits < 512; bits++) {
    // One check runs each minute: two before the window, one at its start, two inside it, one at its end, and three
    // after it.
    const checks = Array.from({ length: 9 }, (_, place): Happening[] => {
      const at = (place + 1) * minute;
      const failed = ((bits >> place) & 1) === 1;
      const check = { at, do: 'check', monitor: monitor.name, region: 1, failed } as const;
      return at === window.end ? [{ at, do: 'tick' }, check] : [check];
    });
    const messages = agree([monitor], [rule, { at: 1, do: 'window', window: 'work', to: window }, ...checks.flat()]);
    for (const { at } of messages) expect(at >= window.start && at < window.end).toBe(false);
    outcomes.add(messages.map(({ what }) => what).join(' '));
  }
  expect([...outcomes].toSorted()).toEqual([
    '',
    'alarm',
    'alarm end',
    'alarm end alarm',
    'alarm end alarm end',
    'alarm end alarm end alarm',
    'alarm end alarm end alarm end',
  ]);
});
