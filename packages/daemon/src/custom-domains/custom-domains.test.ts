import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { ask } from '../testing/ask.ts';
import { createCustomDomainsWorld, type Page } from '../testing/custom-domains-world.ts';
import { startWaiting } from '../testing/waiting-time.ts';
import { boundMs } from '../testing/bound-ms.ts';

const world = createCustomDomainsWorld();

const { start, create, read, verify, untilStatus, plainPort } = world;

describe('a daemon without its own HTTPS', () => {
  test('a custom domain that points here serves its page and nothing else', async () => {
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
    expect(world.acme.orders).toEqual([]);
    await expect(readdir(join(daemon.dataDir, 'certificates'))).rejects.toThrow('ENOENT');
  });

  test('the daemon uses X-Forwarded-Host only if a trusted proxy sent it', async () => {
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

  test('a request to a custom domain does not reach the API, whatever its X-Forwarded-Host is', async () => {
    const daemon = await start({ UPTIME_TRUST_PROXY: '1' });
    await verify(daemon, await create(daemon, 'shop', 'status.example.com'));
    for (const forwarded of [new URL(daemon.url).host, 'inner.example']) {
      const headers = { 'x-api-key': daemon.apiKey, 'x-forwarded-host': forwarded };
      const port = plainPort(daemon);
      expect((await ask(port, 'status.example.com', '/api/monitors', { headers })).status).toBe(404);
    }
  });

  test('the state of a domain names the wrong address, and a request to verify finds a corrected DNS record at once', async () => {
    world.zones['status.example.com'] = { A: ['198.51.100.9'] };
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
    world.zones['status.example.com'] = { CNAME: 'pages.example.net' };
    expect((await verify(daemon, page)).domain).toMatchObject({ status: 'active', error: null });
    world.zones['status.example.com'] = { rcode: 'SERVFAIL' };
    expect((await verify(daemon, page)).domain).toMatchObject({ status: 'active', error: null });
    world.zones['status.example.com'] = { rcode: 'NXDOMAIN' };
    expect((await verify(daemon, page)).domain).toMatchObject({ status: 'error' });
    expect((await ask(plainPort(daemon), 'status.example.com', '/index.json')).status).toBe(404);
  });

  test('a name server that never answers neither delays a stop nor changes the state of the domain', async () => {
    world.zones['status.example.com'] = { silent: true };
    const daemon = await start();
    const page = await create(daemon, 'shop', 'status.example.com');
    await vi.waitFor(() => expect(world.dns.questions).toContain('CNAME status.example.com'), 20_000);
    const waiting = startWaiting();
    await daemon.restart();
    expect(waiting.ms()).toBeLessThan(boundMs(1900));
    expect((await read(daemon, page)).domain).toMatchObject({ status: 'pending', error: null });
  });

  test('the API refuses the public host as a custom domain, and refuses to verify a page without a custom domain', async () => {
    const daemon = await start();
    const fields = { name: 'x', slug: 'x', customDomain: 'pages.example.net' };
    expect((await daemon.request('POST', '/api/status-pages', fields)).status).toBe(400);
    const { body } = await daemon.request('POST', '/api/status-pages', { name: 'x', slug: 'x' });
    const answer = await daemon.request('POST', `/api/status-pages/${(body as Page).id}/verify-domain`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });
});
