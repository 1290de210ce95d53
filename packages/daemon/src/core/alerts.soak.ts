import { expect, test } from 'vitest';
import { playAlertHistories } from '../testing/alert-histories.ts';

const seed = Date.now();

test(`20,000 random histories send every channel what the naive model says (seed ${seed})`, () => {
  for (const count of Object.values(playAlertHistories(20_000, seed))) expect(count).toBeGreaterThan(500);
}, 300_000);
