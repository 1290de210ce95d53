import { describe, expect, it } from 'vitest';
import { minute, plainRule, writeMessages } from '../testing/alert-timeline.ts';
import { expectedMessages, type Happening, type NaiveMonitor } from '../testing/naive-alerts.ts';
import { play } from '../testing/play-alerts.ts';

describe('an alarm of a monitor with three regions', () => {
  const web: NaiveMonitor = { name: 'web', regions: 3, allowedSilenceMs: 0 };
  /** Returns one report each minute: from the first region, the second, the third, and again from the first. */
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
    [
      'with three regions, an alarm is sent as soon as a majority of the regions failed, if the threshold is one round',
      1,
      '... xx. ...',
      '5 alarm, 7 recovered',
    ],
    [
      'with three regions, an alarm is sent when the failure of the third region makes a majority',
      1,
      '... x.x',
      '6 alarm',
    ],
    ['with three regions, an alarm is not sent if only a minority of the regions failed', 1, '... x.. .x.', ''],
    [
      'with three regions, an alarm is followed by a recovery when the checks of a second region pass again',
      1,
      'xxx x..',
      '2 alarm, 6 recovered',
    ],
    [
      'with three regions, an alarm is sent at the third failed round, and each round needs new failures of a majority',
      3,
      '... xxx xxx xx',
      '11 alarm',
    ],
    [
      'with three regions, an alarm is sent only after three new failed rounds if the monitor was up in between',
      3,
      '... xxx x.. xxx xxx xx',
      '17 alarm',
    ],
  ] as const)('%s', (_, failures, reported, messages) => {
    const history = reports(failures, reported);
    expect(writeMessages(play([web], history))).toBe(messages);
    expect(writeMessages(expectedMessages([web], history))).toBe(messages);
  });
});
