import * as fc from 'fast-check';
import { expect } from 'vitest';
import {
  type Happening,
  type NaiveMonitor,
  type NaiveRule,
  type NaiveWindow,
  type SentMessage,
  expectedMessages,
} from './naive-alerts.ts';
import { channels } from './alerted-world.ts';
import { play } from './play-alerts.ts';

export const minute = 60_000;

export const alertMonitors: readonly NaiveMonitor[] = [
  { name: 'one-region', regions: 1, allowedSilenceMs: 0 },
  { name: 'three-regions', regions: 3, allowedSilenceMs: 0 },
  { name: 'heartbeat', regions: 0, allowedSilenceMs: 10 * minute },
];
const names = alertMonitors.map(({ name }) => name);

/**
 * Plays random histories through the functions of `core` (play-alerts.ts) and through the naive model
 * (naive-alerts.ts). Expects the same messages from both. Returns how often each kind of message was sent.
 */
export function playAlertHistories(numRuns: number, seed: number): Record<string, number> {
  const seen = { alarm: 0, reminder: 0, recovered: 0, paused: 0, deleted: 0, unwatched: 0 };
  fc.assert(
    fc.property(fc.array(fc.oneof(...eventful), { minLength: 5, maxLength: 25 }).map(history), (happenings) => {
      for (const { what, why } of agree(alertMonitors, happenings))
        if (what !== 'end') seen[what]++;
        else if (why) seen[why]++;
    }),
    { seed, numRuns },
  );
  return seen;
}

/**
 * Plays a history through the functions of `core` and through the naive model. Expects the same messages from both, and
 * returns them.
 */
export function agree(watched: readonly NaiveMonitor[], happenings: readonly Happening[]): SentMessage[] {
  const order = (messages: readonly SentMessage[]) =>
    messages.toSorted((a, b) => a.step - b.step || key(a).localeCompare(key(b)));
  const real = order(play(watched, happenings));
  const naive = order(expectedMessages(watched, happenings));
  // Compares JSON texts first, because `expect` is slow, and the texts are nearly always equal.
  if (JSON.stringify(real, fields) !== JSON.stringify(naive, fields)) expect(real).toEqual(naive);
  return real;
}

const fields = ['step', 'at', 'what', 'rule', 'monitor', 'channel', 'resolvedAt', 'why', 'recovery'];
const key = ({ monitor, rule, channel }: SentMessage) => `${monitor} ${rule} ${channel}`;

// The commands from which histories are made. Each command adds events to a history.

type Command = (world: {
  now: number;
  rules: Map<number, { id: string; terms: NaiveRule | null; made: number }>;
  windows: Map<string, NaiveWindow>;
}) => Happening[];

export const plainRule: NaiveRule = {
  trigger: 'monitor_down',
  failures: 1,
  enabled: true,
  notifyOnRecovery: true,
  remindEveryMs: null,
  expiryAlerts: true,
  monitors: names,
  channels,
};

const checks = fc
  .record({
    monitor: fc.constantFrom('one-region', 'three-regions'),
    failed: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
    region: fc.integer({ min: 1, max: 3 }),
  })
  .map(
    ({ monitor, failed, region }): Command =>
      (world) =>
        failed.map((one, place) => ({
          at: (world.now += minute),
          do: 'check',
          monitor,
          region: monitor === 'one-region' ? 1 : ((region + place) % 3) + 1,
          failed: one,
        })),
  );
/** A round in which all three regions report the same verdict. */
const round = fc.boolean().map(
  (failed): Command =>
    (world) =>
      [1, 2, 3].map((region) => ({ at: (world.now += minute), do: 'check', monitor: 'three-regions', region, failed })),
);
const beat = fc
  .constantFrom('ping' as const, 'fail' as const, 'look' as const)
  .map((what): Command => ({ now }) => [{ at: now, do: what, monitor: 'heartbeat' }]);
const life = fc
  .record({ what: fc.constantFrom('pause', 'resume', 'retarget', 'rename'), monitor: fc.constantFrom(...names) })
  .map(
    ({ what, monitor }): Command =>
      ({ now }) =>
        what === 'retarget' && monitor === 'heartbeat' ? [] : [{ at: now, do: what as 'pause', monitor }],
  );
const removal = fc.constantFrom(...names).map((monitor): Command => ({ now }) => [{ at: now, do: 'delete', monitor }]);
const wait = fc.integer({ min: 1, max: 12 }).map((minutes): Command => (world) => {
  world.now += minutes * minute;
  return [{ at: world.now, do: 'tick' }];
});
const restart = fc.constant<Command>(({ now }) => [{ at: now, do: 'restart' }]);

