import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { channelsOfRule, createUnfinishedReviews } from '../testing/unfinished-reviews.ts';

/*
 * An outage opens and resolves many alerts, in short transactions. This test plays random events between these
 * transactions. In the end, each channel must have exactly the alerts that fit the status of the monitor.
 */

const { seed = 1 } = fc.readConfigureGlobal();

const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('check' as const), failed: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('ping' as const), failed: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('review' as const), atOnce: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('window' as const), minutes: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('rule' as const), channels: fc.integer({ min: 0, max: channelsOfRule }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('setBack' as const) }) },
);

describe.each(databases)('reviews in many short transactions on $name', ({ open }) => {
  test(`the alerts of a monitor fit its status after many short reviews, whatever happens between them (seed ${seed})`, async () => {
    const histories = fc.sample(fc.array(event, { minLength: 4, maxLength: 14 }), { seed, numRuns: 2 });
    for (const middle of histories) {
      // The history ends when the heartbeat goes down. If it went on, an event could add a missing alert, and so hide a
      // fault of the reviews.
      const history = [...middle, { do: 'ping' as const, failed: false }, { do: 'ping' as const, failed: true }];
      const database = await open();
      try {
        const world = await createUnfinishedReviews(database);
        for (const one of history) await world.play(one);
        expect({ history, faults: await world.faultsAtEnd() }).toEqual({ history, faults: [] });
      } finally {
        await database.dispose();
      }
    }
  });
});
