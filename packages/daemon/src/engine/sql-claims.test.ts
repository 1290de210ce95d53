import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { monitorRow, projectRow } from '../testing/rows.ts';
import type { HeldLease, Lease } from './claims.ts';
import { createSqlClaims, type SqlClaims } from './sql-claims.ts';

const begun = Date.UTC(2026, 5, 1);
const leaseMs = 15_000;
const monitors = 501;

// These tests need PostgreSQL, because on SQLite the schedule is in memory.
const postgres = databases.find(({ name }) => name === 'postgres')!;

describe('a schedule in PostgreSQL', () => {
  let database: TestDatabase;
  let clock: FakeClock;
  let claims: SqlClaims;
  let elsewhere: SqlClaims;

  beforeEach(async () => {
    database = await postgres.open();
    clock = createFakeClock(begun);
    const { db } = database.store;
    const all = Array.from({ length: monitors }, (_, at) => at + 1);
    await db.insertInto('project').values(projectRow('shop')).execute();
    await db
      .insertInto('monitor')
      .values(all.map((seq) => monitorRow(`mon_${seq}`, 'shop')))
      .execute();
    const row = (monitor: number, region: number) => ({
      monitor,
      region,
      project: 'shop',
      lease_until: 0,
      next_at: begun - monitor,
    });
    await db
      .insertInto('schedule')
      .values([...all.map((monitor) => row(monitor, 1)), row(1, 2)])
      .execute();
    claims = createSqlClaims(database.store, clock, 1);
    elsewhere = createSqlClaims(database.store, clock, 2);
  });
  afterEach(() => database.dispose());

  const rowOf = (monitor: number, region: number) =>
    database.store.db
      .selectFrom('schedule')
      .select(['next_at', 'lease_until'])
      .where('monitor', '=', monitor)
      .where('region', '=', region)
      .executeTakeFirstOrThrow();
  const takeAll = () => claims.takeDue({ limit: monitors });
  const leasesOf = (taken: readonly HeldLease[]) => new Map(taken.map(({ monitor, lease }) => [monitor, lease]));
  const standingOf = (monitor: number, { claim }: Lease) =>
    database.store.write(async (trx) => {
      const check = { monitor, claim };
      return (await claims.writes.fence(trx, [check]))(check);
    });

  it('the schedule in PostgreSQL keeps a claim until its lease ends, and then lets another process claim the monitor', async () => {
    expect(await takeAll()).toHaveLength(monitors);
    await clock.advance(leaseMs - 1);
    expect(await takeAll()).toEqual([]);
    expect(await claims.takeOne(1)).toBe(false);
    await clock.advance(2);
    expect(await claims.takeOne(1)).toMatchObject({ monitor: 1, next_at: begun - 1 });
    expect(await takeAll()).toHaveLength(monitors - 1);
  });

  it('the schedule in PostgreSQL renews all claims of a process, however many there are, except those that were given back', async () => {
    const taken = await takeAll();
    await clock.advance(leaseMs - 1);
    await claims.giveBack(taken.filter(({ monitor }) => monitor === 7));
    expect([...(await claims.renew(leasesOf(taken))).keys()]).toHaveLength(monitors - 1);
    await clock.advance(leaseMs - 1);
    expect(await takeAll()).toMatchObject([{ monitor: 7 }]);
  });

  it('the schedule in PostgreSQL refuses a renewal, a return or a result under a lease that another process took over', async () => {
    const [cutOff] = await claims.takeDue({ limit: 1 });
    const { monitor, lease } = cutOff!;
    expect(await standingOf(monitor, lease)).toBe('held');
    await clock.advance(leaseMs + 1);
    const taken = await claims.takeOne(monitor);
    if (!taken) throw new Error('The lapsed lease could not be taken over.');
    expect(await claims.renew(leasesOf([cutOff!]))).toEqual(new Map());
    await claims.giveBack([cutOff!]);
    expect(await standingOf(monitor, lease)).toBe('lost');
    expect(await standingOf(monitor, taken.lease)).toBe('held');
    expect(await claims.takeOne(monitor)).toBe(false);
  });

  it('the schedule in PostgreSQL treats a claim that was given back as ended and not as lost, even after the next claim of the monitor', async () => {
    const [first] = await claims.takeDue({ limit: 1 });
    const { monitor, lease } = first!;
    await claims.giveBack([first!]);
    expect(await standingOf(monitor, lease)).toBe('ended');
    expect(await claims.takeOne(monitor)).toMatchObject({ monitor });
    expect(await standingOf(monitor, lease)).toBe('ended');
  });

  it.each([
    ['the lease has almost ended', (by: FakeClock) => by.jump(12_000)],
    ['the machine was suspended', (by: FakeClock) => by.setWall(12_000)],
  ])(
    'the schedule in PostgreSQL reports that a lease is sure until %s, and again after a renewal of the lease',
    async (_, pass) => {
      const [held] = await claims.takeDue({ limit: 1 });
      const { monitor, lease } = held!;
      clock.jump(11_000);
      expect(lease.isSure()).toBe(true);
      pass(clock);
      expect(lease.isSure()).toBe(false);
      const renewed = await claims.renew(leasesOf([held!]));
      expect(renewed.get(monitor)!.isSure()).toBe(true);
    },
  );

  it('the schedule in PostgreSQL does not change the claims and times of another region', async () => {
    expect(await elsewhere.takeOne(1)).toMatchObject({ monitor: 1 });
    expect(await elsewhere.takeOne(2)).toBeNull();
    const before = await rowOf(1, 2);
    const taken = await takeAll();
    expect(taken).toHaveLength(monitors);
    await database.store.write((trx) =>
      claims.writes.apply(trx, [{ monitor: 1, region: 1, nextAt: begun + 60_000, release: true }]),
    );
    await claims.giveBack(taken);
    await clock.advance(1000);
    await claims.renew(leasesOf(taken));
    expect(await rowOf(1, 2)).toEqual(before);
    expect(await rowOf(1, 1)).toEqual({ next_at: begun + 60_000, lease_until: 0 });
  });

  it('the schedule in PostgreSQL lets a check without a claim only delay the next check, and keeps the lease of the monitor', async () => {
    await takeAll();
    await database.store.write((trx) =>
      claims.writes.apply(trx, [
        { monitor: 1, region: 1, nextAt: begun + 500, release: false },
        { monitor: 2, region: 1, nextAt: begun + 900, release: true },
        { monitor: 3, region: 1, nextAt: null, release: true },
        { monitor: 4, region: 1, nextAt: begun - 500, release: false },
      ]),
    );
    expect(await rowOf(1, 1)).toEqual({ next_at: begun + 500, lease_until: begun + leaseMs });
    expect(await rowOf(2, 1)).toEqual({ next_at: begun + 900, lease_until: 0 });
    expect(await rowOf(3, 1)).toEqual({ next_at: begun - 3, lease_until: 0 });
    expect(await rowOf(4, 1)).toEqual({ next_at: begun - 4, lease_until: begun + leaseMs });
  });
});
