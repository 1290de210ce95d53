import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ask } from '../testing/ask.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { acmeTarget, type AcmeTarget } from '../testing/targets/acme.ts';
import { dnsTarget, type DnsTarget, type Zone } from '../testing/targets/dns.ts';
import { createTestDaemon, type TestDaemon, type TestDaemonOptions } from '../testing/test-daemon.ts';

interface Page {
  id: string;
  domain: { status: string; error: string | null; cname: string; txt: { name: string; value: string } } | null;
}

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
  vi.waitFor(async () => expect(await read(daemon, page)).toMatchObject({ domain: { status } }), 5000);
const plainPort = ({ url }: TestDaemon) => Number(new URL(url).port);

describe('without HTTPS of its own', () => {
  test('once its domain points here, a page is served there by Host only, and nothing else is', async () => {
    const daemon = await start();
    const port = plainPort(daemon);
    const page = await create(daemon, 'shop', 'status.example.com');
    await create(daemon, 'other', 'elsewhere.example.com');
    await untilStatus(daemon, page, 'active');
    await vi.waitFor(async () => expect((await ask(port, 'status.example.com', '/')).status).toBe(200), 10_000);

    const shown = await ask(port, 'Status.Example.com.:8080', '/');
    expect(shown).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(shown.body).toContain('The shop');
    expect(shown.body).toContain('http://status.example.com/feed.atom');
    expect(JSON.parse((await ask(port, 'status.example.com', '/index.json')).body)).toMatchObject({ name: 'The shop' });
    expect((await ask(port, 'status.example.com', '/feed.atom')).body).toContain('http://status.example.com/');
    expect((await ask(port, 'status.example.com', '/badge.svg')).body).toContain('<svg');
    expect(shown.body).toContain('http://status.example.com/history');
    expect((await ask(port, 'status.example.com', '/history')).body).toContain('Incidents of ');
    expect((await ask(port, 'status.example.com', '/', { method: 'HEAD' })).status).toBe(200);

    const { body: monitor } = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'job' });
    const ping = new URL((monitor as { pingUrl: string }).pingUrl).pathname;
    const key = { 'x-api-key': daemon.apiKey };
    for (const [path, method] of [
      ['/api/monitors', 'GET'],
      ['/api/monitors', 'POST'],
      ['/api/openapi.json', 'GET'],
      ['/api/auth/get-session', 'GET'],
      ['/healthz', 'GET'],
      [ping, 'GET'],
      [ping, 'POST'],
      ['/status/shop', 'GET'],
      ['/status/other', 'GET'],
      ['/', 'POST'],
      ['/.well-known/acme-challenge/unknown', 'GET'],
    ] as const)
      expect({ path, ...(await ask(port, 'status.example.com', path, { method, headers: key })) }).toMatchObject({
        path,
        status: 404,
      });
    expect((await daemon.request('GET', '/api/monitors')).status).toBe(200);
    expect((await ask(port, 'elsewhere.example.com', '/index.json')).status).toBe(404);
    expect(acme.orders).toEqual([]);
    await expect(readdir(join(daemon.dataDir, 'certificates'))).rejects.toThrow('ENOENT');
  });

  test('X-Forwarded-Host counts only from a trusted proxy', async () => {
    const forwarded = { headers: { 'x-forwarded-host': 'status.example.com', 'x-forwarded-proto': 'https' } };
    const statusBehind = async (trust: string) => {
      const daemon = await start({ UPTIME_TRUST_PROXY: trust });
      await verify(daemon, await create(daemon, 'shop', 'status.example.com'));
      return ask(plainPort(daemon), 'inner.example', '/feed.atom', forwarded);
    };
    expect((await statusBehind('false')).status).toBe(404);
    expect((await statusBehind('198.51.100.1')).status).toBe(404);
    const believed = await statusBehind('1');
    expect(believed.status).toBe(200);
    expect(believed.body).toContain('https://status.example.com/feed.atom');
  });

  test('no X-Forwarded-Host leads from a custom domain to the API', async () => {
    const daemon = await start({ UPTIME_TRUST_PROXY: '1' });
    await verify(daemon, await create(daemon, 'shop', 'status.example.com'));
    for (const forwarded of [new URL(daemon.url).host, 'inner.example']) {
      const headers = { 'x-api-key': daemon.apiKey, 'x-forwarded-host': forwarded };
      const port = plainPort(daemon);
      expect((await ask(port, 'status.example.com', '/api/monitors', { headers })).status).toBe(404);
    }
  });

  test('a wrong record is explained, and a verify finds the right one at once', async () => {
    zones['status.example.com'] = { A: ['198.51.100.9'] };
    const daemon = await start();
    const page = await create(daemon, 'shop', 'status.example.com');
    const txt = { name: '_uptime.status.example.com', value: `uptime-project=${daemon.project.id}` };
    expect(page.domain).toEqual({ status: 'pending', error: null, cname: 'pages.example.net', apex: false, txt });
    expect((await verify(daemon, page)).domain).toEqual({
      status: 'error',
      error:
        'status.example.com leads to 198.51.100.9, which is not pages.example.net: give it a CNAME record that points at pages.example.net.',
      cname: 'pages.example.net',
      apex: false,
      txt,
    });
    zones['status.example.com'] = { CNAME: 'pages.example.net' };
    expect((await verify(daemon, page)).domain).toMatchObject({ status: 'active', error: null });
    zones['status.example.com'] = { rcode: 'SERVFAIL' };
    expect((await verify(daemon, page)).domain).toMatchObject({ status: 'active', error: null });
    zones['status.example.com'] = { rcode: 'NXDOMAIN' };
    expect((await verify(daemon, page)).domain).toMatchObject({ status: 'error' });
    expect((await ask(plainPort(daemon), 'status.example.com', '/index.json')).status).toBe(404);
  });

  test('a name server that never answers does not delay the stop, and is not evidence', async () => {
    zones['status.example.com'] = { silent: true };
    const daemon = await start();
    const page = await create(daemon, 'shop', 'status.example.com');
    await vi.waitFor(() => expect(dns.questions).toContain('CNAME status.example.com'), 5000);
    const begun = performance.now();
    await daemon.restart();
    expect(performance.now() - begun).toBeLessThan(1900);
    expect((await read(daemon, page)).domain).toMatchObject({ status: 'pending', error: null });
  });

  test('the public host cannot be a custom domain, and a page without one cannot be verified', async () => {
    const daemon = await start();
    const fields = { name: 'x', slug: 'x', customDomain: 'pages.example.net' };
    expect((await daemon.request('POST', '/api/status-pages', fields)).status).toBe(400);
    const { body } = await daemon.request('POST', '/api/status-pages', { name: 'x', slug: 'x' });
    const answer = await daemon.request('POST', `/api/status-pages/${(body as Page).id}/verify-domain`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });
});

