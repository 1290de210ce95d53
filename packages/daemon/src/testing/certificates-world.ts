import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { AuthorityLimit } from '../custom-domains/authority-limit.ts';
import { openCertificateFiles } from '../custom-domains/certificate-files.ts';
import { type Certificates, openCertificates } from '../custom-domains/certificates.ts';
import type { OrderCertificate } from '../custom-domains/acme-order.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { makeCertificate } from './targets/certificates.ts';
import { silentLog } from './test-daemon.ts';

const dayMs = 24 * 60 * 60_000;

/** Makes a folder of certificates and a clock for each test. Call this function at the top of a test file. */
export function createCertificatesWorld(name: string) {
  let folder: string;
  let clock: FakeClock;
  let opened: Certificates[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'uptime-certificates-'));
    clock = createFakeClock();
  });
  afterEach(async () => {
    // Running orders may still write into the folder, so they end before the folder is removed.
    await Promise.all(opened.map((certificates) => certificates.close()));
    opened = [];
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (order: OrderCertificate) => {
    const certificates = await openCertificates({ clock, log: silentLog }, await openCertificateFiles(folder), order);
    opened.push(certificates);
    return certificates;
  };
  /** Does one run of the maintenance loop: orders missing certificates, and renews old ones. */
  const maintain = (certificates: Certificates, names: string[] = [name]) =>
    certificates.maintain(
      names.map((one) => ({ name: one, account: 'usr_1' })),
      new Set(names),
    );
  /**
   * Creates a minimal certificate authority. It counts the orders, and refuses them if the test sets `failing` or
   * `limitMs`.
   */
  const authority = (host = name) => {
    const state: { orders: number; failing: boolean; limitMs: number | null } = {
      orders: 0,
      failing: false,
      limitMs: null,
    };
    const order: OrderCertificate = async () => {
      state.orders++;
      if (state.failing) throw new Error('The authority has no time.');
      if (state.limitMs !== null) throw new AuthorityLimit('Too many orders.', state.limitMs);
      const [notBefore, notAfter] = [new Date(clock.now()), new Date(clock.now() + 90 * dayMs)];
      const { key, cert } = await makeCertificate({ hosts: [host], notBefore, notAfter });
      return key + cert;
    };
    return { state, order };
  };
  return {
    get folder() {
      return folder;
    },
    get clock() {
      return clock;
    },
    open,
    maintain,
    authority,
  };
}
