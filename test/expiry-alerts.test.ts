import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeCertificate } from '../packages/daemon/src/testing/targets/certificates.ts';
import { dnsTarget } from '../packages/daemon/src/testing/targets/dns.ts';
import { httpTarget } from '../packages/daemon/src/testing/targets/http.ts';
import { tlsTarget } from '../packages/daemon/src/testing/targets/tls.ts';
import { testProgram } from '../packages/daemon/src/testing/test-program.ts';
import { startProgram } from './running-program.ts';

const dayMs = 86_400_000;

interface Shown {
  id: string;
  status: string;
  domain: { name: string; daysRemaining: number } | null;
}

test('a rule about outages alerts each channel once about a certificate and a domain that expire soon', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-expiry-'));
  const ca = await makeCertificate({ ca: true });
  const leaf = await makeCertificate({
    issuer: ca,
    hosts: ['shop.example.com'],
    notAfter: new Date(Date.now() + 4.5 * dayMs),
  });
  await writeFile(join(folder, 'ca.pem'), ca.cert);
  await using shop = await tlsTarget({ cert: leaf.cert, key: leaf.key });
  await using dns = await dnsTarget({
    'shop.example.com': { A: ['127.0.0.1'] },
    'mail.example.com': { A: ['127.0.0.1'] },
  });
  await using registry = await httpTarget((request, response) => {
    const events = [{ eventAction: 'expiration', eventDate: new Date(Date.now() + 20.5 * dayMs).toISOString() }];
    const servers = { services: [[['com'], [`${registry.url}/rdap/`]]] };
    response.setHeader('content-type', 'application/rdap+json');
    response.end(
      JSON.stringify(
        request.url === '/dns.json' ? servers : { objectClassName: 'domain', ldhName: 'example.com', events },
      ),
    );
  });
  await using hooks = await httpTarget();
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    UPTIME_PORT: '0',
    UPTIME_DNS_SERVERS: dns.server,
    UPTIME_RDAP_BOOTSTRAP_URL: `${registry.url}/dns.json`,
    UPTIME_LOG_FORMAT: 'json',
  };
  const program = [...testProgram('uptimed'), 'serve'];
  const daemon = startProgram(process.execPath, program, { cwd: folder, env });
  try {
    const [, url] = await daemon.says(/"url":"(http:[^"]+)"/);
    const send = async (method: string, path: string, body: object | null, headers: Record<string, string>) => {
      const response = await fetch(url + path, {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        body: body && JSON.stringify(body),
      });
      expect(response).toMatchObject({ ok: true });
      return { headers: response.headers, body: (await response.json()) as unknown };
    };
    const person = { name: 'ada', email: 'ada@example.com', password: 'correct horse' };
    const signedUp = await send('POST', '/api/auth/sign-up/email', person, {});
    const cookie = signedUp.headers.getSetCookie().map((one) => one.split(';')[0]);
    const project = await send('POST', '/api/projects', { name: 'S' }, { cookie: cookie.join(';') });
    const key = { 'x-api-key': (project.body as { apiKey: string }).apiKey };
    const create = async (path: string, body: object) => ((await send('POST', path, body, key)).body as Shown).id;

    const web = `https://shop.example.com:${shop.port}/`;
    const monitorIds = [
      await create('/api/monitors', { type: 'http', name: 'Shop', url: web }),
      await create('/api/monitors', { type: 'tcp', name: 'Mail', host: 'mail.example.com', port: shop.port }),
      await create('/api/monitors', { type: 'dns', name: 'Name', hostname: 'shop.example.com' }),
    ];
    const channelIds = [];
    for (const path of ['/a', '/b']) {
      const config = { url: hooks.url + path };
      channelIds.push(await create('/api/notification-channels', { type: 'webhook', name: path, config }));
    }
    await create('/api/alert-rules', { name: 'Down', monitorIds, channelIds });
    await create('/api/status-pages', { name: 'Page', slug: 'page', monitorIds });

    const receivedEvents = () =>
      hooks.requests.map((one) => `${one.url} ${(JSON.parse(one.body) as { event: string }).event}`).toSorted();
    const once = ['/a domain_expiring', '/a ssl_expiring', '/b domain_expiring', '/b ssl_expiring'];
    await vi.waitFor(() => expect(receivedEvents()).toEqual(once), { timeout: 60_000 });

    // More checks and an edit cause no more alerts.
    for (const id of monitorIds) await send('POST', `/api/monitors/${id}/check`, null, key);
    await send('PATCH', `/api/monitors/${monitorIds[0]}`, { name: 'The shop' }, key);
    const history = await send('GET', '/api/alert-history', null, key);
    expect(history.body).toHaveLength(4);
    expect(receivedEvents()).toEqual(once);

    // The monitors are up, and the status page and the daemon report no problem.
    const monitors = (await send('GET', '/api/monitors', null, key)).body as Shown[];
    expect(monitors.map(({ status }) => status)).toEqual(['up', 'up', 'up']);
    for (const { domain } of monitors) expect(domain).toMatchObject({ name: 'example.com', daysRemaining: 20 });
    const page = await send('GET', '/status/page.json', null, {});
    expect(page.body).toMatchObject({ status: 'up' });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await daemon.end('SIGTERM')).toMatchObject({ code: 0 });
  } finally {
    await daemon.kill();
    await rm(folder, { recursive: true, force: true });
  }
});
