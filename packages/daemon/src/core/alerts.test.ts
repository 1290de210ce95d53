import { describe, expect, it } from 'vitest';
import {
  expectedMessages,
  type Happening,
  type NaiveMonitor,
  type NaiveRule,
  type SentMessage,
} from '../testing/naive-alerts.ts';
import { play } from '../testing/play-alerts.ts';

/*
 * A timeline has one entry a minute. `x` is a failed check, `.` a passed one, `|` no event. `[` and `]` begin and end a
 * maintenance window at that minute; `{` and `}` are the same for another window. At `look`, the daemon checks whether
 * a heartbeat has been silent for too long. `read` below defines the other entries.
 *
 * The third column lists the messages with their minutes. They go to the channel `chat` unless another channel is
 * named. `5 recovered of 3` means that the message was sent at minute 5, and says that the alert resolved at minute 3.
 */
const timelines: Record<string, [sentence: string, timeline: string, messages: string][]> = {
  'fires once per outage, when the last n rounds failed': [
    ['at the first failed check, if one is enough', '. x x x', '2 alarm'],
    ['not before n failed rounds in a row', 'n=3 . x x . x x', ''],
    ['at the n-th failed round in a row', 'n=3 . x x x x', '5 alarm'],
    ['in each outage', 'x . x .', '1 alarm, 2 recovered, 3 alarm, 4 recovered'],
    ['also for a monitor that was never up', 'x', '1 alarm'],
    ['with a threshold of 100 rounds', `n=100 ${'x '.repeat(101)}`, '101 alarm'],
    ['not after 99 rounds with a threshold of 100', `n=100 ${'x '.repeat(99)}.`, ''],
  ],
  'resolves when the monitor is up again': [
    ['at the first passed check', 'x x . .', '1 alarm, 3 recovered'],
    ['without a message if the rule wants no recovery', 'x quiet .', '1 alarm, 3 recovered quietly'],
    ['not if no alarm was sent', 'n=2 x . x .', ''],
    ['for a channel that was removed from the rule', 'x -chat | .', '1 alarm, 4 recovered'],
    ['for a rule that was disabled', 'x off . x', '1 alarm, 3 recovered'],
  ],
  'resolves at once when its monitor is paused, deleted or no longer watched': [
    ['paused', 'x pause', '1 alarm, 2 paused'],
    ['paused, and down again after that', 'x pause resume x', '1 alarm, 2 paused, 4 alarm'],
    ['paused before the threshold: the count of failures starts again', 'n=2 x pause resume x x', '6 alarm'],
    ['deleted', 'x delete', '1 alarm, 2 deleted'],
    ['removed from the rule', 'x -web', '1 alarm, 2 unwatched'],
    ['watched by a rule that gets another trigger', 'x ssl', '1 alarm, 2 unwatched'],
    ['watched by a rule that is deleted', 'x gone', '1 alarm, 2 unwatched'],
  ],
  'is sent only once for each rule and channel in one outage': [
    ['the monitor is watched again in the same outage', 'x -web +web x x', '1 alarm, 2 unwatched'],
    ['the trigger is changed, and changed back', 'x ssl down x', '1 alarm, 2 unwatched'],
    ['the channel is removed and added again', 'x -chat +chat x .', '1 alarm, 5 recovered'],
    ['the rule is disabled and enabled again', 'x off on x .', '1 alarm, 5 recovered'],
    ['but the next outage leads to another alarm', 'x -web +web . x', '1 alarm, 2 unwatched, 5 alarm'],
  ],
  'can be sent later in an outage, for': [
    [
      'an added channel: at the next failed check',
      'x +pager | x .',
      '1 alarm, 4 alarm pager, 5 recovered, 5 recovered pager',
    ],
    ['an enabled rule: at the next failed check', 'off x x on | x', '6 alarm'],
    ['an added monitor: at the next failed check', '-web x +web | x', '5 alarm'],
  ],
  'stays correct after edits': [
    ['of the name', 'x rename x .', '1 alarm, 4 recovered'],
    ['to a higher threshold: no repetition', 'x n=3 x x x .', '1 alarm, 6 recovered'],
    ['to a lower threshold: sent at the next failed check, not at the edit', 'n=5 x x x n=2 | x', '7 alarm'],
    ['of the target: the count of failures starts again', 'n=2 x retarget x x', '5 alarm'],
    ['of the target during an alert: no repetition', 'x retarget x x .', '1 alarm, 5 recovered'],
  ],
  'is held by a maintenance window (start <= now < end)': [
    ['no message inside it', '[x x | ]|', ''],
    ['a check at the very start is inside', '. [x ]|', ''],
    ['a check at the very end is after it', '. [. . ]x', '4 alarm'],
    ['failures inside it count: the alarm is sent at the first failed check after it', 'n=3 . [x x ]| x', '6 alarm'],
    ['no alarm at its end without a failed check', '. [x ]| |', ''],
    ['up again before its end: no message', '. [x x . ]. .', ''],
    ['alarm before it: no repetition after it', 'x [x x ]x .', '1 alarm, 5 recovered'],
    ['up inside it: resolves at that time, with a message after it', 'x [x . | ]|', '1 alarm, 5 recovered of 3'],
    ['up, down and up again inside it: resolves at the last recovery', 'x [. x . ]|', '1 alarm, 5 recovered of 4'],
    ['one outage ends and another begins inside it: the alert stays open', 'x [. x ]x x .', '1 alarm, 6 recovered'],
    [
      'after that, no repetition when the rule watches the monitor again',
      'x [. x ]| -web +web x',
      '1 alarm, 5 unwatched',
    ],
    ['paused inside it: resolves at once', 'x [pause | ]|', '1 alarm, 2 paused'],
    ['no longer watched inside it: at once', 'x [| -web ]|', '1 alarm, 3 unwatched'],
    ['ended early: the recovery is sent then', 'x [. | cut | ]|', '1 alarm, 4 recovered of 2'],
    ['ended early, no alarm yet: the alarm is sent at the next failed check', '. [x cut x ]|', '4 alarm'],
    [
      'two windows that overlap: the recovery is sent at the end of the last',
      'x [. {| ]| | }|',
      '1 alarm, 6 recovered of 2',
    ],
    ['two windows without a gap count as one', 'x [. ]{. x }x .', '1 alarm, 6 recovered'],
    [
      'two windows with a gap, up in the gap: the recovery is sent in the gap',
      'x [. ]| {x }x',
      '1 alarm, 3 recovered of 2, 5 alarm',
    ],
  ],
  'stays correct after restarts': [
    ['in the middle of a run of failures', 'n=3 x restart x restart x', '6 alarm'],
    ['with an alert open', 'x restart x restart . restart', '1 alarm, 5 recovered'],
    ['inside a window', 'x [. restart x restart ]x restart .', '1 alarm, 8 recovered'],
  ],
  'leads to a reminder': [
    [
      'every interval, while the alert is open',
      'remind=2 x x x x x . x',
      '2 alarm, 4 reminder, 6 reminder, 7 recovered, 8 alarm',
    ],
    ['once, however long the daemon was stopped', 'remind=2 x restart=9 |', '2 alarm, 11 reminder'],
    ['but not while the rule is disabled', 'remind=2 x off | | | on', '2 alarm, 7 reminder'],
    ['after a maintenance window, but not inside it', 'remind=2 x [x | | | ]x', '2 alarm, 7 reminder'],
    ['but not on a channel that was removed from the rule', 'remind=2 x -chat | | | .', '2 alarm, 7 recovered'],
  ],
  'for a heartbeat, whose silence continues': [
    ['at the end of the allowed silence, with any threshold', 'n=100 ping | | look', '5 alarm'],
    ['at a ping that reports a failure, at once', 'n=100 ping fail', '3 alarm'],
    ['once, and up at the next ping', 'fail fail ping fail', '1 alarm, 3 recovered, 4 alarm'],
    ['without any ping', '| look', '2 alarm'],
    ['as soon as a rule watches it', '-web | | look +web', '5 alarm'],
    ['at the end of a window, because no check follows', 'ping [| | look | ]|', '6 alarm'],
    ['but not while it is paused', 'ping pause | | | look resume | look', '9 alarm'],
  ],
};

