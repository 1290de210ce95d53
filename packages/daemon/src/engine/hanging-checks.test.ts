import { describe, expect, it, vi } from 'vitest';
import { databases } from '../testing/databases.ts';
import { createEngineWorld, passed, refused } from '../testing/engine-world.ts';
import { allResults } from '../testing/all-results.ts';

describe.each(databases)('the engine on $name', ({ open }) => {
  const world = createEngineWorld({ open });

  const { create, edit, state, outages, pass, untilStatus } = world;

  it('the engine begins the next check when it is due, however long the previous check hangs', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 10, timeout: 25 });
    await untilStatus(seq, 'up');
    [world.outcome, world.takes] = [refused, 25_000];
    const begins = world.clock.now();
    await untilStatus(seq, 'down');
    expect((await state(seq)).since - begins).toBeLessThanOrEqual(10_000 + 25_000);
    await pass(begins + 3 * 10_000 + 25_000 - world.clock.now());
    await vi.waitFor(async () => expect((await state(seq)).failures).toBe(3), 10_000);
    const hanging = world.checked.filter((at) => at >= begins);
    // A slow store may delay one check, but not the checks after it.
    for (const [index, at] of hanging.entries()) expect(Math.abs(at - hanging[0]! - index * 10_000)).toBeLessThan(2000);
  });

  it('the engine ignores the verdict of a hanging check if a later check already has a verdict', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 10, timeout: 25 });
    await untilStatus(seq, 'up');
    const before = world.checked.length;
    [world.outcome, world.takes] = [refused, 25_000];
    while (world.checked.length === before) await pass(250);
    [world.outcome, world.takes] = [passed, 0];
    await pass(30_000);
    expect(await state(seq)).toMatchObject({ status: 'up', failures: 0 });
    expect(await outages()).toEqual([]);
    const results = () => allResults(world.database.store);
    await vi.waitFor(async () => expect(await results()).toHaveLength(world.checked.length), 10_000);
    expect(new Set((await results()).map(({ code }) => code)).size).toBe(2);
    // The claim was given back, so the following checks begin at their usual times.
    const [count, fromMonoMs] = [world.checked.length, world.clock.monotonicMs()];
    while (world.checked.length < count + 2) await pass(250);
    expect(world.clock.monotonicMs() - fromMonoMs).toBeLessThan(30_000);
  });

  it('the engine checks an edited target within two seconds, even if the check of the old target hangs', async () => {
    world.takes = 60_000;
    const { seq, fields } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 3600, timeout: 60 });
    await pass(1000);
    expect(world.checked).toHaveLength(1);
    world.takes = 0;
    const edited = world.clock.now();
    await edit(seq, fields, { port: 2 });
    await untilStatus(seq, 'up');
    expect((await state(seq)).since - edited).toBeLessThanOrEqual(2000);
    world.outcome = refused;
    await pass(60_000, 5000);
    expect(await state(seq)).toMatchObject({ status: 'up' });
    expect(world.checked).toHaveLength(2);
  });

  it('the engine begins no further check of a paused monitor, even if an earlier check of the monitor still hangs', async () => {
    world.takes = 25_000;
    const { seq, fields } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 10, timeout: 25 });
    while (world.checked.length === 0) await pass(250);
    const count = world.checked.length;
    await edit(seq, fields, { paused: true });
    await pass(30_000, 1000);
    expect(world.checked.length).toBe(count);
    expect((await state(seq)).status).toBe('paused');
  });

  it('after a resume, the engine ignores the results of checks that began before the pause', async () => {
    [world.outcome, world.takes] = [refused, 10_000];
    const { seq, fields } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 3600, timeout: 30 });
    while (world.checked.length === 0) await pass(250);
    const paused = await edit(seq, fields, { paused: true });
    await pass(5000, 1000);
    [world.outcome, world.takes] = [passed, 20_000];
    await edit(seq, paused, { paused: false });
    await untilStatus(seq, 'up');
    expect(world.transitions.map(({ to }) => to)).not.toContain('down');
    expect(world.checked).toHaveLength(2);
  });

  it('the engine reports when the next check of a monitor is due, even while several of its checks hang', async () => {
    world.takes = 25_000;
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 10, timeout: 25 });
    await pass(120_000, 500);
    const nextAt = await world.nextCheckAt(seq);
    expect(world.clock.now() - nextAt).toBeLessThan(2 * 10_000);
  });
});
