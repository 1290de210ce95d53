import { expect, test } from 'vitest';
import { alarmBesideHungChannels } from '../testing/hung-channels.ts';

test("5,000 hung channels of one tenant do not delay a neighbour's alarms", { timeout: 300_000 }, async () => {
  // An attempt at a hung channel ends after 15 s, and is retried by its back-off.
  const { alarmMs, mostOpen } = await alarmBesideHungChannels(5000, { times: 15, everyMs: 3000 });
  const shown = alarmMs.map((ms) => Math.round(ms)).join(', ');
  process.stdout.write(
    `With 5,000 hung channels (at most ${mostOpen} connections at once), alarms arrived after ${shown} ms.\n`,
  );
  expect(Math.max(...alarmMs), shown).toBeLessThan(2000);
});