describe('with HTTPS of its own', () => {
  test('orders a certificate, serves it without a restart, keeps it over one, and drops it with the page', async () => {
    const daemon = await withHttps();
    const page = await create(daemon, 'shop', 'status.example.com');
    await untilStatus(daemon, page, 'active');
    const secure = () => ask(daemon.httpsPort!, 'status.example.com', '/', { ca: acme.ca });
    const shown = await secure();
    expect(shown).toMatchObject({ status: 200 });
    expect(shown.body).toContain('https://status.example.com/feed.atom');
    expect((await ask(daemon.httpsPort!, 'status.example.com', '/api/monitors', { ca: acme.ca })).status).toBe(404);
    expect(shown.headers['strict-transport-security']).toBe('max-age=2592000');
    const plain = (path: string, headers = {}) => ask(plainPort(daemon), 'status.example.com', path, { headers });
    expect(await plain('/history?x=1')).toMatchObject({
      status: 301,
      headers: { location: 'https://status.example.com/history?x=1', 'cache-control': 'max-age=300' },
    });
    expect((await plain('/', { host: `status.example.com:${plainPort(daemon)}` })).headers.location).toBe(
      `https://status.example.com:${daemon.httpsPort}/`,
    );
    expect((await plain('/.well-known/acme-challenge/unknown')).status).toBe(404);

    const folder = join(daemon.dataDir, 'certificates');
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const files = await readdir(folder);
    expect(files.toSorted()).toEqual(['account.key', 'limits.json', 'status.example.com.pem', 'tries.json']);
    for (const file of files) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);

    await daemon.restart();
    expect((await secure()).status).toBe(200);
    expect((await read(daemon, page)).domain).toMatchObject({ status: 'active' });
    expect(acme.orders).toEqual(['status.example.com']);

    await daemon.request('DELETE', `/api/status-pages/${page.id}`);
    await vi.waitFor(async () => expect(await readdir(folder)).not.toContain('status.example.com.pem'), 5000);
    await expect(secure()).rejects.toThrow();
    expect((await ask(plainPort(daemon), 'status.example.com', '/index.json')).status).toBe(404);
  });

  test('a domain removed from one page can be given to another, and each domain shows its own page', async () => {
    const daemon = await withHttps();
    const shop = await create(daemon, 'shop', 'shop.example.com');
    const page = await create(daemon, 'status', 'status.example.com');
    await untilStatus(daemon, shop, 'active');
    await untilStatus(daemon, page, 'active');
    const shown = async (host: string) => (await ask(daemon.httpsPort!, host, '/', { ca: acme.ca })).body;
    expect(await shown('shop.example.com')).toContain('The shop');
    expect(await shown('status.example.com')).toContain('The status');
    await daemon.request('PATCH', `/api/status-pages/${shop.id}`, { customDomain: null });
    await daemon.request('PATCH', `/api/status-pages/${page.id}`, { customDomain: 'shop.example.com' });
    await untilStatus(daemon, page, 'active');
    await vi.waitFor(async () => expect(await shown('shop.example.com')).toContain('The status'), 5000);
  });

  test('a refusal of the authority is reported, HTTP serves meanwhile, and retries stay within the limit', async () => {
    acme.behaviour = 'refuse';
    const daemon = await withHttps();
    const page = await create(daemon, 'shop', 'status.example.com');
    await untilStatus(daemon, page, 'error');
    expect((await read(daemon, page)).domain?.error).toMatch(
      /^It points here, but there is no certificate for it yet: .*The proof at status\.example\.com is wrong/,
    );
    expect((await ask(plainPort(daemon), 'status.example.com', '/')).status).toBe(200);
    // A verify during an order joins that order.
    await vi.waitFor(async () => {
      await verify(daemon, page);
      expect(acme.orders).toHaveLength(5);
    }, 10_000);
    await untilStatus(daemon, page, 'error');
    for (let count = 0; count < 3; count++) expect((await verify(daemon, page)).domain?.status).toBe('error');
    expect(acme.orders).toHaveLength(5);
    await daemon.restart();
    await verify(daemon, page);
    expect(acme.orders).toHaveLength(5);
  });

  test('an authority that never answers delays neither other names nor the stop', async () => {
    acme.behaviour = 'hang';
    const daemon = await withHttps();
    const shop = await create(daemon, 'shop', 'shop.example.com');
    await verify(daemon, shop);
    await vi.waitFor(() => expect(acme.orders).toEqual(['shop.example.com']), 10_000);
    acme.behaviour = 'kind';
    const page = await create(daemon, 'status', 'status.example.com');
    await verify(daemon, page);
    await untilStatus(daemon, page, 'active');
    const begun = performance.now();
    await daemon.restart();
    expect(performance.now() - begun).toBeLessThan(1900);
    // The stop aborted the order. That is not a failure, so the next start orders again at once.
    await vi.waitFor(() => expect(acme.orders.filter((name) => name === 'shop.example.com')).toHaveLength(2), 5000);
    await untilStatus(daemon, shop, 'active');
  });

  test('an unreachable authority is reported too', async () => {
    await acme.close();
    const daemon = await withHttps();
    const page = await create(daemon, 'shop', 'status.example.com');
    await untilStatus(daemon, page, 'error');
    expect((await read(daemon, page)).domain?.error).toMatch(/ECONNREFUSED/);
  });

  test('a stored certificate that cannot be read is ordered again', async () => {
    const daemon = await withHttps();
    const page = await create(daemon, 'shop', 'status.example.com');
    await untilStatus(daemon, page, 'active');
    await mkdir(join(daemon.dataDir, 'certificates'), { recursive: true });
    await writeFile(join(daemon.dataDir, 'certificates', 'status.example.com.pem'), 'half a');
    await daemon.restart();
    await untilStatus(daemon, page, 'active');
    expect(acme.orders).toHaveLength(2);
  });

  test("the authority's limit makes a name wait, shows until when, and warns the operator", async () => {
    acme.behaviour = 'limit';
    acme.retryAfter = '7200';
    const daemon = await withHttps();
    const page = await create(daemon, 'shop', 'status.example.com');
    await vi.waitFor(async () => expect((await read(daemon, page)).domain?.error).toMatch(/asked to wait/), 5000);
    const { domain } = await read(daemon, page);
    expect(domain).toMatchObject({
      status: 'pending',
      error: expect.stringMatching(
        /^It points here, and waits for its certificate: There were too many orders\.\. The certificate authority asked to wait; the next order follows at \d{4}-/,
      ) as string,
    });
    acme.behaviour = 'kind';
    const other = await create(daemon, 'other', 'shop.example.com');
    await verify(daemon, other);
    await daemon.restart();
    await verify(daemon, other);
    await vi.waitFor(async () => expect((await read(daemon, other)).domain?.error).toMatch(/asked to wait/), 5000);
    expect(acme.orders).toEqual(['status.example.com']);
  });

  test('an undecided order is asked about again when the authority says', async () => {
    acme.behaviour = 'slow';
    acme.retryAfter = '1';
    const daemon = await withHttps();
    await create(daemon, 'shop', 'status.example.com');
    await vi.waitFor(() => expect(acme.polls.length).toBeGreaterThan(1), 5000);
    const [first, second] = acme.polls;
    expect(second! - first!).toBeGreaterThanOrEqual(990);
  });

  test('an expired certificate is an error, and HTTP serves again', async () => {
    acme.lifeMs = 3000;
    const daemon = await withHttps();
    const page = await create(daemon, 'shop', 'status.example.com');
    await untilStatus(daemon, page, 'active');
    acme.behaviour = 'refuse';
    await vi.waitFor(async () => {
      expect(await read(daemon, page)).toMatchObject({
        domain: {
          status: 'error',
          error: expect.stringMatching(/^The certificate expired at .*: The proof at/) as string,
        },
      });
    }, 5000);
    expect((await ask(plainPort(daemon), 'status.example.com', '/')).status).toBe(200);
    await daemon.restart();
    expect(await read(daemon, page)).toMatchObject({ domain: { status: 'error' } });
    expect((await read(daemon, page)).domain?.error).toMatch(/The proof at/);
  });

  test("the site's own name is served by HTTPS too, with its own certificate", async () => {
    zones['uptime.example.org'] = { A: ['127.0.0.1'] };
    const daemon = await withHttps({}, { UPTIME_SITE_URL: 'https://uptime.example.org' });
    const site = (path: string) => ask(daemon.httpsPort!, 'uptime.example.org', path, { ca: acme.ca });
    await vi.waitFor(async () => expect((await site('/healthz')).status).toBe(200), 5000);
    const page = await create(daemon, 'shop', 'status.example.com');
    await untilStatus(daemon, page, 'active');
    const shown = await site('/status/shop');
    expect(shown).toMatchObject({ status: 200, headers: { 'strict-transport-security': 'max-age=31536000' } });
    expect((await site('/api/monitors')).status).toBe(401);
    expect((await ask(daemon.httpsPort!, 'status.example.com', '/healthz', { ca: acme.ca })).status).toBe(404);
    expect(acme.orders).toEqual(['uptime.example.org', 'status.example.com']);
    expect((await ask(plainPort(daemon), 'uptime.example.org', '/healthz')).status).toBe(200);
    await daemon.restart();
    expect((await site('/healthz')).status).toBe(200);
    expect(acme.orders).toHaveLength(2);
  });
});
