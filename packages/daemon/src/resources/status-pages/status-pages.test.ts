import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../../testing/databases.ts';
import { passingCheck } from '../../testing/passing-check.ts';
import { dnsTarget, type DnsTarget } from '../../testing/targets/dns.ts';
import { createTestDaemon, type TestDaemon } from '../../testing/test-daemon.ts';

interface Shown {
  id: string;
  [field: string]: unknown;
}

describe.each(databases)('status pages on $name', (database) => {
  let daemon: TestDaemon;
  let dns: DnsTarget;
  const monitors: string[] = [];
  beforeAll(async () => {
    dns = await dnsTarget({});
    daemon = await createTestDaemon({
      database,
      runCheck: passingCheck,
      env: { UPTIME_PUBLIC_HOST: 'pages.example.net', UPTIME_DNS_SERVERS: dns.server },
    });
    for (const name of ['a', 'b', 'c']) {
      const { body } = await daemon.request('POST', '/api/monitors', { type: 'ping', name, host: 'localhost' });
      monitors.push((body as Shown).id);
    }
  });
  afterAll(async () => {
    await daemon.close();
    await dns.close();
  });

  const create = async (fields: object): Promise<Shown> => {
    const answer = await daemon.request('POST', '/api/status-pages', { name: 'Shop', ...fields });
    expect(answer).toMatchObject({ status: 201 });
    return answer.body as Shown;
  };
  const patch = (id: string, fields: object) => daemon.request('PATCH', `/api/status-pages/${id}`, fields);

  test('creating a page returns every field, with the monitors in the given order, and the page is found by its id, key and slug', async () => {
    const page = await create({ slug: 'order', key: 'order', monitorIds: [monitors[2], monitors[0], monitors[2]] });
    expect(page).toMatchObject({
      name: 'Shop',
      slug: 'order',
      monitorIds: [monitors[2], monitors[0]],
      customDomain: null,
      domain: null,
      url: `${daemon.url}/status/order`,
    });
    expect((await daemon.request('GET', `/api/status-pages/${page.id}`)).body).toEqual(page);
    expect((await daemon.request('GET', '/api/status-pages?key=order')).body).toEqual([page]);
    expect((await fetch(`${daemon.url}/status/order`)).status).toBe(200);
  });

  test('a slug and a custom domain are unique on the server, and the error is the same for pages of other projects', async () => {
    await create({ slug: 'taken', customDomain: 'Status.Example.com' });
    const other = await daemon.another(`bea-${database.name}`);
    for (const apiKey of [daemon.apiKey, other.apiKey]) {
      const post = (fields: object) =>
        daemon.request('POST', '/api/status-pages', { name: 'x', ...fields }, { apiKey });
      expect((await post({ slug: 'taken' })).status).toBe(409);
      expect((await post({ slug: 'free', customDomain: 'status.example.com' })).status).toBe(409);
    }
  });

  test('a custom domain is stored in lower case, and has the status pending at first', async () => {
    const page = await create({ slug: 'domain', customDomain: 'Shop.Bücher.example' });
    expect(page).toMatchObject({
      customDomain: 'shop.xn--bcher-kva.example',
      domain: { status: 'pending', error: null, cname: 'pages.example.net' },
    });
    expect((await patch(page.id, { customDomain: null })).body).toMatchObject({ customDomain: null, domain: null });
  });

  test('the error names an invalid domain together with all other faults', async () => {
    const answer = await daemon.request('POST', '/api/status-pages', { name: '', slug: 'ill', customDomain: 'a/b' });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'name' }, { path: 'customDomain' }] } });
  });

  test.each([
    'https://status.example.com',
    'localhost',
    '*.example.com',
    '10.0.0.1',
    'a b.example',
    'example',
    '127.0.0.1:80',
  ])('the API refuses %s as a custom domain', async (customDomain) => {
    const answer = await daemon.request('POST', '/api/status-pages', { name: 'x', slug: 'ill', customDomain });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'customDomain' }] } });
  });

  const presentation = {
    description: 'All that our customers use.',
    homeUrl: 'https://shop.example/',
    iconUrl: 'https://cdn.example/icon.png?v=2',
    accentColor: '#0A66c2',
    groupBy: 'team',
  };

  test('the fields that say how a page looks are stored as given, and null clears them', async () => {
    const plain = await create({ slug: 'plain' });
    const none = { description: null, homeUrl: null, iconUrl: null, accentColor: null, groupBy: null };
    expect(plain).toMatchObject(none);
    const { id, ...page } = await create({ slug: 'presented', ...presentation });
    expect(page).toMatchObject(presentation);
    expect((await patch(id, presentation)).body).toEqual({ id, ...page });
    expect((await patch(id, { accentColor: '#000000' })).body).toMatchObject({
      ...presentation,
      accentColor: '#000000',
    });
    expect((await patch(id, none)).body).toMatchObject(none);
  });

  test.each([
    ['homeUrl', 'javascript:alert(1)'],
    ['homeUrl', 'https://'],
    ['homeUrl', 'https://user:password@shop.example/'],
    ['iconUrl', 'data:image/png;base64,AAAA'],
    ['iconUrl', "http://[::1'/x.png"],
    ['accentColor', 'red'],
    ['accentColor', '#fff'],
    ['accentColor', '#0a66c2;}'],
    ['description', 'a\nb'],
    ['description', ''],
    ['groupBy', ''],
  ])('the API refuses the %s %j', async (field, value) => {
    const answer = await daemon.request('POST', '/api/status-pages', { name: 'x', slug: 'ill', [field]: value });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: field }] } });
  });

  test('a patch changes only the fields that it names, and null restores the default of a field', async () => {
    const { id } = await create({ slug: 'patch', key: 'patch', monitorIds: monitors });
    expect((await patch(id, { slug: 'patched', monitorIds: [monitors[1]] })).body).toMatchObject({
      name: 'Shop',
      slug: 'patched',
      monitorIds: [monitors[1]],
      key: 'patch',
    });
    expect((await patch(id, { monitorIds: null })).body).toMatchObject({ monitorIds: [], slug: 'patched' });
    expect((await patch(id, { name: null })).status).toBe(400);
    expect((await patch(id, { slug: '-x' })).status).toBe(400);
    expect((await daemon.request('GET', '/status/patch')).status).toBe(404);
    expect((await daemon.request('DELETE', `/api/status-pages/${id}`)).status).toBe(204);
    expect((await daemon.request('GET', '/api/status-pages?key=patch')).body).toEqual([]);
  });

  test('a patch cannot give a page the slug, key or domain of another page, but may repeat the values that the page already has', async () => {
    await create({ slug: 'theirs', key: 'theirs', customDomain: 'theirs.example.com' });
    const { id } = await create({ slug: 'mine', key: 'mine', customDomain: 'mine.example.com' });
    for (const fields of [{ slug: 'theirs' }, { key: 'theirs' }, { customDomain: 'THEIRS.example.com' }])
      expect((await patch(id, fields)).status).toBe(409);
    expect(await patch(id, { slug: 'mine', key: 'mine', customDomain: 'mine.example.com', name: 'New' })).toMatchObject(
      {
        status: 200,
        body: { name: 'New', slug: 'mine', customDomain: 'mine.example.com' },
      },
    );
  });

  test('a patch that changes nothing does not change `updatedAt`, and the error of an unknown field names the field', async () => {
    const { id, ...page } = await create({ slug: 'same', monitorIds: monitors });
    expect((await patch(id, { slug: 'same', monitorIds: monitors })).body).toEqual({ id, ...page });
    expect((await patch(id, { monitorIDs: [] })).body).toMatchObject({ errors: [{ path: 'monitorIDs' }] });
  });

  test('a page accepts and shows only monitors of its project', async () => {
    const other = await daemon.another(`cy-${database.name}`);
    const { body } = await daemon.request(
      'POST',
      '/api/monitors',
      { type: 'ping', name: 'theirs', host: 'localhost' },
      { apiKey: other.apiKey },
    );
    const fields = { name: 'x', slug: 'foreign', monitorIds: [monitors[0], (body as Shown).id] };
    const refused = { status: 400, body: { errors: [{ path: 'monitorIds.1' }] } };
    expect(await daemon.request('POST', '/api/status-pages', fields)).toMatchObject(refused);
    const { id } = await create({ slug: 'own' });
    expect(await patch(id, { monitorIds: fields.monitorIds })).toMatchObject(refused);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(
        (
          await daemon.request(method, `/api/status-pages/${id}`, method === 'PATCH' ? {} : undefined, {
            apiKey: other.apiKey,
          })
        ).status,
      ).toBe(404);
    expect((await daemon.request('GET', '/api/status-pages', undefined, { apiKey: other.apiKey })).body).toEqual([]);
  });

  test('a deleted monitor is removed from the page', async () => {
    const { body } = await daemon.request('POST', '/api/monitors', { type: 'ping', name: 'gone', host: 'localhost' });
    const { id } = await create({ slug: 'leaves', monitorIds: [(body as Shown).id, monitors[0]] });
    await daemon.request('DELETE', `/api/monitors/${(body as Shown).id}`);
    expect((await daemon.request('GET', `/api/status-pages/${id}`)).body).toMatchObject({ monitorIds: [monitors[0]] });
  });
});
