import { describe, expect, it } from 'vitest';
import type { Sent } from '../channels/index.ts';
import { ServiceError } from '../errors.ts';
import { moveTimeline } from '../recording/move-timeline.ts';
import type { Store } from '../store/store.ts';
import { databases } from '../testing/databases.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { arrived, failing, openTestAlert } from '../testing/outbox.ts';
import { createDeliveriesWorld } from '../testing/deliveries-world.ts';

const hour = 3_600_000;

describe.each(databases)('deliveries on $name', ({ name, open }) => {
  const world = createDeliveriesWorld({ open });

  const { start, until, delivery, settled, what, logged } = world;

  it('the daemon sends a message again under the same id if a stop interrupted the attempt, and does not count that attempt', async () => {
    world.answer = () => new Promise(() => {});
    await openTestAlert(world.store, 'a', { channel: 1, at: world.clock.now() });
    const first = await start();
    await until(() => world.attempts.length === 1);
    world.running = [];
    await until(first.stop().then(() => true));
    expect(await delivery(world.attempts[0]!.id)).toMatchObject({ status: 'pending', attempts: 0, lease_until: 0 });
    expect(await logged()).toEqual([]);
    world.answer = () => arrived;
    await start();
    await settled();
    expect(world.attempts[1]).toEqual(world.attempts[0]);
    expect(world.attempts).toHaveLength(2);
  });

  it('the message of a killed process is sent again: on SQLite at the next start, on PostgreSQL when the claim lapses', async () => {
    const killed = Promise.withResolvers<Sent>();
    world.answer = () => (world.attempts.length === 1 ? killed.promise : arrived);
    await openTestAlert(world.store, 'a', { channel: 1, at: world.clock.now() });
    // The clock of the first process stands still from its first attempt on. So the process renews no claim, as if it
    // was killed.
    const stopped = createFakeClock(world.clock.now());
    await start(world.store, stopped);
    await until(async () => {
      await stopped.advance(10);
      return world.attempts.length === 1;
    });
    const { lease_until: lapses } = (await delivery(world.attempts[0]!.id))!;
    await start(await world.database.openAnother());
    await until(() => world.attempts.length === 2);
    if (name === 'sqlite') expect(world.clock.now()).toBeLessThan(lapses);
    else expect(world.clock.now()).toBeGreaterThanOrEqual(lapses);
    expect(world.attempts[1]).toEqual(world.attempts[0]);
    killed.resolve(arrived);
  });

  /** Returns a store that calls `disturb` once: after the first message is claimed, and before it can be sent. */
  const disturbClaim = (disturb: (lapses: number) => void | Promise<unknown>): Store => {
    let isDisturbed = false;
    return {
      ...world.store,
      async write(work, options) {
        const written = await world.store.write(work, options);
        const held = await world.store.db.selectFrom('delivery').select('lease_until').executeTakeFirstOrThrow();
        if (!isDisturbed && held.lease_until > 0) {
          isDisturbed = true;
          await disturb(held.lease_until);
        }
        return written;
      },
    };
  };

  it.each([
    ['the process was suspended', () => world.clock.jump(57_500)],
    ['the wall clock was set', () => world.clock.setWall(hour)],
  ])('the daemon sends a claimed message before its first claim lapses, even if %s', async (_why, disturb) => {
    await openTestAlert(world.store, 'a', { channel: 1, at: world.clock.now() });
    let lapses = 0;
    await start(
      disturbClaim((at) => {
        lapses = at;
        disturb();
      }),
    );
    await settled();
    expect(what()).toEqual(['alarm a']);
    expect(world.clock.now()).toBeLessThan(lapses);
    // On SQLite no other process can claim the message, so there the first claim is still sure.
    expect(await delivery(world.attempts[0]!.id)).toMatchObject({ claim: name === 'sqlite' ? 1 : 2 });
  });

  it('a process that was suspended leaves a message to the process that has claimed the message meanwhile', async () => {
    // On SQLite no other process can claim the message.
    if (name === 'sqlite') return;
    await openTestAlert(world.store, 'a', { channel: 1, at: world.clock.now() });
    const heldUntil = world.clock.now() + 130_000;
    const ofOther = { lease_until: heldUntil, next_at: heldUntil, claim: 2 };
    const row = () => world.store.db.selectFrom('delivery').selectAll().executeTakeFirstOrThrow();
    await start(
      disturbClaim(async () => {
        world.clock.jump(70_000);
        await world.store.db.updateTable('delivery').set(ofOther).execute();
      }),
    );
    await until(async () => (await row()).claim === 2);
    for (let look = 0; look < 5; look++) await world.look();
    expect(world.attempts).toEqual([]);
    expect(await row()).toMatchObject(ofOther);
  });

  it('the daemon remembers which messages it sent while the store accepts no writes, and does not send them again', async () => {
    const sent = Promise.withResolvers<Sent>();
    world.answer = () => sent.promise;
    await openTestAlert(world.store, 'a', { channel: 1, at: world.clock.now() });
    let full = false;
    const refusing: Store = {
      ...world.store,
      write: (work, options) =>
        full
          ? Promise.reject(new ServiceError('unavailable', 'full', { retryAfterSeconds: 1 }))
          : world.store.write(work, options),
    };
    await start(refusing);
    await until(() => world.attempts.length === 1);
    full = true;
    sent.resolve(arrived);
    // The claim of the message ends within these 70 s.
    for (let second = 0; second < 70; second++) await world.clock.advance(1000);
    full = false;
    await settled();
    expect(world.attempts).toHaveLength(1);
  });

  it('the daemon retries a failed message soon, even if the clock was set back before the failure could be stored', async () => {
    world.answer = () => failing;
    await openTestAlert(world.store, 'a', { channel: 1, at: world.clock.now() });
    let full = false;
    const refusing: Store = {
      ...world.store,
      write: (work, options) =>
        full
          ? Promise.reject(new ServiceError('unavailable', 'full', { retryAfterSeconds: 1 }))
          : world.store.write(work, options),
    };
    const sent = Promise.withResolvers<Sent>();
    world.answer = () => sent.promise;
    await start(refusing);
    await until(() => world.attempts.length === 1);
    full = true;
    sent.resolve(failing);
    await world.clock.advance(200);
    await moveTimeline(
      world.store,
      { instance: { name: 'serve', region: 1 }, from: world.clock.now(), byMs: -hour },
      world.clock,
    );
    full = false;
    const { id } = world.attempts[0]!;
    await until(async () => (await delivery(id))!.lease_until === 0);
    const row = (await delivery(id))!;
    expect(row.next_at! - world.clock.now()).toBeLessThan(hour / 6);
    expect(row.tried_at).toBeLessThanOrEqual(world.clock.now());
    expect(row.tried_since).toBeLessThanOrEqual(world.clock.now());
  });

  it('the daemon sends due messages soon, even if the clock was set back', async () => {
    const begun = world.clock.now();
    await openTestAlert(world.store, 'a', { channel: 1, at: begun });
    world.clock.setWall(-hour);
    await moveTimeline(world.store, { instance: { name: 'serve', region: 1 }, from: begun, byMs: -hour }, world.clock);
    await start();
    await settled();
    expect(what()).toEqual(['alarm a']);
    expect(world.clock.now()).toBeLessThan(begun - hour / 2);
  });
});
