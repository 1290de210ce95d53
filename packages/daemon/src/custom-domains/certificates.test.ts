import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { makeCertificate } from '../testing/targets/certificates.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { AuthorityLimit } from './authority-limit.ts';
import { openCertificateFiles } from './certificate-files.ts';
import { type Certificates, openCertificates } from './certificates.ts';
import type { OrderCertificate } from './order-certificate.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const name = 'status.example.com';

let folder: string;
let clock: FakeClock;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uptime-certificates-'));
  clock = createFakeClock();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = async (order: OrderCertificate) =>
  openCertificates({ clock, log: silentLog }, await openCertificateFiles(folder), order);
/** One turn of the loop. */
const maintain = (certificates: Certificates, names: string[] = [name]) =>
  certificates.maintain(
    names.map((one) => ({ name: one, account: 'usr_1' })),
    new Set(names),
  );

/** A minimal authority that counts the orders, and fails on demand. */
function authority(host = name) {
  const state: { orders: number; failing: boolean; limitMs: number | null } = {
    orders: 0,
    failing: false,
    limitMs: null,
  };
  const order: OrderCertificate = async () => {
    state.orders++;
    if (state.failing) throw new Error('The authority has no time.');
    if (state.limitMs !== null) throw new AuthorityLimit('Too many orders.', state.limitMs);
    const [notBefore, notAfter] = [new Date(clock.now()), new Date(clock.now() + 90 * day)];
    const { key, cert } = await makeCertificate({ hosts: [host], notBefore, notAfter });
    return key + cert;
  };
  return { state, order };
}

test('a certificate is renewed at two thirds of its life, and the old one serves meanwhile', async () => {
  const { state, order } = authority();
  const certificates = await open(order);
  await maintain(certificates);
  await vi.waitFor(() => expect(certificates.stateOf(name).ready).toBe(true), 10_000);
  const first = certificates.contextOf('Status.Example.com');
  expect(first).not.toBeNull();

  await clock.advance(59.9 * day);
  await maintain(certificates);
  expect(state.orders).toBe(1);

  state.failing = true;
  await clock.advance(0.2 * day);
  await vi.waitFor(async () => {
    // Like the loop: the first order may still be storing its success, and a name has only one order at a time.
    await maintain(certificates);
    expect(certificates.stateOf(name).error).toBe('The authority has no time.');
  }, 10_000);
  expect(state.orders).toBe(2);
  expect(certificates.contextOf(name)).toBe(first);
  state.failing = false;
  await clock.advance(minute);
  await maintain(certificates);
  expect(state.orders).toBe(2);
  await clock.advance(minute);
  await maintain(certificates);
  await vi.waitFor(() => expect(certificates.stateOf(name)).toMatchObject({ ready: true, error: null }), 10_000);
  expect(state.orders).toBe(3);
  expect(certificates.contextOf(name)).not.toBe(first);

  const later = await open(order);
  await maintain(later);
  expect(later.stateOf(name).ready).toBe(true);
  expect(state.orders).toBe(3);
});

test('failed orders are retried at most five times an hour, also by daemons that restart in a loop', async () => {
  const { state, order } = authority();
  state.failing = true;
  const at: number[] = [];
  for (let elapsed = 0; elapsed < 180; elapsed++) {
    const certificates = await open(order);
    const before = state.orders;
    await maintain(certificates);
    await certificates.close();
    if (state.orders > before) at.push(elapsed);
    await clock.advance(minute);
  }
  expect(at.slice(0, 6)).toEqual([0, 2, 6, 14, 30, 62]);
  for (const start of at) expect(at.filter((time) => time >= start && time < start + 60).length).toBeLessThan(6);
});

test('a name has one order at a time, all together four, and a result that came too late is dropped', async () => {
  const began: string[] = [];
  const gate = Promise.withResolvers<void>();
  const certificates = await open(async (host, signal) => {
    began.push(host);
    await gate.promise;
    return authority(host).order(host, signal);
  });
  const names = ['a.example', 'b.example', 'c.example', 'd.example', 'e.example'];
  await maintain(certificates, names);
  await maintain(certificates, names);
  await vi.waitFor(() => expect(began).toEqual(names.slice(0, 4)), 10_000);

  const left = names.slice(1);
  await maintain(certificates, left);
  gate.resolve();
  await vi.waitFor(() => expect(certificates.stateOf('d.example').ready).toBe(true), 10_000);
  await vi.waitFor(async () => {
    await maintain(certificates, left);
    expect(certificates.stateOf('e.example').ready).toBe(true);
  }, 10_000);
  expect(certificates.contextOf('a.example')).toBeNull();
  const kept = await (await openCertificateFiles(folder)).certificates();
  expect(kept.map((one) => one.name).toSorted()).toEqual(left);
});

