import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createCertificatesWorld } from '../testing/certificates-world.ts';
import { makeCertificate } from '../testing/targets/certificates.ts';
import { openCertificateFiles } from './certificate-files.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const name = 'status.example.com';
const world = createCertificatesWorld(name);
const { open, maintain, authority } = world;

test('after two thirds of its life, a certificate is ordered again, and the old certificate is served until the new one is stored', async () => {
  const { state, order } = authority();
  const certificates = await open(order);
  await maintain(certificates);
  await vi.waitFor(() => expect(certificates.stateOf(name).ready).toBe(true), 10_000);
  const first = certificates.contextOf('Status.Example.com');
  expect(first).not.toBeNull();

  await world.clock.advance(59.9 * day);
  await maintain(certificates);
  expect(state.orders).toBe(1);

  state.failing = true;
  await world.clock.advance(0.2 * day);
  await vi.waitFor(async () => {
    // Calls `maintain` repeatedly, as the loop does, because the second order for the name begins only after the first
    // order has stored its result.
    await maintain(certificates);
    expect(certificates.stateOf(name).error).toBe('The authority has no time.');
  }, 10_000);
  expect(state.orders).toBe(2);
  expect(certificates.contextOf(name)).toBe(first);
  state.failing = false;
  await world.clock.advance(minute);
  await maintain(certificates);
  expect(state.orders).toBe(2);
  await world.clock.advance(minute);
  await vi.waitFor(async () => {
    // The failed order may still be ending, so the first call may begin no order.
    await maintain(certificates);
    expect(certificates.stateOf(name)).toMatchObject({ ready: true, error: null });
  }, 10_000);
  expect(state.orders).toBe(3);
  expect(certificates.contextOf(name)).not.toBe(first);

  const later = await open(order);
  await maintain(later);
  expect(later.stateOf(name).ready).toBe(true);
  expect(state.orders).toBe(3);
});

test('a certificate is ordered at most five times an hour, even if the orders fail and the daemon restarts in a loop', async () => {
  const { state, order } = authority();
  state.failing = true;
  const at: number[] = [];
  for (let elapsed = 0; elapsed < 180; elapsed++) {
    const certificates = await open(order);
    const before = state.orders;
    await maintain(certificates);
    await certificates.close();
    if (state.orders > before) at.push(elapsed);
    await world.clock.advance(minute);
  }
  expect(at.slice(0, 6)).toEqual([0, 2, 6, 14, 30, 62]);
  for (const start of at) expect(at.filter((time) => time >= start && time < start + 60).length).toBeLessThan(6);
});

test('at most one order for a name and four orders in all run at once, and the certificate of a deleted page is not stored', async () => {
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
  const kept = await (await openCertificateFiles(world.folder)).certificates();
  expect(kept.map((one) => one.name).toSorted()).toEqual(left);
});

test('a new certificate that does not match its name or its key is an error, and is not served', async () => {
  const strange = await open(authority('other.example').order);
  await maintain(strange);
  await vi.waitFor(() => expect(strange.stateOf(name).error).toBe(`The certificate is not for ${name}.`), 10_000);
  const [one, other] = await Promise.all([makeCertificate({ hosts: [name] }), makeCertificate({ hosts: [name] })]);
  await world.clock.advance(2 * minute);
  const mismatched = await open(async () => one.key + other.cert);
  await maintain(mismatched);
  await vi.waitFor(
    () => expect(mismatched.stateOf(name).error).toBe('The certificate does not belong to its key.'),
    10_000,
  );
  expect(mismatched.contextOf(name)).toBeNull();
});

test('if the certificate cannot be stored, the reported error does not contain the path', async () => {
  const certificates = await open(authority().order);
  await mkdir(join(world.folder, 'certificates', `${name}.pem`));
  await maintain(certificates);
  await vi.waitFor(
    () => expect(certificates.stateOf(name).error).toBe('this server could not store the certificate (EISDIR)'),
    10_000,
  );
  expect(certificates.contextOf(name)).toBeNull();
});

test('an expired certificate is not ready, and the reason of its failed renewal is known after a restart', async () => {
  const { state, order } = authority();
  const certificates = await open(order);
  await maintain(certificates);
  await vi.waitFor(() => expect(certificates.stateOf(name).ready).toBe(true), 10_000);
  expect(certificates.warnings()).toEqual([]);
  state.failing = true;
  await world.clock.advance(61 * day);
  await vi.waitFor(async () => {
    // Calls `maintain` repeatedly, as the loop does, because the first order may still be storing its success.
    await maintain(certificates);
    expect(certificates.warnings()).toEqual([
      '1 certificate of a custom domain could not be renewed yet. The log says why.',
    ]);
  }, 10_000);
  expect(certificates.stateOf(name)).toMatchObject({ ready: true, error: 'The authority has no time.' });
  await world.clock.advance(30 * day);
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

test('an order that a stop of the daemon aborted does not count as a failure, so the next start orders again at once', async () => {
  const { order } = authority();
  const begun = Promise.withResolvers<void>();
  const certificates = await open(async (_, { stop: signal }) => {
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
