import { expect, test } from 'vitest';
import { playAlertHistories } from '../testing/alert-histories.ts';

const seed = Date.now();

test(`20,000 random histories lead to the same messages as in the naive model (seed ${seed})`, () => {
  for (const count of Object.values(playAlertHistories(20_000, seed))) expect(count).toBeGreaterThan(500);
}, 300_000);
