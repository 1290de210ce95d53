import { expect, test } from 'vitest';
import { alarmDespiteHungChannels } from '../testing/hung-channels.ts';
import { boundMs } from '../testing/bound-ms.ts';

test('600 hung channels of one project do not delay the alarm of another project', async () => {
  const { alarmMs } = await alarmDespiteHungChannels(600, { times: 1, everyMs: 0 });
  expect(Math.max(...alarmMs)).toBeLessThan(boundMs(2000));
});
