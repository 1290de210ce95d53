import { describe, expect, it } from 'vitest';
import { minute, readTimeline, writeMessages } from '../testing/alert-timeline.ts';
import { expectedMessages, type NaiveMonitor } from '../testing/naive-alerts.ts';
import { play } from '../testing/play-alerts.ts';

/*
 * `readTimeline` defines the notation of the second column.
 *
 * The third column lists the messages with their minutes. They go to the channel `chat` unless another channel is
 * named. `5 recovered of 3` is a message sent at minute 5 which says that the alert resolved at minute 3.
 */
const timelines: Record<string, [sentence: string, timeline: string, messages: string][]> = {
  'an alarm is sent once in each outage, when the last n rounds failed': [
    ['an alarm is sent at the first failed check if the threshold is one round', '. x x x', '2 alarm'],
    ['no alarm is sent before n failed rounds in a row', 'n=3 . x x . x x', ''],
    ['an alarm is sent at the n-th failed round in a row', 'n=3 . x x x x', '5 alarm'],
    ['another alarm is sent in the next outage', 'x . x .', '1 alarm, 2 recovered, 3 alarm, 4 recovered'],
    ['an alarm is sent even for a monitor that was never up', 'x', '1 alarm'],
    [
      'with a threshold of 100 rounds, an alarm is sent at the 100th failed round',
      `n=100 ${'x '.repeat(101)}`,
      '101 alarm',
    ],
    ['with a threshold of 100 rounds, no alarm is sent after 99 failed rounds', `n=100 ${'x '.repeat(99)}.`, ''],
  ],
  'an alert resolves when its monitor is up again': [
    ['an alert resolves at the first passed check', 'x x . .', '1 alarm, 3 recovered'],
    ['an alert resolves without a message if its rule wants no recovery', 'x quiet .', '1 alarm, 3 recovered quietly'],
    ['no recovery is sent if no alarm was sent', 'n=2 x . x .', ''],
    ['a channel that was removed from the rule still gets the recovery', 'x -chat | .', '1 alarm, 4 recovered'],
    ['a rule that was disabled still sends the recovery', 'x off . x', '1 alarm, 3 recovered'],
  ],
  'an alert resolves at once when its monitor is paused, deleted or no longer watched': [
    ['an alert resolves when its monitor is paused', 'x pause', '1 alarm, 2 paused'],
    [
      'another alarm is sent if the monitor goes down again after a pause',
      'x pause resume x',
      '1 alarm, 2 paused, 4 alarm',
    ],
    ['a pause before the threshold is reached restarts the count of failures', 'n=2 x pause resume x x', '6 alarm'],
    ['an alert resolves when its monitor is deleted', 'x delete', '1 alarm, 2 deleted'],
    ['an alert resolves when its monitor is removed from the rule', 'x -web', '1 alarm, 2 unwatched'],
    ['an alert resolves when its rule gets another trigger', 'x ssl', '1 alarm, 2 unwatched'],
    ['an alert resolves when its rule is deleted', 'x gone', '1 alarm, 2 unwatched'],
  ],
  'an alarm is sent only once for each rule and channel in one outage': [
    [
      'no second alarm is sent if the monitor is removed from the rule and added again',
      'x -web +web x x',
      '1 alarm, 2 unwatched',
    ],
    [
      'no second alarm is sent if the trigger of the rule is changed, and changed back',
      'x ssl down x',
      '1 alarm, 2 unwatched',
    ],
    ['no second alarm is sent if the channel is removed and added again', 'x -chat +chat x .', '1 alarm, 5 recovered'],
    ['no second alarm is sent if the rule is disabled and enabled again', 'x off on x .', '1 alarm, 5 recovered'],
    ['the next outage leads to another alarm', 'x -web +web . x', '1 alarm, 2 unwatched, 5 alarm'],
  ],
  'an alarm can be sent later in an outage': [
    [
      'an added channel gets an alarm at the next failed check',
      'x +pager | x .',
      '1 alarm, 4 alarm pager, 5 recovered, 5 recovered pager',
    ],
    ['an enabled rule leads to an alarm at the next failed check', 'off x x on | x', '6 alarm'],
    ['an added monitor leads to an alarm at the next failed check', '-web x +web | x', '5 alarm'],
  ],
  'alarms stay correct after edits': [
    ['a new name leads to no second alarm', 'x rename x .', '1 alarm, 4 recovered'],
    ['a higher threshold leads to no second alarm', 'x n=3 x x x .', '1 alarm, 6 recovered'],
    ['a lower threshold leads to an alarm at the next failed check, not at the edit', 'n=5 x x x n=2 | x', '7 alarm'],
    ['a new target restarts the count of failures', 'n=2 x retarget x x', '5 alarm'],
    ['a new target leads to no second alarm while an alert is open', 'x retarget x x .', '1 alarm, 5 recovered'],
  ],
  'alarms and recoveries wait for the end of a maintenance window (start <= now < end)': [
    ['no message is sent inside the window', '[x x | ]|', ''],
    ['a check at the very start of the window is inside the window', '. [x ]|', ''],
    ['a check at the very end of the window is after the window', '. [. . ]x', '4 alarm'],
    [
      'failures inside the window count, so the alarm is sent at the first failed check after the window',
      'n=3 . [x x ]| x',
      '6 alarm',
    ],
    ['no alarm is sent at the end of the window without a failed check', '. [x ]| |', ''],
    ['an outage that begins and ends inside the window leads to no message', '. [x x . ]. .', ''],
    [
      'after an alarm before the window, no second alarm is sent after the window',
      'x [x x ]x .',
      '1 alarm, 5 recovered',
    ],
    [
      'if the monitor recovers inside the window, its alert resolves at that time, but the recovery is sent after the window',
      'x [x . | ]|',
      '1 alarm, 5 recovered of 3',
    ],
    [
      'if the monitor recovers twice inside the window, its alert resolves at the second recovery',
      'x [. x . ]|',
      '1 alarm, 5 recovered of 4',
    ],
    [
      'if one outage ends and another begins inside the window, the alert stays open',
      'x [. x ]x x .',
      '1 alarm, 6 recovered',
    ],
    [
      'if one outage ends and another begins inside the window, the rule sends no second alarm in the new outage',
      'x [. x ]| -web +web x',
      '1 alarm, 5 unwatched',
    ],
    ['an alert resolves at once if its monitor is paused inside the window', 'x [pause | ]|', '1 alarm, 2 paused'],
    [
      'an alert resolves at once if its monitor is removed from the rule inside the window',
      'x [| -web ]|',
      '1 alarm, 3 unwatched',
    ],
    [
      'if the window is ended early, the recovery is sent at that moment',
      'x [. | cut | ]|',
      '1 alarm, 4 recovered of 2',
    ],
    [
      'if the window is ended early before any alarm, the alarm is sent at the next failed check',
      '. [x cut x ]|',
      '4 alarm',
    ],
    [
      'if two windows overlap, the recovery is sent at the end of the second window',
      'x [. {| ]| | }|',
      '1 alarm, 6 recovered of 2',
    ],
    ['two windows without time between them act as one window', 'x [. ]{. x }x .', '1 alarm, 6 recovered'],
    [
      'if the monitor is up between two windows, the recovery is sent between them',
      'x [. ]| {x }x',
      '1 alarm, 3 recovered of 2, 5 alarm',
    ],
  ],
  'alarms stay correct after restarts of the daemon': [
    ['restarts between failed checks do not change the count of failures', 'n=3 x restart x restart x', '6 alarm'],
    [
      'restarts while an alert is open lead to no second message',
      'x restart x restart . restart',
      '1 alarm, 5 recovered',
    ],
    [
      'restarts inside a maintenance window lead to no message',
      'x [. restart x restart ]x restart .',
      '1 alarm, 8 recovered',
    ],
  ],
  'an open alert leads to reminders': [
    [
      'a reminder is sent at each reminder interval while the alert is open',
      'remind=2 x x x x x . x',
      '2 alarm, 4 reminder, 6 reminder, 7 recovered, 8 alarm',
    ],
    [
      'only one reminder is sent after a stop of the daemon, however long the stop was',
      'remind=2 x restart=9 |',
      '2 alarm, 11 reminder',
    ],
    ['no reminder is sent while the rule is disabled', 'remind=2 x off | | | on', '2 alarm, 7 reminder'],
    [
      'a reminder that is due inside a maintenance window is sent after the window',
      'remind=2 x [x | | | ]x',
      '2 alarm, 7 reminder',
    ],
    ['a channel that was removed from the rule gets no reminder', 'remind=2 x -chat | | | .', '2 alarm, 7 recovered'],
  ],
  'alarms of a heartbeat follow its pings': [
    [
      'an alarm is sent at the end of the allowed silence, whatever the threshold of the rule is',
      'n=100 ping | | look',
      '5 alarm',
    ],
    ['an alarm is sent at once when a ping reports a failure', 'n=100 ping fail', '3 alarm'],
    [
      'one alarm is sent in each outage, and the next successful ping ends the outage',
      'fail fail ping fail',
      '1 alarm, 3 recovered, 4 alarm',
    ],
    ['an alarm is sent if no ping ever came', '| look', '2 alarm'],
    ['an alarm is sent as soon as a rule watches a heartbeat that is already down', '-web | | look +web', '5 alarm'],
    [
      'an alarm is sent at the end of a maintenance window, because no check will follow',
      'ping [| | look | ]|',
      '6 alarm',
    ],
    ['no alarm is sent while the heartbeat is paused', 'ping pause | | | look resume | look', '9 alarm'],
  ],
};

for (const [heading, rows] of Object.entries(timelines)) {
  describe(heading, () => {
    it.each(rows)('%s (timeline: %s)', (_, timeline, messages) => {
      const web: NaiveMonitor = {
        name: 'web',
        regions: /ping|fail|look/.test(timeline) ? 0 : 1,
        allowedSilenceMs: 2 * minute,
      };
      const history = readTimeline(timeline);
      expect(writeMessages(play([web], history))).toBe(messages);
      expect(writeMessages(expectedMessages([web], history))).toBe(messages);
    });
  });
}
