import { expect, test, vi } from 'vitest';
import { createCertificatesWorld } from '../testing/certificates-world.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const name = 'status.example.com';
const world = createCertificatesWorld(name);
const { open, maintain, authority } = world;

test('an order that waits for the authority lets other orders run, and shows until when it waits', async () => {
  const began: string[] = [];
  const ended: string[] = [];
  const names = Array.from({ length: 6 }, (_, index) => `shop${index}.example.com`);
  const until = world.clock.now() + 60 * minute;
  const certificates = await open(async (host, { stop, abandon, onWait }) => {
    began.push(host);
    onWait(until);
    const signal = AbortSignal.any([stop, abandon]);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    ended.push(host);
    throw signal.reason;
  });
  await vi.waitFor(async () => {
    await maintain(certificates, names);
    expect(began).toEqual(names);
  }, 20_000);
  const waiting = { ready: false, error: null, wait: { until, reason: 'The certificate authority asked to wait' } };
  expect(certificates.stateOf(names[0]!)).toMatchObject(waiting);

  // A page is deleted, so its order ends. If a new page uses the same name, no order begins before the wait has ended.
  await maintain(certificates, names.slice(1));
  await vi.waitFor(() => expect(ended).toEqual([names[0]]), 20_000);
  await maintain(certificates, names);
  expect(certificates.stateOf(names[0]!)).toMatchObject(waiting);
  expect(began).toEqual(names);

  // The waits continue after a restart of the daemon.
  await certificates.close();
  const later = await open((host) => Promise.resolve(void began.push(host)).then(() => ''));
  await maintain(later, names);
  expect(later.stateOf(names[1]!)).toMatchObject(waiting);
  expect(began).toHaveLength(6);
  await world.clock.advance(60 * minute);
  await maintain(later, names);
  await vi.waitFor(() => expect(began).toHaveLength(10), 20_000);
  await later.close();
});

test('if the authority accepts no orders, all orders wait until the given time, even after a restart, and no order counts as failed', async () => {
  const { state, order } = authority();
  state.limitMs = 2 * 60 * minute;
  const first = await open(order);
  await maintain(first);
  await vi.waitFor(() => expect(first.stateOf(name).error).toBe('Too many orders.'), 10_000);
  await first.close();
  const until = world.clock.now() + 2 * 60 * minute;
  expect(first.warnings()).toEqual([
    `The certificate authority accepts no orders until ${new Date(until).toISOString()}.`,
  ]);

  state.limitMs = null;
  const ordered: string[] = [];
  const certificates = await open(async (host, signal) => {
    ordered.push(host);
    return authority(host).order(host, signal);
  });
  const names = [name, 'shop.example.org'];
  await world.clock.advance(119 * minute);
  await maintain(certificates, names);
  const wait = { until, reason: 'The certificate authority asked to wait' };
  for (const one of names) expect(certificates.stateOf(one)).toMatchObject({ ready: false, wait });
  expect(ordered).toEqual([]);
  await world.clock.advance(minute);
  await maintain(certificates, names);
  await vi.waitFor(() => {
    for (const one of names) expect(certificates.stateOf(one)).toMatchObject({ ready: true, wait: null });
  }, 10_000);
});

test('certificates for 600 names of many accounts are ordered within the limits, and waiting orders say why they wait', async () => {
  const ordered: string[] = [];
  const certificates = await open(async (host) => {
    ordered.push(host);
    throw new Error('No.');
  });
  const wanted = Array.from({ length: 600 }, (_, n) => ({
    name: `status.shop${n}.example`,
    account: `usr_${Math.floor(n / 12)}`,
  }));
  const bound = new Set(wanted.map((one) => one.name));
  const isWaiting = ({ name: one }: { name: string }) => certificates.stateOf(one).wait !== null;
  const isTried = ({ name: one }: { name: string }) => certificates.stateOf(one).error !== null;
  await vi.waitFor(
    async () => {
      await certificates.maintain(wanted, bound);
      expect(wanted.every((one) => isWaiting(one) || isTried(one))).toBe(true);
    },
    { timeout: 100_000, interval: 10 },
  );
  expect(ordered).toHaveLength(250);
  expect(ordered.filter((host) => /shop(\d|1[01])\.example/.test(host))).toHaveLength(10);
  await certificates.close();

  const later = await open(async (host) => {
    ordered.push(host);
    throw new Error('No.');
  });
  await later.maintain(wanted, bound);
  await later.close();
  expect(ordered).toHaveLength(250);
});

test('certificates that have to be renewed are ordered before certificates for new names', async () => {
  const ordered: string[] = [];
  const hosts = ['old.example', 'older.example'];
  const first = await open((host, signal) => authority(host).order(host, signal));
  await maintain(first, ['older.example']);
  await vi.waitFor(() => expect(first.stateOf('older.example').ready).toBe(true), 10_000);
  await world.clock.advance(day);
  await maintain(first, hosts);
  await vi.waitFor(() => expect(first.stateOf('old.example').ready).toBe(true), 10_000);
  await first.close();
  await world.clock.advance(62 * day);
  const later = await open(async (host, signal) => {
    ordered.push(host);
    return authority(host).order(host, signal);
  });
  await maintain(later, ['new-1.example', 'new-2.example', 'new-3.example', ...hosts]);
  await vi.waitFor(() => expect(ordered).toHaveLength(4), 10_000);
  expect(ordered.toSorted().slice(-2)).toEqual(hosts);
  await later.close();
});