for (const [heading, rows] of Object.entries(timelines)) {
  describe(`an alarm ${heading}`, () => {
    it.each(rows)('%s: %s', (_, timeline, messages) => {
      const web: NaiveMonitor = {
        name: 'web',
        regions: /ping|fail|look/.test(timeline) ? 0 : 1,
        allowedSilenceMs: 2 * minute,
      };
      const history = read(timeline);
      expect(write(play([web], history))).toBe(messages);
      expect(write(expectedMessages([web], history))).toBe(messages);
    });
  });
}

describe('an alarm of a monitor with three regions', () => {
  const web: NaiveMonitor = { name: 'web', regions: 3, allowedSilenceMs: 0 };
  /** The regions report in turn, one a minute. */
  const reports = (failures: number, reported: string): Happening[] => [
    { at: 0, do: 'rule', rule: '1', to: { ...plainRule, failures } },
    ...reported
      .replaceAll(' ', '')
      .split('')
      .map((result, step): Happening => ({
        at: (step + 1) * minute,
        do: 'check',
        monitor: 'web',
        region: (step % 3) + 1,
        failed: result === 'x',
      })),
  ];
  it.each([
    ['fires as soon as a majority failed, if one round is enough', 1, '... xx. ...', '5 alarm, 7 recovered'],
    ['fires when the third region makes the majority', 1, '... x.x', '6 alarm'],
    ['is not sent if only a minority failed', 1, '... x.. .x.', ''],
    ['resolves at the second region that passes again', 1, 'xxx x..', '2 alarm, 6 recovered'],
    ['counts another failed round when a majority has failed once more', 3, '... xxx xxx xx', '11 alarm'],
    ['counts from the start again after the monitor was up', 3, '... xxx x.. xxx xxx xx', '17 alarm'],
  ] as const)('%s', (_, failures, reported, messages) => {
    const history = reports(failures, reported);
    expect(write(play([web], history))).toBe(messages);
    expect(write(expectedMessages([web], history))).toBe(messages);
  });
});

