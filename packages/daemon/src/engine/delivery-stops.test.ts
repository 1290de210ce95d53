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

  it('sends a message again under the same id after a stop, and does not count the interrupted attempt', async () => {
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

  it("sends a killed process's messages again: at once if no other daemon can, else when its claim lapses", async () => {
    const killed = Promise.withResolvers<Sent>();
    world.answer = () => (world.attempts.length === 1 ? killed.promise : arrived);
    await openTestAlert(world.store, 'a', { channel: 1, at: world.clock.now() });
    // Time stands still for a killed process: it renews no claim.
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

  it('sends nothing under a claim that may have lapsed while the process stood still', async () => {
    await openTestAlert(world.store, 'a', { channel: 1, at: world.clock.now() });
    let lapses = 0;
    const freezing: Store = {
      ...world.store,
      async write(work, options) {
        const written = await world.store.write(work, options);
        const held = await world.store.db.selectFrom('delivery').select('lease_until').executeTakeFirstOrThrow();
        if (lapses === 0 && held.lease_until > 0) {
          lapses = held.lease_until;
          world.clock.jump(58_000);
        }
        return written;
      },
    };
    await start(freezing);
    await until(() => world.attempts.length === 1);
    // No other process can take over on SQLite.
    if (name === 'sqlite') expect(world.clock.now()).toBeLessThan(lapses);
    else expect(world.clock.now()).toBeGreaterThanOrEqual(lapses);
  });

  it('remembers what it sent while the store accepts no writes, and does not send it twice', async () => {
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
    // Longer than the claim holds.
    for (let second = 0; second < 70; second++) await world.clock.advance(1000);
    full = false;
    await settled();
    expect(world.attempts).toHaveLength(1);
  });

  it('retries in time what failed before the clock was set back and was stored afterwards', async () => {
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

  it('sends waiting messages also when the clock is set back', async () => {
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
