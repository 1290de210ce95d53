import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorSecrets } from '@uptime/sdk/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../log.ts';
import { databases } from '../../testing/databases.ts';
import { dnsTarget, type HttpTarget, httpTarget, freePort } from '../../testing/targets/index.ts';
import { createTestDaemon, type TestDaemon } from '../../testing/test-daemon.ts';

const canary = 'C4n4ryB1rd';
const login = Buffer.from(`ada:${canary}-password`).toString('base64');
const secrets = {
  headers: {
    Authorization: `Bearer ${canary}-header+/"&`,
    'X-Tenant': `${canary}-tenant`,
    Cookie: `sid=${canary}-sid`,
  },
  body: JSON.stringify({ user: 'ada', password: `${canary}-body/+"&` }),
};

/** The target's answer to each path. Most answers repeat the request's secrets, each in a different place. */
const echoes: Record<string, (secrets: string) => { status: number; reason?: string; location?: string }> = {
  '/hook': () => ({ status: 200 }),
  '/pass': () => ({ status: 200 }),
  '/fail': () => ({ status: 500 }),
  '/reason': (secrets) => ({ status: 503, reason: secrets }),
  '/redirect': (secrets) => ({ status: 302, location: `/fail?secrets=${encodeURIComponent(secrets)}` }),
  '/path': (secrets) => ({ status: 307, location: `/fail/${encodeURIComponent(secrets)}` }),
  '/nowhere': (secrets) => ({ status: 302, location: `ftp://${secrets}/` }),
  '/host': () => ({ status: 302, location: `http://${canary}-tenant.invalid/` }),
  '/long': (secrets) => ({
    status: 302,
    location: `/fail?pad=${'x'.repeat(200)}&secrets=${encodeURIComponent(secrets)}`,
  }),
};

