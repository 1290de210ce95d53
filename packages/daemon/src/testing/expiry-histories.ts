import { deepStrictEqual } from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Happening, NaiveMonitor, NaiveRule, SentMessage } from './naive-alerts.ts';
import { expectedExpiryMessages } from './naive-expiry.ts';
import { channels } from './alerted-world.ts';
import { play } from './play-alerts.ts';

/*
 * Plays random histories of certificates, domains, rules, pauses, deletions and windows twice: with the naive model
 * (naive-expiry.ts), and with the functions of core/alerts.ts, combined as in `alerting` (play-alerts.ts).
 */

const minute = 60_000;
const monitors: readonly NaiveMonitor[] = [
  { name: 'web', regions: 1, allowedSilenceMs: 0 },
  { name: 'mail', regions: 1, allowedSilenceMs: 0 },
  { name: 'host', regions: 3, allowedSilenceMs: 0 },
  { name: 'job', regions: 0, allowedSilenceMs: 10_000 * minute },
];
const names = monitors.map(({ name }) => name);

const rule = (weights: { down: number; other: number }): fc.Arbitrary<NaiveRule> =>
  fc.record({
    trigger: fc.oneof(
      { weight: weights.down, arbitrary: fc.constant('monitor_down' as const) },
      { weight: weights.other, arbitrary: fc.constantFrom('ssl_expired' as const, 'domain_expired' as const) },
    ),
    failures: fc.constant(1),
    enabled: fc.constantFrom(true, true, true, false),
    notifyOnRecovery: fc.boolean(),
    // `history` sets this interval.
    remindEveryMs: fc.constant(null),
    expiryAlerts: fc.constantFrom(true, true, true, false),
    monitors: fc.subarray(names, { minLength: 1 }),
    channels: fc.subarray(channels, { minLength: 1 }),
  });

type Command = (at: number) => Happening;

const commands: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('2030-01-01', '2031-01-01', null)
      .map((expired): Command => (at) => ({ at, do: 'domain', expired })),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ monitor: fc.constantFrom('web', 'mail'), expired: fc.constantFrom('old', 'new', null) })
      .map((to): Command => (at) => ({ at, do: 'certificate', ...to })),
  },
  {
    weight: 6,
    arbitrary: fc
      .record({ rule: fc.constantFrom('1', '2', '3'), to: fc.option(rule({ down: 2, other: 1 }), { freq: 6 }) })
      .map((edit): Command => (at) => ({ at, do: 'rule', ...edit })),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({ what: fc.constantFrom('pause', 'resume'), monitor: fc.constantFrom('web', 'mail', 'host') })
      .map(({ what, monitor }): Command => (at) => ({ at, do: what, monitor })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ what: fc.constantFrom('leave', 'return'), monitor: fc.constantFrom('web', 'mail', 'host') })
      .map(({ what, monitor }): Command => (at) => ({ at, do: what, monitor })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...names).map((monitor): Command => (at) => ({ at, do: 'delete', monitor })),
  },
  { weight: 2, arbitrary: fc.constantFrom('tick', 'restart').map((what): Command => (at) => ({ at, do: what })) },
  {
    weight: 1,
    arbitrary: fc
      .record({ monitors: fc.subarray(names, { minLength: 1 }), length: fc.integer({ min: 1, max: 6 }) })
      .map(({ monitors: covered, length }): Command => (at) => ({
        at,
        do: 'window',
        window: 'work',
        to: { monitors: covered, start: at, end: at + length * minute, resolvedAt: null },
      })),
  },
);

/**
 * Turns rules and commands into a history, with a minute between two commands. Adds a `tick` at the end of each
 * maintenance window, because the engine reviews alerts then.
 */
function history(first: readonly NaiveRule[], drawn: readonly Command[]): Happening[] {
  const start = first.map((to, place): Happening => ({ at: 0, do: 'rule', rule: String(place + 1), to }));
  const rest = drawn.map((command, place) => command((place + 1) * minute));
  const looks = rest
    .flatMap((one) => (one.do === 'window' ? [one.to.end] : []))
    .filter((at) => at <= drawn.length * minute)
    .map((at): Happening => ({ at, do: 'tick' }));
  const paced = [...start, ...rest].map((one): Happening =>
    one.do === 'rule' && one.to
      ? { ...one, to: { ...one.to, remindEveryMs: one.rule === '1' ? null : 5 * minute } }
      : one,
  );
  return [...looks, ...paced].toSorted((a, b) => a.at - b.at);
}

/**
 * Plays `numRuns` random histories, and compares the messages of every channel with those of the naive model. Returns
 * how often each kind of message was sent.
 */
export function playExpiryHistories(numRuns: number, seed: number): Record<string, number> {
  const seen = { alarm: 0, reminder: 0, recovered: 0, deleted: 0, unwatched: 0, paused: 0 };
  const drawn = fc
    .tuple(
      fc.array(rule({ down: 3, other: 1 }), { minLength: 1, maxLength: 2 }),
      fc.array(commands, { minLength: 4, maxLength: 20 }),
    )
    .map(([first, rest]) => history(first, rest));
  fc.assert(
    fc.property(drawn, (happenings) => {
      const real = order(play(monitors, happenings).filter(({ about }) => about !== undefined));
      const naive = order(expectedExpiryMessages(monitors, happenings, channels));
      if (JSON.stringify(real, fields) !== JSON.stringify(naive, fields)) deepStrictEqual(real, naive);
      for (const { what, why } of real)
        if (what !== 'end') seen[what]++;
        else if (why) seen[why]++;
      reportsOnce(real);
    }),
    { seed, numRuns },
  );
  return seen;
}

/**
 * Throws if a channel got a second alarm about the same fault. Only a paging service may get a second alarm, and only
 * if its incident was closed while the fault continued.
 */
function reportsOnce(messages: readonly SentMessage[]): void {
  const open = new Map<string, number>();
  for (const { what, why, channel, about, monitor } of messages) {
    const domain = about?.startsWith('shop.example') === true;
    const key = `${channel} ${about} ${domain ? '' : monitor}`;
    const before = open.get(key) ?? 0;
    if (what === 'alarm' && before > 0) throw new Error(`${key} was reported twice`);
    if (what === 'alarm') open.set(key, 1);
    if (what === 'end' && channel !== 'chat' && why !== 'recovered') open.delete(key);
  }
}

const fields = ['step', 'at', 'what', 'rule', 'monitor', 'channel', 'about', 'resolvedAt', 'why', 'recovery'];
const key = ({ about, channel, monitor }: SentMessage) => `${about} ${channel} ${monitor}`;
const order = (messages: readonly SentMessage[]) =>
  messages.toSorted((a, b) => a.step - b.step || key(a).localeCompare(key(b)));
