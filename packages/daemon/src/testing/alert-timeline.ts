import type { Happening, NaiveRule, SentMessage } from './naive-alerts.ts';

export const minute = 60_000;

/** A rule that sends the alarms and recoveries of the monitor `web` to the channel `chat`. */
export const plainRule: NaiveRule = {
  trigger: 'monitor_down',
  failures: 1,
  enabled: true,
  notifyOnRecovery: true,
  expiryAlerts: true,
  remindEveryMs: null,
  monitors: ['web'],
  channels: ['chat'],
};

/**
 * Returns the history that a timeline describes. A timeline has one entry a minute. `x` is a failed check, `.` a passed
 * check, and `|` a minute without an event. `[` and `]` are the start and the end of a maintenance window. `{` and `}`
 * are the start and the end of a second window. At `look`, the daemon decides whether a heartbeat has been silent for
 * too long. The code below defines the other entries.
 */
export function readTimeline(timeline: string): Happening[] {
  const history: Happening[] = [{ at: 0, do: 'rule', rule: '1', to: plainRule }];
  const { entries, windows } = splitTimeline(timeline);
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

/** Returns the entries of a timeline with their times, and its maintenance windows by name. */
function splitTimeline(timeline: string) {
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
  return { entries, windows };
}

/** Writes messages as in `5 recovered of 3`: at minute 5, a message says that the alert resolved at minute 3. */
export function writeMessages(messages: readonly SentMessage[]): string {
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
