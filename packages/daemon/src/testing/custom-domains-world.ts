import { afterEach, beforeEach, expect, vi } from 'vitest';
import { passingCheck } from './passing-check.ts';
import { acmeTarget, type AcmeTarget } from './targets/acme.ts';
import { dnsTarget, type DnsTarget, type Zone } from './targets/dns.ts';
import { createTestDaemon, type TestDaemon, type TestDaemonOptions } from './test-daemon.ts';

export interface Page {
  id: string;
  domain: { status: string; error: string | null; cname: string; txt: { name: string; value: string } } | null;
}

/** Starts a DNS server and a certificate authority for each test. `start` starts a daemon that uses them. */
export function createCustomDomainsWorld() {
  const closers: (() => Promise<void>)[] = [];
  let zones: Record<string, Zone>;
  let dns: DnsTarget;
  let acme: AcmeTarget;
  beforeEach(async () => {
    zones = {
      'pages.example.net': { A: ['127.0.0.1'] },
      'status.example.com': { CNAME: 'pages.example.net' },
      'shop.example.com': { CNAME: 'pages.example.net' },
    };
    dns = await dnsTarget(zones);
    acme = await acmeTarget();
    closers.push(
      () => dns.close(),
      () => acme.close(),
    );
  });
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });

  async function start(env: Record<string, string> = {}, more: TestDaemonOptions = {}): Promise<TestDaemon> {
    const daemon = await createTestDaemon({
      runCheck: passingCheck,
      env: { UPTIME_PUBLIC_HOST: 'pages.example.net', UPTIME_DNS_SERVERS: dns.server, ...env },
      ...more,
    });
    closers.push(() => daemon.close());
    acme.challengePort = Number(new URL(daemon.url).port);
    return daemon;
  }

  const withHttps = (more?: TestDaemonOptions, env: Record<string, string> = {}) =>
    start({ UPTIME_HTTPS_PORT: '0', UPTIME_ACME_DIRECTORY_URL: acme.directoryUrl, ...env }, more);

  return {
    get zones() {
      return zones;
    },
    get dns() {
      return dns;
    },
    get acme() {
      return acme;
    },
    start,
    withHttps,
    create,
    read,
    verify,
    untilStatus,
    plainPort,
  };
}

async function create(daemon: TestDaemon, slug: string, customDomain: string): Promise<Page> {
  const { status, body } = await daemon.request('POST', '/api/status-pages', {
    name: `The ${slug}`,
    slug,
    customDomain,
  });
  expect(status).toBe(201);
  return body as Page;
}

const read = async (daemon: TestDaemon, { id }: Page): Promise<Page> =>
  (await daemon.request('GET', `/api/status-pages/${id}`)).body as Page;
const verify = async (daemon: TestDaemon, { id }: Page): Promise<Page> => {
  const { status, body } = await daemon.request('POST', `/api/status-pages/${id}/verify-domain`);
  expect(status).toBe(200);
  return body as Page;
};
const untilStatus = (daemon: TestDaemon, page: Page, status: string) =>
  vi.waitFor(async () => expect(await read(daemon, page)).toMatchObject({ domain: { status } }), 20_000);
const plainPort = ({ url }: TestDaemon) => Number(new URL(url).port);