const edits: readonly fc.Arbitrary<Partial<NaiveRule>>[] = [
  fc.record({ failures: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ enabled: fc.boolean() }),
  fc.record({ notifyOnRecovery: fc.boolean() }),
  fc.record({ trigger: fc.constantFrom('monitor_down' as const, 'ssl_expired' as const) }),
  fc.record({ monitors: fc.subarray(names) }),
  fc.record({ channels: fc.subarray(channels) }),
];
const ruleEdit = fc
  .record({ slot: fc.integer({ min: 0, max: 1 }), edit: fc.oneof(...edits) })
  .map(({ slot, edit }): Command => ({ now, rules }) => {
    const kept = rules.get(slot);
    const created = !kept?.terms;
    const made = (kept?.made ?? 0) + (created ? 1 : 0);
    const base = kept?.terms ?? { ...plainRule, remindEveryMs: slot === 0 ? null : 7 * minute };
    const rule = { id: `${slot * 1000 + made}`, terms: { ...base, ...edit }, made };
    rules.set(slot, rule);
    return [{ at: now, do: 'rule', rule: rule.id, to: rule.terms }];
  });
const ruleRemoval = fc.integer({ min: 0, max: 1 }).map((slot): Command => ({ now, rules }) => {
  const rule = rules.get(slot);
  if (!rule?.terms) return [];
  rules.set(slot, { ...rule, terms: null });
  return [{ at: now, do: 'rule', rule: rule.id, to: null }];
});

const windowSet = fc
  .record({
    window: fc.constantFrom('work', 'more work'),
    monitors: fc.subarray(names, { minLength: 1 }),
    start: fc.integer({ min: -2, max: 4 }),
    length: fc.integer({ min: 1, max: 12 }),
  })
  .map(({ window, monitors: covered, start, length }): Command => ({ now, windows }) => {
    const to = {
      monitors: covered,
      start: now + start * minute,
      end: now + (start + length) * minute,
      resolvedAt: null,
    };
    windows.set(window, to);
    return [{ at: now, do: 'window', window, to }];
  });
const windowResolve = fc.constantFrom('work', 'more work').map((window): Command => ({ now, windows }) => {
  const kept = windows.get(window);
  if (!kept) return [];
  const to = { ...kept, resolvedAt: now };
  windows.set(window, to);
  return [{ at: now, do: 'window', window, to }];
});

/** Inside a maintenance window, one outage ends and another begins. */
const overhaul = fc.constantFrom('one-region', 'heartbeat').map((monitor): Command => (world) => {
  const to = { monitors: [monitor], start: world.now, end: world.now + 3 * minute, resolvedAt: null };
  world.windows.set('work', to);
  const passed = (world.now += minute);
  const failed = (world.now += minute);
  return [
    { at: to.start, do: 'window', window: 'work', to },
    monitor === 'heartbeat'
      ? { at: passed, do: 'ping', monitor }
      : { at: passed, do: 'check', monitor, region: 1, failed: false },
    monitor === 'heartbeat'
      ? { at: failed, do: 'fail', monitor }
      : { at: failed, do: 'check', monitor, region: 1, failed: true },
  ];
});
/** A rule stops watching all its monitors, and watches them again. */
const rewatch = fc.integer({ min: 0, max: 1 }).map((slot): Command => (world) => {
  const kept = world.rules.get(slot);
  if (!kept?.terms) return [];
  const edit = (to: NaiveRule): Happening => ({ at: (world.now += minute), do: 'rule', rule: kept.id, to });
  return [edit({ ...kept.terms, monitors: [] }), edit(kept.terms)];
});

const eventful: readonly fc.WeightedArbitrary<Command>[] = [
  { weight: 8, arbitrary: checks },
  { weight: 4, arbitrary: round },
  { weight: 5, arbitrary: beat },
  { weight: 3, arbitrary: life },
  { weight: 1, arbitrary: removal },
  { weight: 3, arbitrary: wait },
  { weight: 2, arbitrary: restart },
  { weight: 4, arbitrary: ruleEdit },
  { weight: 1, arbitrary: ruleRemoval },
  { weight: 4, arbitrary: windowSet },
  { weight: 1, arbitrary: windowResolve },
  { weight: 1, arbitrary: overhaul },
  { weight: 1, arbitrary: rewatch },
];

/**
 * Turns commands into a history, with a minute or more between two commands. Adds a `tick` at the end of each
 * maintenance window, because the engine reviews alerts then.
 */
function history(commands: readonly Command[]): Happening[] {
  const world: Parameters<Command>[0] = { now: 0, rules: new Map(), windows: new Map() };
  const happenings: Happening[] = [];
  for (const [slot, terms] of [plainRule, { ...plainRule, failures: 2, remindEveryMs: 7 * minute }].entries()) {
    const rule = { id: `${slot * 1000 + 1}`, terms, made: 1 };
    world.rules.set(slot, rule);
    happenings.push({ at: 0, do: 'rule', rule: rule.id, to: terms });
  }
  for (const command of commands) {
    world.now += minute;
    happenings.push(...command(world));
  }
  const ends = new Set(happenings.flatMap((one) => (one.do === 'window' ? [one.to.end] : [])));
  const looks = [...ends].filter((at) => at <= world.now).map((at): Happening => ({ at, do: 'tick' }));
  return [...looks, ...happenings].toSorted((a, b) => a.at - b.at);
}