describe.each(databases)('secrets of monitors on $name', (database) => {
  let target: HttpTarget;
  let dns: Awaited<ReturnType<typeof dnsTarget>>;
  let daemon: TestDaemon;
  const logged: string[] = [];
  /**
   * All answers and messages of the test, except the answers that show a monitor to a caller with the project's key.
   * This caller may see the secrets.
   */
  const texts: string[] = [];

  beforeAll(async () => {
    target = await httpTarget((request, response) => {
      const { authorization = '', cookie = '' } = request.headers;
      const tenant = String(request.headers['x-tenant']);
      const sent = [authorization, tenant, cookie, target.requests.at(-1)!.body].join(' ');
      const { status, reason, location } = (echoes[new URL(request.url!, target.url).pathname] ?? echoes['/fail']!)(
        sent,
      );
      response
        .writeHead(status, reason?.replaceAll(/[^\x20-\x7e]/g, ''), location === undefined ? {} : { location })
        .end();
    });
    const log = createLog({ level: 'debug', format: 'json', write: (line) => void logged.push(line) });
    dns = await dnsTarget({});
    daemon = await createTestDaemon({ database, log, env: { UPTIME_DNS_SERVERS: dns.server } });
  });
  afterAll(async () => {
    await Promise.all([daemon.close(), target.close(), dns.close()]);
  });

  const ask = async (method: string, path: string, body?: unknown, options = {}) => {
    const answer = await daemon.request(method, path, body, options);
    texts.push(`${method} ${path}: ${JSON.stringify([...answer.headers])} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const make = async (path: string, body: unknown) =>
    (
      (await daemon.request('POST', path, body, { headers: { 'idempotency-key': crypto.randomUUID() } })).body as {
        id: string;
      }
    ).id;

  test('every secret of this test contains a canary, and the registry lists no other secret fields', () => {
    const fields = [...new Set(Object.values(monitorSecrets).flatMap((parts) => Object.keys(parts)))];
    expect(fields, 'add a canary for each other secret field to `secrets` in no-secret-leaves.test.ts').toEqual([
      'url',
      'headers',
      'body',
    ]);
    expect(JSON.stringify(Object.values(secrets.headers)).match(new RegExp(canary, 'g'))).toHaveLength(3);
    expect(secrets.body).toContain(canary);
  });

  test('monitors with secrets pass, fail, are redirected and send alarms, and this test collects all answers and messages', async () => {
    const hook = `${target.url}/hook`;
    const channelIds = [
      await make('/api/notification-channels', { type: 'webhook', name: 'hook', config: { url: hook } }),
      await make('/api/notification-channels', { type: 'slack', name: 'chat', config: { webhookUrl: hook } }),
    ];
    const refused = `http://127.0.0.1:${await freePort()}/`;
    const echoing = Object.keys(echoes).filter((path) => path !== '/hook');
    // The answers and messages do not depend on the database, so a few of the paths are enough on PostgreSQL.
    const paths = database.name === 'sqlite' ? echoing : ['/pass', '/fail', '/redirect'];
    const urls = [...paths.map((path) => target.url + path), refused, 'http://nothing.invalid/'];
    const { Authorization: _, ...headers } = secrets.headers;
    // These monitors have credentials in a header and in the address.
    const withLogin = ['/fail', '/redirect', '/reason'].map((path) => ({
      ...secrets,
      url: `${target.url.replace('://', `://ada:${canary}-password@`)}${path}?page=2&api_key=${canary}-key`,
      headers,
    }));
    const all = [...urls.map((url) => ({ ...secrets, url })), ...withLogin];
    const ids = await Promise.all(
      all.map(async (fields, n) => {
        const made = { type: 'http', name: `m${n}`, method: 'POST', interval: 1, timeout: 5, ...fields };
        const id = await make('/api/monitors', made);
        // A caller with the project's key may see the secrets.
        expect((await daemon.request('GET', `/api/monitors/${id}`)).body).toMatchObject(fields);
        return id;
      }),
    );
    await make('/api/alert-rules', { name: 'all', monitorIds: ids, channelIds });
    for (const id of ids) await ask('POST', `/api/monitors/${id}/check`);
    await daemon.request('PATCH', `/api/monitors/${ids[0]}`, { name: 'again' });
    expect((await ask('PATCH', `/api/monitors/${ids[0]}`, { headers: { 'X-Tenant': [canary] } })).status).toBe(400);
    const down = async () =>
      ((await daemon.request('GET', '/api/monitors')).body as { status: string }[]).filter(
        ({ status }) => status === 'down',
      );
    await expect.poll(async () => (await down()).length, { timeout: 15_000 }).toBe(ids.length - 1);
    const sent = async () => (await ask('GET', '/api/deliveries?status=sent')).body as unknown[];
    await expect.poll(async () => (await sent()).length, { timeout: 15_000 }).toBe(2 * (ids.length - 1));
    expect(target.requests.some(({ headers }) => headers.authorization === `Basic ${login}`)).toBe(true);
    expect(target.requests.some(({ body }) => body === secrets.body)).toBe(true);

    const page = await make('/api/status-pages', { name: 'Page', slug: `canary-${database.name}`, monitorIds: ids });
    await ask('GET', `/api/status-pages/${page}`);
    for (const form of ['', '.json', '/feed.atom', '/badge.svg'])
      await ask('GET', `/status/canary-${database.name}${form}`, undefined, { apiKey: null });
    for (const past of ['stats', 'events', 'response-times', 'daily-uptime'])
      await Promise.all(ids.map((id) => ask('GET', `/api/monitors/${id}/${past}`)));
    await ask('GET', '/api/alert-history');
    await ask('GET', '/healthz');
    const messages = target.requests.flatMap(({ url, body }) => (url === '/hook' ? [body] : []));
    texts.push(...messages);
    // Opens the pages that alarms link to, as a person who got the message does.
    const links = messages.flatMap((message) => message.match(/\/alerts\/[\w.-]+/g) ?? []);
    expect(new Set(links).size).toBe(ids.length - 1);
    for (const link of new Set(links)) {
      const page = await fetch(daemon.url + link);
      expect(page.status).toBe(200);
      texts.push(await page.text());
    }
  });

  test('no log line, no row of the store, and no collected message or answer contains a secret', async () => {
    const stored = database.name === 'sqlite' ? await filesOf(daemon.dataDir) : await rowsOf(daemon);
    expect(stored.join('').length).toBeGreaterThan(10_000);
    const everything = [...texts, ...logged, ...stored];
    // Also searches for secrets in Base64, and for the first letters of each secret, because a shortened text may end
    // with them.
    const parts = [canary, Buffer.from(canary).toString('base64').slice(0, 12), login.slice(8)];
    const hits = everything.flatMap((text) => {
      const small = text.toLowerCase();
      const places = parts.map((part) => small.indexOf(part.toLowerCase()));
      return places.flatMap((at) => (at < 0 ? [] : [text.slice(Math.max(0, at - 160), at + 60)]));
    });
    expect(hits).toEqual([]);
  });
});

async function filesOf(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
  );
}

async function rowsOf({ store: { db } }: TestDaemon): Promise<string[]> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db);
  const dumps = tables.rows.map(({ name }) =>
    sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.table(name)} t`.execute(db),
  );
  return (await Promise.all(dumps)).flatMap(({ rows }) => rows.map(({ row }) => row));
}
