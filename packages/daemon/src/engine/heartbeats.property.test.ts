import { assert, asyncProperty } from 'fast-check';
import { describe, it } from 'vitest';
import { databases } from '../testing/databases.ts';
import { anyClockHistory, liveWithClocks } from '../testing/clock-histories.ts';

describe.each(databases)('the silence of a heartbeat on $name', ({ name, open }) => {
  it('the silence of a heartbeat leads to an outage when the grace period ends and never before, whatever happens to the daemon and the clocks', async () => {
    const database = await open();
    try {
      let history = 0;
      const property = asyncProperty(anyClockHistory, (events) => liveWithClocks(database.store, ++history, events));
      await assert(property, { numRuns: name === 'sqlite' ? 50 : 5 });
    } finally {
      await database.dispose();
    }
  });
});
