import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../../testing/databases.ts';
import { countCode, uncountCode } from './count-code.ts';

const now = Date.UTC(2026, 0, 31, 12);
const day = 24 * 3_600_000;

describe.each(databases)('codes of one mailbox on $name', ({ open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.dispose());

  const count = (at: number, mailbox = 'one') => database.store.write((trx) => countCode(trx, mailbox, at));

  it('at most three codes are sent in any 24 hours, and then countCode returns the time when a fourth may be sent', async () => {
    expect([await count(now), await count(now + 10), await count(now + 20)]).toEqual([null, null, null]);
    expect(await count(now + 30)).toBe(now + day);
    expect(await count(now + day - 1)).toBe(now + day);
    expect(await count(now + day)).toBeNull();
    expect(await count(now + day)).toBe(now + 10 + day);
    expect(await count(now + 30, 'other')).toBeNull();
  });

  it('a code that could not be sent is no longer counted', async () => {
    for (let n = 0; n < 9; n++) {
      expect(await count(now + n)).toBeNull();
      await database.store.write((trx) => uncountCode(trx, 'one'));
    }
    expect(await database.store.db.selectFrom('address_codes').selectAll().execute()).toEqual([]);
    await count(now);
    await count(now + 10);
    await database.store.write((trx) => uncountCode(trx, 'one'));
    expect(await database.store.db.selectFrom('address_codes').selectAll().execute()).toEqual([
      { mailbox: 'one', latest_at: now, second_at: null, third_at: null },
    ]);
  });

  it('at most three codes are allowed even if two daemons count codes at the same moment', async () => {
    const { store } = database;
    const others = store.dialect.exclusive ? [store] : [store, await database.openAnother()];
    const asked = Array.from({ length: 8 }, (_, n) =>
      others[n % others.length]!.write((trx) => countCode(trx, 'one', now)),
    );
    expect((await Promise.all(asked)).filter((until) => until === null)).toHaveLength(3);
  });
});