const minute = 60_000;

const plainRule: NaiveRule = {
  trigger: 'monitor_down',
  failures: 1,
  enabled: true,
  notifyOnRecovery: true,
  expiryAlerts: true,
  remindEveryMs: null,
  monitors: ['web'],
  channels: ['chat'],
};

function read(timeline: string): Happening[] {
  const history: Happening[] = [{ at: 0, do: 'rule', rule: '1', to: plainRule }];
  const windows: Record<string, { start: number; end: number }> = {};
  const entries: { at: number; entry: string }[] = [];
  let at = 0;
  for (const token of timeline.trim().split(' ')) {
    at += minute * Number(/restart=(\d+)/.exec(token)?.[1] ?? 1);
    const [, edges, entry] = /^([[\]{}]*)(.*)$/.exec(token) as unknown as [string, string, string];
    for (const edge of edges) {
      const name = edge === '[' || edge === ']' ? 'work' : 'more work';
      if (edge === '[' || edge === '{') windows[name] = { start: at, end: Infinity };
      else {
        (windows[name] as { end: number }).end = at;
        entries.push({ at, entry: '|' });
      }
    }
    entries.push({ at, entry });
  }
  for (const [window, { start, end }] of Object.entries(windows))
    history.push({ at: 0, do: 'window', window, to: { monitors: ['web'], start, end, resolvedAt: null } });

  let rule = plainRule;
  for (const { at: now, entry } of entries) {
    const edit = (change: Partial<NaiveRule>) => {
      rule = { ...rule, ...change };
      history.push({ at: now, do: 'rule', rule: '1', to: rule });
    };
    const number = Number(entry.split('=')[1]);
    const without = (list: readonly string[], one: string) => list.filter((kept) => kept !== one);
    const edits: Record<string, Partial<NaiveRule>> = {
      quiet: { notifyOnRecovery: false },
      off: { enabled: false },
      on: { enabled: true },
      ssl: { trigger: 'ssl_expired' },
      down: { trigger: 'monitor_down' },
      '-web': { monitors: [] },
      '+web': { monitors: ['web'] },
      '-chat': { channels: without(rule.channels, 'chat') },
      '+chat': { channels: [...rule.channels, 'chat'] },
      '+pager': { channels: [...rule.channels, 'pager'] },
    };
    const found = edits[entry];
    if (found) edit(found);
    else if (entry.startsWith('n=')) edit({ failures: number });
    else if (entry.startsWith('remind=')) edit({ remindEveryMs: number * minute });
    else if (entry === 'gone') history.push({ at: now, do: 'rule', rule: '1', to: null });
    else if (entry === 'x' || entry === '.')
      history.push({ at: now, do: 'check', monitor: 'web', region: 1, failed: entry === 'x' });
    else if (entry === 'cut') {
      const { start, end } = windows.work as { start: number; end: number };
      history.push({ at: now, do: 'window', window: 'work', to: { monitors: ['web'], start, end, resolvedAt: now } });
    } else if (entry === '|') history.push({ at: now, do: 'tick' });
    else if (entry.startsWith('restart')) history.push({ at: now, do: 'restart' });
    else history.push({ at: now, do: entry as 'pause', monitor: 'web' });
  }
  return history;
}

function write(messages: readonly SentMessage[]): string {
  return messages
    .map(({ at, what, channel, why, resolvedAt, recovery }) => {
      const words: unknown[] = [at / minute, what === 'end' ? why : what];
      if (why === 'recovered' && !recovery) words.push('quietly');
      if (resolvedAt !== undefined && resolvedAt !== at) words.push('of', resolvedAt / minute);
      if (channel !== 'chat') words.push(channel);
      return words.join(' ');
    })
    .join(', ');
}
