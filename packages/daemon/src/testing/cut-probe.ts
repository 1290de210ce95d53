import { expect, vi } from 'vitest';
import { openProbeWorld, type ProbeWorld } from './probe-world.ts';
import { expectResultsInOrder, startResultsRecorder } from './results-in-order.ts';
import { startTcpProxy } from './tcp-proxy.ts';

const waiting = { timeout: 60_000, interval: 100 };
/** Two probes share a region's monitors by a hash. With 40 monitors, one run in 10 ^ 12 gives a probe no monitor. */
const maxMonitors = 40;

/**
 * Lets three probes in two regions check at least four monitors, and interrupts the network connection of one probe
 * for `cutMs`. Expects that each probe sent its results in order, that the server stored all of them, and that no alarm
 * was sent. Then expects that a real outage leads to an alarm for each monitor.
 */
export async function cutProbe(cutMs: number): Promise<void> {
  const world = await openProbeWorld();
  const { daemon, target } = world;
  const recorder = await startResultsRecorder(daemon.url);
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(recorder.url).port) });
  try {
    const [eu, us] = [await world.newToken('eu'), await world.newToken('us')];
    const probes = [
      world.start({ token: eu, name: 'eu-1', site: `http://127.0.0.1:${proxy.port}` }),
      world.start({ token: eu, name: 'eu-2', site: recorder.url }),
      world.start({ token: us, name: 'us-1', site: recorder.url }),
    ];
    await vi.waitFor(async () => expect(await probesOf(world)).toHaveLength(probes.length), waiting);
    const monitors = await createMonitors(world, () => {
      const sending = new Set(recorder.calls.map(({ probe }) => probe));
      return sending.size === probes.length;
    });
    const hook = { type: 'webhook', name: 'hook', config: { url: target.url('hook') } };
    const channel = await daemon.request('POST', '/api/notification-channels', hook);
    const rule = {
      name: 'all',
      monitorIds: monitors.map(({ id }) => id),
      channelIds: [(channel.body as { id: string }).id],
    };
    expect(await daemon.request('POST', '/api/alert-rules', rule)).toMatchObject({ status: 201 });
    proxy.swallow();
    proxy.cut();
    await new Promise((resolve) => setTimeout(resolve, cutMs));
    proxy.heal();
    const healedAt = Date.now();
    await vi.waitFor(async () => {
      const isBack = (await probesOf(world)).map(
        ({ lastSeenAt, queued }) => Date.parse(lastSeenAt) > healedAt && queued < 10,
      );
      expect(isBack).toEqual([true, true, true]);
    }, waiting);
    const alarms = () => daemon.store.db.selectFrom('alert').selectAll().execute();
    expect(await alarms()).toEqual([]);
    for (const { id } of monitors) expect(await world.eventsOf(id)).toEqual(['up']);
    target.shut();
    for (const { id } of monitors) await world.statusIs(id, 'down');
    expect(await alarms()).toHaveLength(monitors.length);
    // The cut may lose the answer to one call. Then the probe sends the results of this call again.
    expectResultsInOrder(recorder.calls, { probes: probes.length, maxRepeatedCalls: 1 });
    for (const probe of probes) expect(await probe.stop()).toBe(0);
    // A stopping probe sends all waiting results, also those of a call that still waits for its answer. The loop that
    // usually sends results may also repeat one call before it ends.
    const maxRepeatedCalls = 1 + 2 * probes.length;
    const received = expectResultsInOrder(recorder.calls, { probes: probes.length, maxRepeatedCalls });
    let stored = 0;
    for (const monitor of monitors) stored += await expectNoGaps(world, monitor, probes.length);
    expect(stored).toBe(received);
  } finally {
    await proxy.close();
    await recorder.close();
    await world.close();
  }
}

async function probesOf({ daemon }: ProbeWorld): Promise<{ lastSeenAt: string; queued: number }[]> {
  const { body } = await daemon.request('GET', '/api/regions');
  return (body as { probes: { lastSeenAt: string; queued: number }[] }[]).flatMap((region) => region.probes);
}

/**
 * Creates at least four monitors, and more until `isEnough` returns true. When this function resolves, both regions
 * have checked each monitor.
 */
async function createMonitors(world: ProbeWorld, isEnough: () => boolean): Promise<{ name: string; id: string }[]> {
  const monitors: { name: string; id: string }[] = [];
  while (monitors.length < 4 || !isEnough()) {
    expect(monitors.length).toBeLessThan(maxMonitors);
    const name = `monitor-${monitors.length + 1}`;
    const id = await world.create(name, ['eu', 'us']);
    await vi.waitFor(async () => {
      const regions = new Set((await world.resultsOf(id)).map(({ region }) => region));
      expect(regions).toEqual(new Set(['eu', 'us']));
    }, waiting);
    monitors.push({ name, id });
  }
  for (const { id } of monitors) await world.statusIs(id, 'up');
  return monitors;
}

/** Expects that no result of a monitor is missing or has a wrong time. Returns how many results are stored. */
async function expectNoGaps(
  { target, resultsOf }: ProbeWorld,
  { name, id }: { name: string; id: string },
  probes: number,
): Promise<number> {
  const results = await resultsOf(id);
  // A stop aborts running checks, so each probe may lose one check of this monitor.
  const lost = target.requests(name).length - results.length;
  expect(lost).toBeGreaterThanOrEqual(0);
  expect(lost).toBeLessThanOrEqual(probes);
  for (const region of ['eu', 'us']) {
    const ofRegion = results.filter((result) => result.region === region);
    // The target failed only at the end. So a passed check after a failed one would have a wrong time.
    expect(ofRegion.map(({ status }) => status).join(' ')).toMatch(/^(up ?)+(down ?)+$/);
    const own = ofRegion.map(({ timestamp }) => Date.parse(timestamp));
    const gaps = own.slice(1).map((at, before) => at - own[before]!);
    expect(Math.max(...gaps)).toBeLessThan(5000);
  }
  return results.length;
}
