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
 * maintenance window at that minute; `{` and `}` are the same for another window. The third column lists the messages
 * to the channel `chat`, with their minutes; a message to another channel names it. A recovery `of` an earlier minute
 * resolves at that time.
 */
const timelines: Record<string, [sentence: string, timeline: string, messages: string][]> = {
  'fires once per outage, when the last n rounds failed': [
    ['at the first failed check, if one is enough', '. x x x', '2 alarm'],
    ['not before n in a row', 'n=3 . x x . x x', ''],
    ['at the n-th in a row', 'n=3 . x x x x', '5 alarm'],
    ['in each outage', 'x . x .', '1 alarm, 2 recovered, 3 alarm, 4 recovered'],
    ['also for a monitor that was never up', 'x', '1 alarm'],
    ['with a hundred', `n=100 ${'x '.repeat(101)}`, '101 alarm'],
    ['with a hundred, but not with 99', `n=100 ${'x '.repeat(99)}.`, ''],
  ],
  'resolves when the monitor is up again': [
    ['at the first passed check', 'x x . .', '1 alarm, 3 recovered'],
    ['without a message if the rule wants no recovery', 'x quiet .', '1 alarm, 3 recovered quietly'],
    ['never without its alarm', 'n=2 x . x .', ''],
    ['for a channel that was removed from the rule', 'x -chat | .', '1 alarm, 4 recovered'],
    ['for a rule that was disabled', 'x off . x', '1 alarm, 3 recovered'],
  ],
  'resolves at once when it is paused, deleted or not watched any more': [
    ['paused', 'x pause', '1 alarm, 2 paused'],
    ['paused, and down again after that', 'x pause resume x', '1 alarm, 2 paused, 4 alarm'],
    ['paused before the threshold: the run starts again', 'n=2 x pause resume x x', '6 alarm'],
    ['deleted', 'x delete', '1 alarm, 2 deleted'],
    ['removed from the rule', 'x -web', '1 alarm, 2 unwatched'],
    ['with another trigger', 'x ssl', '1 alarm, 2 unwatched'],
    ['with the rule deleted', 'x gone', '1 alarm, 2 unwatched'],
  ],
  'gives no channel two alarms of one outage from one rule': [
    ['watched again in the same outage', 'x -web +web x x', '1 alarm, 2 unwatched'],
    ['with the trigger changed and changed back', 'x ssl down x', '1 alarm, 2 unwatched'],
    ['with the channel removed and added again', 'x -chat +chat x .', '1 alarm, 5 recovered'],
    ['disabled and enabled', 'x off on x .', '1 alarm, 5 recovered'],
    ['but in the next one it does', 'x -web +web . x', '1 alarm, 2 unwatched, 5 alarm'],
  ],
  'can begin later in an outage, with': [
    [
      'an added channel: at the next failed check',
      'x +pager | x .',
      '1 alarm, 4 alarm pager, 5 recovered, 5 recovered pager',
    ],
    ['an enabled rule: at the next failed check', 'off x x on | x', '6 alarm'],
    ['an added monitor: at the next failed check', '-web x +web | x', '5 alarm'],
  ],
  'survives edits': [
    ['the name', 'x rename x .', '1 alarm, 4 recovered'],
    ['a higher threshold repeats nothing', 'x n=3 x x x .', '1 alarm, 6 recovered'],
    ['a lower threshold fires at the next failed check, not at the edit', 'n=5 x x x n=2 | x', '7 alarm'],
    ['of the target: the run starts again', 'n=2 x retarget x x', '5 alarm'],
    ['of the target during an alert: no repetition', 'x retarget x x .', '1 alarm, 5 recovered'],
  ],
  'is held by a maintenance window (start <= now < end)': [
    ['nothing inside it', '[x x | ]|', ''],
    ['a check at the very start is inside', '. [x ]|', ''],
    ['a check at the very end is after it', '. [. . ]x', '4 alarm'],
    ['failures inside it count: down fires at the first failed check after it', 'n=3 . [x x ]| x', '6 alarm'],
    ['not at its end', '. [x ]| |', ''],
    ['up again before its end: no message', '. [x x . ]. .', ''],
    ['alerted before it: no repetition', 'x [x x ]x .', '1 alarm, 5 recovered'],
    ['up inside it: resolves at that time, with a message after it', 'x [x . | ]|', '1 alarm, 5 recovered of 3'],
    ['up and down and up inside it: resolves at the last time', 'x [. x . ]|', '1 alarm, 5 recovered of 4'],
    ['one outage ends and another begins inside it: the alert stays open', 'x [. x ]x x .', '1 alarm, 6 recovered'],
    ['and is not repeated when a rule watches again', 'x [. x ]| -web +web x', '1 alarm, 5 unwatched'],
    ['paused inside it: resolves at once', 'x [pause | ]|', '1 alarm, 2 paused'],
    ['no longer watched inside it: at once', 'x [| -web ]|', '1 alarm, 3 unwatched'],
    ['resolved early: from then on', 'x [. | cut | ]|', '1 alarm, 4 recovered of 2'],
    ['resolved early, down and not alerted: at the next failed check', '. [x cut x ]|', '4 alarm'],
    ['in one window or another', 'x [. {| ]| | }|', '1 alarm, 6 recovered of 2'],
    ['from one window to the next without a gap', 'x [. ]{. x }x .', '1 alarm, 6 recovered'],
    ['with a gap, in which it was up', 'x [. ]| {x }x', '1 alarm, 3 recovered of 2, 5 alarm'],
  ],
  'survives restarts': [
    ['in the middle of a run', 'n=3 x restart x restart x', '6 alarm'],
    ['with an alert open', 'x restart x restart . restart', '1 alarm, 5 recovered'],
    ['inside a window', 'x [. restart x restart ]x restart .', '1 alarm, 8 recovered'],
  ],
  reminds: [
    [
      'every interval, as long as it is open',
      'remind=2 x x x x x . x',
      '2 alarm, 4 reminder, 6 reminder, 7 recovered, 8 alarm',
    ],
    ['once, however long the daemon was stopped', 'remind=2 x restart=9 |', '2 alarm, 11 reminder'],
    ['not by a disabled rule', 'remind=2 x off | | | on', '2 alarm, 7 reminder'],
    ['not inside a window, but after it', 'remind=2 x [x | | | ]x', '2 alarm, 7 reminder'],
    ['not to a removed channel', 'remind=2 x -chat | | | .', '2 alarm, 7 recovered'],
  ],
  'for a heartbeat, whose silence continues': [
    ['at its silence, with any threshold', 'n=100 ping | | look', '5 alarm'],
    ['at a ping that reports a failure, at once', 'n=100 ping fail', '3 alarm'],
    ['once, and up at the next ping', 'fail fail ping fail', '1 alarm, 3 recovered, 4 alarm'],
    ['never pinged', '| look', '2 alarm'],
    ['as soon as a rule watches it', '-web | | look +web', '5 alarm'],
    ['at the end of a window, because no check follows', 'ping [| | look | ]|', '6 alarm'],
    ['paused, it is not judged', 'ping pause | | | look resume | look', '9 alarm'],
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
    ['fires at the third region too', 1, '... x.x', '6 alarm'],
    ['is not for a minority', 1, '... x.. .x.', ''],
    ['resolves at the second region that passes again', 1, 'xxx x..', '2 alarm, 6 recovered'],
    ['counts another round when each region has reported once more', 3, '... xxx xxx xx', '11 alarm'],
    ['starts its run again when it was up in between', 3, '... xxx x.. xxx xxx xx', '17 alarm'],
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
