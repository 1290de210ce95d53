import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { makeCertificate } from '../testing/targets/certificates.ts';
import { silentLog } from '../testing/test-daemon.ts';
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
const tend = (certificates: Certificates, names: string[] = [name]) => certificates.tend(names, new Set(names));

/** An authority of a few lines; it counts the orders, and fails while told to. */
function authority(host = name) {
  const state = { orders: 0, failing: false };
  const order: OrderCertificate = async () => {
    state.orders++;
    if (state.failing) throw new Error('The authority has no time.');
    const [notBefore, notAfter] = [new Date(clock.now()), new Date(clock.now() + 90 * day)];
    const { key, cert } = await makeCertificate({ hosts: [host], notBefore, notAfter });
    return key + cert;
  };
  return { state, order };
}

test('a certificate is renewed at two thirds of its life, while the old one goes on serving', async () => {
  const { state, order } = authority();
  const certificates = await open(order);
  await tend(certificates);
  await vi.waitFor(() => expect(certificates.stateOf(name).ready).toBe(true));
  const first = certificates.contextOf('Status.Example.com');
  expect(first).not.toBeNull();

  await clock.advance(59.9 * day);
  await tend(certificates);
  expect(state.orders).toBe(1);

  state.failing = true;
  await clock.advance(0.2 * day);
  await vi.waitFor(async () => {
    // As the loop does: the first order may still be writing down that it went well, and a name has one at a time.
    await tend(certificates);
    expect(certificates.stateOf(name).error).toBe('The authority has no time.');
  });
  expect(state.orders).toBe(2);
  expect(certificates.contextOf(name)).toBe(first);
  state.failing = false;
  await clock.advance(minute);
  await tend(certificates);
  expect(state.orders).toBe(2);
  await clock.advance(minute);
  await tend(certificates);
  await vi.waitFor(() => expect(certificates.stateOf(name)).toEqual({ ready: true, error: null }));
  expect(state.orders).toBe(3);
  expect(certificates.contextOf(name)).not.toBe(first);

  const later = await open(order);
  await tend(later);
  expect(later.stateOf(name).ready).toBe(true);
  expect(state.orders).toBe(3);
});

test('failures are tried no more than five times in an hour, also by daemons that start over and over', async () => {
  const { state, order } = authority();
  state.failing = true;
  const at: number[] = [];
  for (let elapsed = 0; elapsed < 180; elapsed++) {
    const certificates = await open(order);
    const before = state.orders;
    await tend(certificates);
    await certificates.close();
    if (state.orders > before) at.push(elapsed);
    await clock.advance(minute);
  }
  expect(at.slice(0, 6)).toEqual([0, 2, 6, 14, 30, 62]);
  for (const start of at) expect(at.filter((time) => time >= start && time < start + 60).length).toBeLessThan(6);
});

test('one order is in flight for a name, four for all, and what came too late is not kept', async () => {
  const began: string[] = [];
  const gate = Promise.withResolvers<void>();
  const certificates = await open(async (host, signal) => {
    began.push(host);
    await gate.promise;
    return authority(host).order(host, signal);
  });
  const names = ['a.example', 'b.example', 'c.example', 'd.example', 'e.example'];
  await tend(certificates, names);
  await tend(certificates, names);
  await vi.waitFor(() => expect(began).toEqual(names.slice(0, 4)));

  const left = names.slice(1);
  await tend(certificates, left);
  gate.resolve();
  await vi.waitFor(() => expect(certificates.stateOf('d.example').ready).toBe(true));
  await vi.waitFor(async () => {
    await tend(certificates, left);
    expect(certificates.stateOf('e.example').ready).toBe(true);
  });
  expect(certificates.contextOf('a.example')).toBeNull();
  const kept = await (await openCertificateFiles(folder)).certificates();
  expect(kept.map((one) => one.name).toSorted()).toEqual(left);
});

test('a certificate for another name, or not of its key, is not served', async () => {
  const strange = await open(authority('other.example').order);
  await tend(strange);
  await vi.waitFor(() => expect(strange.stateOf(name).error).toBe(`The certificate is not for ${name}.`));
  const [one, other] = await Promise.all([makeCertificate({ hosts: [name] }), makeCertificate({ hosts: [name] })]);
  await clock.advance(2 * minute);
  const mismatched = await open(async () => one.key + other.cert);
  await tend(mismatched);
  await vi.waitFor(() => expect(mismatched.stateOf(name).error).toBe('The certificate is not of its key.'));
  expect(mismatched.contextOf(name)).toBeNull();
});

test('a folder that takes no files is a reason too, told without its path', async () => {
  const certificates = await open(authority().order);
  await mkdir(join(folder, 'certificates', `${name}.pem`));
  await tend(certificates);
  await vi.waitFor(() => expect(certificates.stateOf(name).error).toBe('this server could not keep it (EISDIR)'));
  expect(certificates.contextOf(name)).toBeNull();
});
