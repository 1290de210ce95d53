import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { ask } from '../testing/ask.ts';
import { createCustomDomainsWorld } from '../testing/custom-domains-world.ts';
import { startWaiting } from '../testing/waiting-time.ts';
import { boundMs } from '../testing/bound-ms.ts';

const world = createCustomDomainsWorld();

const { withHttps, create, read, verify, untilStatus, plainPort } = world;

describe('a daemon with its own HTTPS', () => {
  test('the daemon orders a certificate for a page, serves the page by HTTPS, even after a restart, and deletes the certificate with the page', async () => {
    const daemon = await withHttps();
    const page = await create(daemon, 'shop', 'status.example.com');
    await untilStatus(daemon, page, 'active');
    const secure = () => ask(daemon.httpsPort!, 'status.example.com', '/', { ca: world.acme.ca });
    const shown = await secure();
    expect(shown).toMatchObject({ status: 200 });
    expect(shown.body).toContain('https://status.example.com/feed.atom');
    expect((await ask(daemon.httpsPort!, 'status.example.com', '/api/monitors', { ca: world.acme.ca })).status).toBe(
      404,
    );
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
    expect(world.acme.orders).toEqual(['status.example.com']);

    await daemon.request('DELETE', `/api/status-pages/${page.id}`);
    await vi.waitFor(async () => expect(await readdir(folder)).not.toContain('status.example.com.pem'), 20_000);
    await expect(secure()).rejects.toThrow();
    expect((await ask(plainPort(daemon), 'status.example.com', '/index.json')).status).toBe(404);
  });

  test('the daemon serves each page on its own domain, even on a domain that another page gave up', async () => {
    const daemon = await withHttps();
    const shop = await create(daemon, 'shop', 'shop.example.com');
    const page = await create(daemon, 'status', 'status.example.com');
    await untilStatus(daemon, shop, 'active');
    await untilStatus(daemon, page, 'active');
    const shown = async (host: string) => (await ask(daemon.httpsPort!, host, '/', { ca: world.acme.ca })).body;
    expect(await shown('shop.example.com')).toContain('The shop');
    expect(await shown('status.example.com')).toContain('The status');
    await daemon.request('PATCH', `/api/status-pages/${shop.id}`, { customDomain: null });
    await daemon.request('PATCH', `/api/status-pages/${page.id}`, { customDomain: 'shop.example.com' });
    await untilStatus(daemon, page, 'active');
    await vi.waitFor(async () => expect(await shown('shop.example.com')).toContain('The status'), 20_000);
  });

  test('while the authority refuses an order, the daemon serves the page by HTTP, and retries the order within the limit', async () => {
    world.acme.behaviour = 'refuse';
    const daemon = await withHttps();
    const page = await create(daemon, 'shop', 'status.example.com');
    await untilStatus(daemon, page, 'error');
    expect((await read(daemon, page)).domain?.error).toMatch(
      /^The domain points to this server, but there is no certificate for it yet: .*The proof at status\.example\.com is wrong/,
    );
    expect((await ask(plainPort(daemon), 'status.example.com', '/')).status).toBe(200);
    // While an order runs, a request to verify begins no second order.
    await vi.waitFor(async () => {
      await verify(daemon, page);
      expect(world.acme.orders).toHaveLength(5);
    }, 10_000);
    await untilStatus(daemon, page, 'error');
    for (let count = 0; count < 3; count++) expect((await verify(daemon, page)).domain?.status).toBe('error');
    expect(world.acme.orders).toHaveLength(5);
    await daemon.restart();
    await verify(daemon, page);
    expect(world.acme.orders).toHaveLength(5);
  });

  test('an authority that never answers delays neither the orders for other names nor the stop of the daemon', async () => {
    world.acme.behaviour = 'hang';
    const daemon = await withHttps();
    const shop = await create(daemon, 'shop', 'shop.example.com');
    await verify(daemon, shop);
    await vi.waitFor(() => expect(world.acme.orders).toEqual(['shop.example.com']), 10_000);
    world.acme.behaviour = 'kind';
    const page = await create(daemon, 'status', 'status.example.com');
    await verify(daemon, page);
    await untilStatus(daemon, page, 'active');
    const waiting = startWaiting();
    await daemon.restart();
    expect(waiting.ms()).toBeLessThan(boundMs(1900));
    // The stop aborted the order. An aborted order is not a failure, so the next start orders again at once.
    await vi.waitFor(
      () => expect(world.acme.orders.filter((name) => name === 'shop.example.com')).toHaveLength(2),
      20_000,
    );
    await untilStatus(daemon, shop, 'active');
  });

  test('if the authority is unreachable, the error of the domain says so', async () => {
    await world.acme.close();
    const daemon = await withHttps();
    const page = await create(daemon, 'shop', 'status.example.com');
    await untilStatus(daemon, page, 'error');
    expect((await read(daemon, page)).domain?.error).toMatch(/ECONNREFUSED/);
  });

  test('if a stored certificate cannot be read, the daemon orders a new certificate', async () => {
    const daemon = await withHttps();
    const page = await create(daemon, 'shop', 'status.example.com');
    await untilStatus(daemon, page, 'active');
    await mkdir(join(daemon.dataDir, 'certificates'), { recursive: true });
    await writeFile(join(daemon.dataDir, 'certificates', 'status.example.com.pem'), 'half a');
    await daemon.restart();
    await untilStatus(daemon, page, 'active');
    expect(world.acme.orders).toHaveLength(2);
  });

  test('if the authority limits orders, all names wait, even after a restart, and the domains show until when they wait', async () => {
    world.acme.behaviour = 'limit';
    world.acme.retryAfter = '7200';
    const daemon = await withHttps();
    const page = await create(daemon, 'shop', 'status.example.com');
    await vi.waitFor(async () => expect((await read(daemon, page)).domain?.error).toMatch(/asked to wait/), 20_000);
    const { domain } = await read(daemon, page);
    expect(domain).toMatchObject({
      status: 'pending',
      error: expect.stringMatching(
        /^The domain points to this server, and waits for its certificate: There were too many orders\. The certificate authority asked to wait; the next attempt follows at \d{4}-/,
      ) as string,
    });
    world.acme.behaviour = 'kind';
    const other = await create(daemon, 'other', 'shop.example.com');
    await verify(daemon, other);
    await daemon.restart();
    await verify(daemon, other);
    await vi.waitFor(async () => expect((await read(daemon, other)).domain?.error).toMatch(/asked to wait/), 20_000);
    expect(world.acme.orders).toEqual(['status.example.com']);
  });

  test('the daemon polls an undecided order again only after the wait that the authority asked for', async () => {
    world.acme.behaviour = 'slow';
    world.acme.retryAfter = '1';
    const daemon = await withHttps();
    await create(daemon, 'shop', 'status.example.com');
    await vi.waitFor(() => expect(world.acme.polls.length).toBeGreaterThan(1), 20_000);
    const [first, second] = world.acme.polls;
    expect(second! - first!).toBeGreaterThanOrEqual(990);
  });

  test('after a certificate has expired, the domain has an error that says so, and the page is served by HTTP', async () => {
    world.acme.lifeMs = 3000;
    const daemon = await withHttps();
    const page = await create(daemon, 'shop', 'status.example.com');
    await untilStatus(daemon, page, 'active');
    world.acme.behaviour = 'refuse';
    await vi.waitFor(async () => {
      expect(await read(daemon, page)).toMatchObject({
        domain: {
          status: 'error',
          error: expect.stringMatching(/^The certificate expired at .*: The proof at/) as string,
        },
      });
    }, 20_000);
    expect((await ask(plainPort(daemon), 'status.example.com', '/')).status).toBe(200);
    await daemon.restart();
    expect(await read(daemon, page)).toMatchObject({ domain: { status: 'error' } });
    expect((await read(daemon, page)).domain?.error).toMatch(/The proof at/);
  });

  test("the daemon serves the site's name by HTTPS too, with a certificate for that name", async () => {
    world.zones['uptime.example.org'] = { A: ['127.0.0.1'] };
    const daemon = await withHttps({}, { UPTIME_SITE_URL: 'https://uptime.example.org' });
    const site = (path: string) => ask(daemon.httpsPort!, 'uptime.example.org', path, { ca: world.acme.ca });
    await vi.waitFor(async () => expect((await site('/healthz')).status).toBe(200), 20_000);
    const page = await create(daemon, 'shop', 'status.example.com');
    await untilStatus(daemon, page, 'active');
    const shown = await site('/status/shop');
    expect(shown).toMatchObject({ status: 200, headers: { 'strict-transport-security': 'max-age=31536000' } });
    expect((await site('/api/monitors')).status).toBe(401);
    expect((await ask(daemon.httpsPort!, 'status.example.com', '/healthz', { ca: world.acme.ca })).status).toBe(404);
    expect(world.acme.orders).toEqual(['uptime.example.org', 'status.example.com']);
    expect((await ask(plainPort(daemon), 'uptime.example.org', '/healthz')).status).toBe(200);
    await daemon.restart();
    expect((await site('/healthz')).status).toBe(200);
    expect(world.acme.orders).toHaveLength(2);
  });
});
