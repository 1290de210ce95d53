import { describe, expect, it, vi } from 'vitest';
import { createStatsReader } from '../resources/monitor-past/stats.ts';
import { databases } from '../testing/databases.ts';
import { createEngineWorld, refused } from '../testing/engine-world.ts';

describe.each(databases)('the engine on $name', ({ open }) => {
  const world = createEngineWorld({ open });

  const { start, stop, create, edit, state, pass, untilStatus } = world;

  it('when the engine stops, it gives back the claims of checks that have not begun', async () => {
    for (let made = 0; made < 30; made++) await create({ type: 'http', url: 'https://localhost:1/' });
    await vi.waitFor(async () => {
      await world.clock.advance(1);
      expect(world.checked.length).toBeGreaterThan(0);
    }, 10_000);
    expect(world.checked.length).toBeLessThan(30);
    await stop();
    const held = await world.database.store.db
      .selectFrom('schedule')
      .select('monitor')
      .where('lease_until', '>', 0)
      .execute();
    expect(held).toEqual([]);
    await start();
  });

  it('the engine counts time in which the daemon was stopped neither as downtime nor as silence', async () => {
    const { seq: beat } = await create({ type: 'heartbeat', interval: 60, gracePeriod: 30 });
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 60 });
    await world.pings.record({ token: 'token', kind: 'success', exitCode: null, metrics: null, at: world.clock.now() });
    await untilStatus(seq, 'up');
    await pass(30_000);
    await stop();
    world.clock.jump(10 * 3_600_000);
    await start();
    await pass(50_000);
    expect((await state(beat)).status).toBe('up');
    expect((await createStatsReader(world.database.store)(seq, world.clock.now())).uptime24h).toBe(100);
    const observed = await world.database.store.db
      .selectFrom('observed_hour')
      .select('up_ms')
      .where('monitor', '=', seq)
      .execute();
    expect(observed.reduce((sum, row) => sum + row.up_ms, 0)).toBeLessThan(120_000);
    await pass(30_000);
    await untilStatus(beat, 'down');
  });

  it('the engine extends the deadlines of heartbeats by the time for which the machine was suspended', async () => {
    const { seq } = await create({ type: 'heartbeat', interval: 60, gracePeriod: 30 });
    await world.pings.record({ token: 'token', kind: 'success', exitCode: null, metrics: null, at: world.clock.now() });
    await pass(5000);
    world.clock.jump(3_600_000);
    await pass(60_000);
    expect((await state(seq)).status).toBe('up');
    await untilStatus(seq, 'down');
  });

  it('the engine continues to check monitors and to notice silent heartbeats when the clock is set back by an hour', async () => {
    const { seq: beat } = await create({ type: 'heartbeat', interval: 40, gracePeriod: 5 });
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 2 });
    await world.pings.record({ token: 'token', kind: 'success', exitCode: null, metrics: null, at: world.clock.now() });
    await untilStatus(seq, 'up');
    world.clock.setWall(-3_600_000);
    await pass(3000);
    world.outcome = refused;
    await untilStatus(seq, 'down');
    expect((await state(beat)).status).toBe('up');
    const beforeMonoMs = world.clock.monotonicMs();
    await untilStatus(beat, 'down');
    expect(world.clock.monotonicMs() - beforeMonoMs).toBeLessThan(46_000);
  });

  it('the engine measures the silence from a ping that arrives just after the clock is set back', async () => {
    const { seq } = await create({ type: 'heartbeat', interval: 10, gracePeriod: 5 });
    const ping = () =>
      world.pings.record({ token: 'token', kind: 'success', exitCode: null, metrics: null, at: world.clock.now() });
    await ping();
    await pass(5000);
    world.clock.setWall(-3_600_000);
    await world.clock.advance(100);
    await ping();
    const pingedMonoMs = world.clock.monotonicMs();
    await untilStatus(seq, 'down');
    const silence = world.clock.monotonicMs() - pingedMonoMs;
    expect(silence).toBeGreaterThanOrEqual(15_000);
    // If the store is slow, the daemon's signs of life are late. The daemon counts the time between two signs as an
    // absence, and extends the deadline of the heartbeat.
    expect(silence).toBeLessThan(30_000);
  });

  it('the engine moves the deadline of a heartbeat that got a ping just before the clock is set back', async () => {
    const { seq } = await create({ type: 'heartbeat', interval: 10, gracePeriod: 5 });
    await pass(1900);
    await world.pings.record({ token: 'token', kind: 'success', exitCode: null, metrics: null, at: world.clock.now() });
    world.clock.setWall(-3_600_000);
    await pass(10_000);
    expect((await state(seq)).status).toBe('up');
    const fromMonoMs = world.clock.monotonicMs();
    await untilStatus(seq, 'down');
    expect(world.clock.monotonicMs() - fromMonoMs).toBeLessThan(20_000);
  });

  it('after a kill, the engine checks a monitor at the next point of its grid, unless another daemon may have the claim', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 60 });
    await untilStatus(seq, 'up');
    const { db, dialect } = world.database.store;
    await stop();
    const until = world.clock.now() + 300_000;
    await db.updateTable('schedule').set({ next_at: 0, lease_until: until }).execute();
    const before = world.checked.length;
    await start();
    expect((await world.nextCheckAt(seq)) - world.clock.now()).toBeLessThanOrEqual(60_000);
    await pass(61_000, 1000);
    expect(world.checked.length).toBe(dialect.exclusive ? before + 1 : before);
  });

  it('after a kill, the engine checks new and edited monitors within two seconds of the start, and other monitors within an interval', async () => {
    const made = [];
    for (let at = 0; at < 20; at++)
      made.push(await create({ type: 'tcp', host: 'localhost', port: 1, interval: 3600 }));
    const { seq, fields } = made[0]!;
    for (const one of made) await untilStatus(one.seq, 'up');
    await stop();
    const { seq: added } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 3600 });
    await edit(seq, fields, { port: 2 });
    const before = world.checked.length;
    const started = world.clock.now();
    await start();
    await pass(2000);
    expect(world.checked.length).toBeGreaterThanOrEqual(before + 2);
    for (const one of [seq, added]) expect((await state(one)).last_checked_at).toBeGreaterThanOrEqual(started);
    if (!world.database.store.dialect.exclusive) return;
    expect(world.checked.length).toBe(before + 2);
    const next = await Promise.all(made.slice(1).map((one) => world.nextCheckAt(one.seq)));
    expect(Math.max(...next) - started).toBeLessThanOrEqual(3_600_000 + 2000);
    expect(new Set(next).size).toBe(19);
  });
});
