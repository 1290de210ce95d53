import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ask } from '../testing/ask.ts';
import { databases } from '../testing/databases.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { dnsTarget, type DnsTarget, type Zone } from '../testing/targets/dns.ts';
import { createTestDaemon, type TestDaemon, type TestUser } from '../testing/test-daemon.ts';
import { claimLastsMs } from './claims.ts';

interface Page {
  id: string;
  customDomain: string | null;
  domain: { status: string; error: string | null } | null;
}

describe.each(databases)('ownership of custom domains on $name', (database) => {
  const zones: Record<string, Zone> = { 'pages.example.net': { A: ['127.0.0.1'] } };
  let dns: DnsTarget;
  let daemon: TestDaemon;
  let bea: TestUser;
  beforeAll(async () => {
    dns = await dnsTarget(zones);
    daemon = await createTestDaemon({
      database,
      runCheck: passingCheck,
      env: {
        UPTIME_SITE_URL: 'http://uptime.example.org',
        UPTIME_PUBLIC_HOST: 'pages.example.net',
        UPTIME_DNS_SERVERS: dns.server,
      },
    });
    bea = await daemon.another(`bea-${database.name}`);
  });
  afterAll(async () => {
    await daemon.close();
    await dns.close();
  });

  const as = ({ apiKey }: TestUser) => ({ apiKey });
  let count = 0;
  const post = (customDomain: string, by: TestUser = daemon) =>
    daemon.request('POST', '/api/status-pages', { name: 'x', slug: `page-${count++}`, customDomain }, as(by));
  const create = async (customDomain: string, by: TestUser = daemon): Promise<Page> => {
    const { status, body } = await post(customDomain, by);
    expect(status).toBe(201);
    return body as Page;
  };
  const verify = async ({ id }: Page, by: TestUser = daemon): Promise<Page> =>
    (await daemon.request('POST', `/api/status-pages/${id}/verify-domain`, undefined, as(by))).body as Page;
  const read = async ({ id }: Page, by: TestUser = daemon): Promise<Page> =>
    (await daemon.request('GET', `/api/status-pages/${id}`, undefined, as(by))).body as Page;
  const prove = (domain: string, ...users: TestUser[]) => {
    zones[`_uptime.${domain}`] = { TXT: users.map(({ project }) => [`uptime-project=${project.id}`]) };
  };
  const shown = async (host: string) => (await ask(Number(new URL(daemon.url).port), host, '/index.json')).status;

  test('a name that needs a TXT record shows the page only if the record names its project; otherwise it shows the site', async () => {
    zones['ping.corp.example'] = { A: ['127.0.0.1'] };
    zones['ping.example.net'] = { CNAME: 'pages.example.net' };
    for (const name of ['ping.corp.example', 'ping.example.net']) {
      const stolen = await verify(await create(name, bea), bea);
      expect(stolen.domain).toMatchObject({
        status: 'error',
        error: expect.stringContaining(
          `add a TXT record _uptime.${name} with the value "uptime-project=${bea.project.id}"`,
        ) as string,
      });
      const port = Number(new URL(daemon.url).port);
      expect((await ask(port, name, '/healthz')).status).toBe(200);
    }
    prove('ping.example.net', daemon);
    const own = await create('ping.example.net');
    await vi.waitFor(async () => expect((await read(own)).domain?.status).toBe('active'), 20_000);
    await vi.waitFor(async () => expect(await shown('ping.example.net')).toBe(200), 10_000);
  });

  test('a page is served on an apex domain as long as a TXT record names its project', async () => {
    zones['shop.example'] = { A: ['127.0.0.1'] };
    prove('shop.example', bea, daemon);
    const page = await create('shop.example');
    expect((await verify(page)).domain).toMatchObject({ status: 'active', error: null });
    expect(await shown('shop.example')).toBe(200);
    prove('shop.example', bea);
    expect((await verify(page)).domain).toMatchObject({ status: 'error' });
    expect(await shown('shop.example')).toBe(404);
  });

  test('a page needs only a CNAME for its name, but another project with a TXT record takes the name from the page at once', async () => {
    zones['status.example.com'] = { CNAME: 'pages.example.net' };
    const first = await create('status.example.com', bea);
    expect((await verify(first, bea)).domain).toMatchObject({ status: 'active' });
    const refused = await post('status.example.com');
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'conflict',
        detail: `The domain status.example.com is bound to another page. To prove that it is yours, add a TXT record _uptime.status.example.com with the value "uptime-project=${daemon.project.id}", then try again.`,
      },
    });
    prove('status.example.com', daemon);
    const owner = await create('status.example.com');
    expect(await read(first, bea)).toMatchObject({ customDomain: null, domain: null });
    expect((await verify(owner)).domain).toMatchObject({ status: 'active' });

    prove('status.example.com', daemon, bea);
    expect(await post('status.example.com', bea)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('Remove that record') as string },
    });
  });

  test('a page whose domain never points here loses the domain at once to a project with a TXT record, and to any project after seven days', async () => {
    const squatted = await create('brand.example', bea);
    const mine = await create('other-brand.example');
    const patch = () => daemon.request('PATCH', `/api/status-pages/${mine.id}`, { customDomain: 'brand.example' });
    expect((await patch()).status).toBe(409);
    prove('brand.example', daemon);
    expect(await patch()).toMatchObject({ status: 200, body: { customDomain: 'brand.example' } });
    expect((await read(squatted, bea)).customDomain).toBeNull();

    const idle = await create('idle.example', bea);
    expect((await post('idle.example')).status).toBe(409);
    await daemon.store.write((trx) =>
      trx
        .updateTable('status_page')
        .set({ domain_pointed_at: Date.now() - claimLastsMs - 1000 })
        .where('id', '=', idle.id)
        .execute(),
    );
    await create('idle.example');
    expect((await read(idle, bea)).customDomain).toBeNull();
  });

  test('a page cannot take a domain from a page of the same project, and the error names that page', async () => {
    prove('twice.example', daemon);
    await create('twice.example');
    expect(await post('twice.example')).toMatchObject({
      status: 409,
      body: {
        detail: expect.stringMatching(/is bound to your page "page-\d+"\. Remove it from that page first/) as string,
      },
    });
  });

  test("a page cannot get the site's host or the public host, even with a TXT record", async () => {
    for (const name of ['uptime.example.org', 'pages.example.net']) {
      prove(name, bea);
      expect(await post(name, bea)).toMatchObject({ status: 400, body: { errors: [{ path: 'customDomain' }] } });
    }
  });
});
