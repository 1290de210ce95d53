import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextRound, type StartTurn, startsOf } from './start-turns.ts';

describe('turns of owners whose checks wait', () => {
  it('busy owners start checks of the same total cost, whatever one start costs', () => {
    const costs = fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(costs, fc.integer({ min: 16, max: 200 }), (costOf, worth) => {
        let turns: StartTurn[] = costOf.map((_, owner) => ({ owner: String(owner), credit: 0 }));
        const spent = costOf.map(() => 0);
        for (let round = 0; round < 500; round++) {
          turns = nextRound(turns, worth);
          // In every round at least one check may begin.
          expect(turns.some((turn) => startsOf(turn) > 0)).toBe(true);
          for (const turn of turns) {
            const cost = startsOf(turn) * costOf[Number(turn.owner)]!;
            spent[Number(turn.owner)]! += cost;
            turn.credit -= cost;
          }
        }
        // An owner may spend more than its credit in one round, so the sums need not be equal.
        expect(Math.max(...spent) - Math.min(...spent)).toBeLessThanOrEqual(worth * 11);
      }),
      { numRuns: 50 },
    );
  });

  it('an owner does not accumulate unused credit', () => {
    let turns: StartTurn[] = [{ owner: 'blocked', credit: 0 }];
    for (let round = 0; round < 100; round++) turns = nextRound(turns, 60);
    expect(turns).toEqual([{ owner: 'blocked', credit: 60 }]);
  });
});
