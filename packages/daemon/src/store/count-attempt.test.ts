import { expect, test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { countAttempt } from './count-attempt.ts';

const windowMs = 60_000;

test.each(databases)(
  'countAttempt counts every attempt on $name, even if the clocks of the nodes differ',
  async (kind) => {
    const database = await kind.open();
    try {
      const attempt = async (now: number) =>
        (await countAttempt(database.store, { scope: 'sign-in ada', now, windowMs })).count;
      expect(await attempt(100_000)).toBe(1);
      expect(await attempt(99_990)).toBe(2);
      expect(await attempt(100_005)).toBe(3);
      expect(await attempt(95_000)).toBe(4);
      // A clock that was an hour ahead must not prolong a caller's window by an hour.
      expect(await attempt(100_000 - 3_600_000)).toBe(1);
      expect(await attempt(100_000 - 3_600_000 + windowMs)).toBe(1);
    } finally {
      await database.dispose();
    }
  },
);