test('a certificate for another name, or of another key, is not served', async () => {
  const strange = await open(authority('other.example').order);
  await maintain(strange);
  await vi.waitFor(() => expect(strange.stateOf(name).error).toBe(`The certificate is not for ${name}.`), 10_000);
  const [one, other] = await Promise.all([makeCertificate({ hosts: [name] }), makeCertificate({ hosts: [name] })]);
  await clock.advance(2 * minute);
  const mismatched = await open(async () => one.key + other.cert);
  await maintain(mismatched);
  await vi.waitFor(
    () => expect(mismatched.stateOf(name).error).toBe('The certificate does not belong to its key.'),
    10_000,
  );
  expect(mismatched.contextOf(name)).toBeNull();
});

test('a folder that cannot be written is reported without its path', async () => {
  const certificates = await open(authority().order);
  await mkdir(join(folder, 'certificates', `${name}.pem`));
  await maintain(certificates);
  await vi.waitFor(
    () => expect(certificates.stateOf(name).error).toBe('this server could not keep it (EISDIR)'),
    10_000,
  );
  expect(certificates.contextOf(name)).toBeNull();
});

test('an expired certificate is not ready, and the reason of its failed renewal survives a restart', async () => {
  const { state, order } = authority();
  const certificates = await open(order);
  await maintain(certificates);
  await vi.waitFor(() => expect(certificates.stateOf(name).ready).toBe(true), 10_000);
  expect(certificates.warnings()).toEqual([]);
  state.failing = true;
  await clock.advance(61 * day);
  await maintain(certificates);
  await vi.waitFor(
    () =>
      expect(certificates.warnings()).toEqual([
        '1 certificate of a custom domain could not be renewed yet. The log says why.',
      ]),
    10_000,
  );
  expect(certificates.stateOf(name)).toMatchObject({ ready: true, error: 'The authority has no time.' });
  await clock.advance(30 * day);
  const expired = { ready: false, error: 'The authority has no time.' };
  expect(certificates.stateOf(name)).toMatchObject(expired);
  await certificates.close();

  const later = await open(order);
  expect(later.stateOf(name)).toMatchObject(expired);
  expect(later.warnings()).toEqual([
    '1 certificate of a custom domain expired. The log says why no new one could be obtained.',
  ]);
  state.failing = false;
  await maintain(later);
  await vi.waitFor(() => expect(later.stateOf(name)).toMatchObject({ ready: true, error: null }), 10_000);
  expect(later.warnings()).toEqual([]);
});

test('an order aborted by a stop is not a failure: the next start orders at once', async () => {
  const { order } = authority();
  const begun = Promise.withResolvers<void>();
  const certificates = await open(async (_, signal) => {
    begun.resolve();
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  });
  await maintain(certificates);
  await begun.promise;
  await certificates.close();
  expect(certificates.stateOf(name).error).toBeNull();

  const later = await open(order);
  await maintain(later);
  await vi.waitFor(() => expect(later.stateOf(name)).toMatchObject({ ready: true, error: null }), 10_000);
});

test("the authority's wait stops all orders until its end, also after a restart, and is not a failure", async () => {
  const { state, order } = authority();
  state.limitMs = 2 * 60 * minute;
  const first = await open(order);
  await maintain(first);
  await vi.waitFor(() => expect(first.stateOf(name).error).toBe('Too many orders.'), 10_000);
  await first.close();
  const until = clock.now() + 2 * 60 * minute;
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
  await clock.advance(119 * minute);
  await maintain(certificates, names);
  const wait = { until, reason: 'The certificate authority asked to wait' };
  for (const one of names) expect(certificates.stateOf(one)).toMatchObject({ ready: false, wait });
  expect(ordered).toEqual([]);
  await clock.advance(minute);
  await maintain(certificates, names);
  await vi.waitFor(() => {
    for (const one of names) expect(certificates.stateOf(one)).toMatchObject({ ready: true, wait: null });
  }, 10_000);
});

test('600 names of many accounts are ordered within the limits, and waiting ones say why', async () => {
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
    { timeout: 20_000, interval: 1 },
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

test('renewals come before new names', async () => {
  const ordered: string[] = [];
  const hosts = ['old.example', 'older.example'];
  const first = await open((host, signal) => authority(host).order(host, signal));
  await maintain(first, ['older.example']);
  await vi.waitFor(() => expect(first.stateOf('older.example').ready).toBe(true), 10_000);
  await clock.advance(day);
  await maintain(first, hosts);
  await vi.waitFor(() => expect(first.stateOf('old.example').ready).toBe(true), 10_000);
  await first.close();
  await clock.advance(62 * day);
  const later = await open(async (host, signal) => {
    ordered.push(host);
    return authority(host).order(host, signal);
  });
  await maintain(later, ['new-1.example', 'new-2.example', 'new-3.example', ...hosts]);
  await vi.waitFor(() => expect(ordered).toHaveLength(4), 10_000);
  expect(ordered.toSorted().slice(-2)).toEqual(hosts);
  await later.close();
});
