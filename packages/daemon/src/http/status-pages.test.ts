import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sqliteFile } from '../store/sqlite.ts';
import { publicId } from '../store/public-id.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { boundMs } from '../testing/bound-ms.ts';

/** How long the tests wait for a change to appear, and how often they look, in milliseconds. */
const shows = { timeout: 20_000, interval: 50 };
const forms = ['', '.json', '/feed.atom', '/badge.svg'];
let daemon: TestDaemon;
let pingUrl = '';

beforeAll(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck });
  const { body } = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'Job' });
  const { id } = body as { id: string; pingUrl: string };
  ({ pingUrl } = body as { pingUrl: string });
  await fetch(pingUrl);
  await daemon.request('POST', '/api/status-pages', { name: 'Shop', slug: 'shop', monitorIds: [id] });
});
afterAll(() => daemon.close());

const get = (form = '', headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${daemon.url}/status/shop${form}`, { method, headers: { 'accept-encoding': 'identity', ...headers } });

test.each([
  ['', 'text/html; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['/feed.atom', 'application/atom+xml; charset=utf-8'],
  ['/badge.svg', 'image/svg+xml; charset=utf-8'],
])(
  '/status/shop%s has the content type %s, may be cached briefly, and has a content security policy',
  async (form, type) => {
    const answer = await get(form);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=2, stale-if-error=86400',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(answer.headers.get('set-cookie')).toBeNull();
  },
);

test.each(forms)('a client that has the current version of /status/shop%s gets 304', async (form) => {
  await vi.waitFor(async () => {
    const { headers } = await get(form);
    for (const tag of [headers.get('etag')!, `W/${headers.get('etag')}`, `"other", ${headers.get('etag')}`, '*']) {
      const again = await get(form, { 'if-none-match': tag });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
  }, 10_000);
  expect((await get(form, { 'if-none-match': '"other"' })).status).toBe(200);
});

test.each([
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['deflate', null],
  ['identity', null],
])('a client with the header `accept-encoding: %s` gets a page in the encoding %s', async (accepted, encoding) => {
  const answer = await get('', { 'accept-encoding': accepted });
  expect(answer.headers.get('content-encoding')).toBe(encoding);
  expect(await answer.text()).toContain('<h1><bdi>Shop</bdi></h1>');
});

test('for each form of a page, both its first and its repeated response match the OpenAPI document', async () => {
  const made = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'Told' });
  const monitorIds = [(made.body as { id: string }).id];
  const scheduledEnd = new Date(Date.now() + 3_600_000).toISOString();
  await daemon.request('POST', '/api/incidents', { title: 'Slow', message: 'We look into it.', monitorIds });
  await daemon.request('POST', '/api/incidents', { title: 'Works', maintenance: true, scheduledEnd, monitorIds });
  await daemon.request('POST', '/api/status-pages', { name: 'Told', slug: 'told', monitorIds });
  for (const form of forms) {
    const ask = (headers: Record<string, string> = {}) =>
      daemon.request('GET', `/status/told${form}`, undefined, { apiKey: null, headers });
    const { status, body } = await ask();
    expect([status, form === '/badge.svg' || JSON.stringify(body).includes('We look into it.')]).toEqual([200, true]);
    expect((await ask({ 'if-none-match': '*' })).status).toBe(304);
  }
});

test('a HEAD request for a page returns the headers and no body', async () => {
  const answer = await get('', {}, 'HEAD');
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(1000);
});

test('a POST to a page gets 405, and a request for an unknown page gets 404', async () => {
  expect((await get('', {}, 'POST')).status).toBe(405);
  for (const form of forms) {
    const answer = await fetch(`${daemon.url}/status/none${form}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      404,
      expect.stringContaining('application/problem+json'),
    ]);
  }
});

