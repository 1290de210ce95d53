import { expect, test } from 'vitest';
import { alarmDespiteHungChannels } from '../testing/hung-channels.ts';

test(
  '5,000 hung channels of one project do not delay the alarms of another project',
  { timeout: 300_000 },
  async () => {
    // An attempt to send to a hung channel ends after 15 s, and is then retried.
    const { alarmMs, maxOpen } = await alarmDespiteHungChannels(5000, { times: 15, everyMs: 3000 });
    const shown = alarmMs.map((ms) => Math.round(ms)).join(', ');
    process.stdout.write(
      `With 5,000 hung channels (at most ${maxOpen} connections at once), alarms arrived after ${shown} ms.\n`,
    );
    expect(Math.max(...alarmMs), shown).toBeLessThan(2000);
  },
);