test('the address of a page with a slash at its end redirects to the page', async () => {
  const answer = await fetch(`${daemon.url}/status/shop/`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([301, '../shop']);
  expect((await fetch(`${daemon.url}/status/shop/`)).url).toBe(`${daemon.url}/status/shop`);
});

test('scripts of any site may read the JSON form of a page or of a missing page, but no other form', async () => {
  const allowed = async (path: string) =>
    (await fetch(`${daemon.url}/status/${path}`)).headers.get('access-control-allow-origin');
  expect(await allowed('shop.json')).toBe('*');
  expect(await allowed('none.json')).toBe('*');
  expect(await allowed('shop')).toBeNull();
});

test.each([
  'none',
  'none/history',
  'shop/incidents/x',
  `shop/incidents/${'a'.repeat(20)}`,
  'shop/nowhere',
  'shop/history/2026-13',
  'shop/history/2026-11?after=x',
  'shop.json?from=x',
])('for the unknown address %s, people get a page, and programs get a problem document', async (path) => {
  const ask = (accept: string) => fetch(`${daemon.url}/status/${path}`, { headers: { accept } });
  const person = await ask('text/html,application/xhtml+xml,*/*;q=0.8');
  expect([person.status, person.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(person.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await person.text()).toContain('<h1>This page does not exist</h1>');
  const program = await ask('*/*');
  expect([program.status, program.headers.get('content-type')]).toEqual([
    404,
    'application/problem+json; charset=utf-8',
  ]);
});

test('the address of an incident does not contain its id; the page, the history, the JSON and the feed link to the address', async () => {
  const message = 'We look into it. '.repeat(100);
  const made = await daemon.request('POST', '/api/incidents', { title: 'Slow <b>', message });
  const { id } = made.body as { id: string };
  for (let entry = 0; entry < 26; entry++)
    await daemon.request('PATCH', `/api/incidents/${id}`, { message: `entry ${entry}` });
  const read = async (address: string) => {
    const answer = await fetch(address);
    expect([address, answer.status]).toEqual([address, 200]);
    return answer.text();
  };
  const self = `${daemon.url}/status/shop`;
  const [, address = ''] = await vi.waitFor(async () => {
    const found = /href="([^"]+)"><bdi>Slow &lt;b&gt;/.exec(await read(self));
    expect(found).not.toBeNull();
    return found!;
  }, shows);
  expect(address).toMatch(new RegExp(`^${self}/incidents/[0-9a-f]{20}$`));
  const shownPage = await vi.waitFor(async () => {
    const whole = await read(address);
    expect(whole).toContain('entry 25');
    return whole;
  }, shows);
  expect(shownPage).toContain(`id="incident-${address.slice(-20)}"`);
  expect(shownPage).not.toContain('We look into it.');
  expect(await read(`${address}?part=2`)).toContain(message);
  expect((await fetch(`${address}?part=3`)).status).toBe(404);
  const pages = await vi.waitFor(async () => {
    const forms = [await read(`${self}/history`), await read(`${self}.json`), await read(`${self}/feed.atom`)];
    for (const form of forms) expect(form).toContain(address);
    return forms;
  }, shows);
  expect(pages[2]).toContain(`<link href="${address}#incident-${address.slice(-20)}"/>`);
  for (const page of [shownPage, ...pages]) expect(page).not.toContain(id.slice(4));
  await daemon.request('DELETE', `/api/incidents/${id}`);
});

test('the history of a page has a part for each month, and a month with many incidents has several parts', async () => {
  const { db } = daemon.store;
  const { project_id } = await db
    .selectFrom('status_page')
    .selectAll()
    .where('slug', '=', 'shop')
    .executeTakeFirstOrThrow();
  const at = (month: number, minute: number) => Date.UTC(2026, month - 1, 10, 0, minute);
  const row = (month: number, minute: number) => ({
    id: `inc_${month}_${minute}`,
    public_id: publicId(`inc_${month}_${minute}`),
    project_id,
    title: `month ${month} number ${minute}.`,
    status: 'resolved' as const,
    maintenance: 0,
    started_at: at(month, minute),
    resolved_at: at(month, minute + 5),
    created_at: at(month, minute),
    updated_at: at(month, minute),
  });
  const rows = [...Array.from({ length: 30 }, (_, minute) => row(3, minute)), row(5, 0)];
  await daemon.store.write((trx) => trx.insertInto('incident').values(rows).execute());
  const found: string[] = [];
  let address: string | undefined = `${daemon.url}/status/shop/history/2026-05`;
  for (let page = 0; address !== undefined && page < 5; page++) {
    const text: string = await (await fetch(address)).text();
    found.push(...[...text.matchAll(/<bdi>(month [^<]+)<\/bdi>/g)].map(([, title]) => title!));
    address = /<a rel="prev" href="([^"]+)"/.exec(text)?.[1];
  }
  const march = Array.from({ length: 30 }, (_, minute) => `month 3 number ${29 - minute}.`);
  expect(found).toEqual(['month 5 number 0.', ...march]);
});

test('a page shows a change of status within 5 s in every form', async () => {
  await get();
  await fetch(`${pingUrl}/fail`);
  const failedMonoMs = performance.now();
  await vi.waitFor(
    async () => {
      expect(await (await get()).text()).toContain('The service is down.');
      expect(await (await get('.json')).json()).toMatchObject({ status: 'down' });
      expect(await (await get('/feed.atom')).text()).toContain('The service is down.');
      expect(await (await get('/badge.svg')).text()).toContain('Shop: down');
    },
    { timeout: 20_000, interval: 50 },
  );
  expect(performance.now() - failedMonoMs).toBeLessThan(boundMs(5000));
});

test('a deleted page soon gets 404', async () => {
  const { body } = await daemon.request('POST', '/api/status-pages', { name: 'x', slug: 'gone' });
  const status = async () => (await fetch(`${daemon.url}/status/gone`)).status;
  expect(await status()).toBe(200);
  await daemon.request('DELETE', `/api/status-pages/${(body as { id: string }).id}`);
  await vi.waitFor(async () => expect(await status()).toBe(404), { timeout: 20_000 });
});

test('an incident of a deleted monitor is on no page, and an incident without monitors is on all pages', async () => {
  const make = async (path: string, fields: object) =>
    ((await daemon.request('POST', `/api/${path}`, fields)).body as { id: string }).id;
  const inner = await make('monitors', { type: 'heartbeat', name: 'Inner' });
  await make('incidents', { title: 'Inner is slow', monitorIds: [inner] });
  const opened = await make('incidents', { title: 'Opened to all', monitorIds: [inner] });
  await make('incidents', { title: 'All is slow' });
  await daemon.request('PATCH', `/api/incidents/${opened}`, { monitorIds: [] });
  await daemon.request('DELETE', `/api/monitors/${inner}`);
  await vi.waitFor(
    async () => {
      const { incidents } = (await (await get('.json')).json()) as { incidents: { title: string }[] };
      expect(incidents.map(({ title }) => title).toSorted()).toEqual(['All is slow', 'Opened to all']);
    },
    { timeout: 20_000 },
  );
});

test('the page is served while another process locks the database', async () => {
  await get();
  const locker = new Database(sqliteFile(daemon.dataDir));
  try {
    locker.exec('begin exclusive');
    const begunMonoMs = performance.now();
    while (performance.now() - begunMonoMs < 1500) {
      const askedMonoMs = performance.now();
      const answer = await get();
      expect(answer.status).toBe(200);
      expect(performance.now() - askedMonoMs).toBeLessThan(boundMs(1500));
      expect(await answer.text()).toContain('Shop');
    }
  } finally {
    locker.exec('rollback');
    locker.close();
  }
});
