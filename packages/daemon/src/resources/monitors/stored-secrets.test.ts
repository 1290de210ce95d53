import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLog } from '../../log.ts';
import { createSeal } from '../../store/seal.ts';
import { passingCheck } from '../../testing/passing-check.ts';
import { type HttpTarget, httpTarget } from '../../testing/targets/index.ts';
import { createTestDaemon, type TestDaemon } from '../../testing/test-daemon.ts';

interface Shown {
  id: string;
  status: string;
  secretsError: string | null;
}

const secretsError =
  "The monitor's headers and body cannot be read, because they were stored under another secret key. Send them again, or start the daemon with its former key.";
const headers = { Authorization: 'Bearer token-of-the-shop', 'X-Tenant': 'shop' };
const body = '{"user":"probe"}';

let target: HttpTarget;
let daemon: TestDaemon;
let monitor: Shown;
beforeAll(async () => {
  target = await httpTarget((request, response) => {
    response.writeHead(request.headers.authorization === headers.Authorization ? 200 : 401).end();
  });
  daemon = await createTestDaemon();
  const fields = { type: 'http', name: 'Shop', url: target.url, method: 'POST', interval: 3600, headers, body };
  monitor = (await daemon.request('POST', '/api/monitors', fields)).body as Shown;
  expect(monitor.secretsError).toBeNull();
  await vi.waitFor(async () => expect((await read()).status).toBe('up'), 20_000);
  // Replaces the stored secrets with ones that were encrypted with another key, as if the daemon's key was lost.
  const row = await daemon.store.db.selectFrom('monitor').selectAll().executeTakeFirstOrThrow();
  const config = JSON.parse(row.config) as { sealed: Record<string, string> };
  const foreign = createSeal('a key that is gone');
  for (const [field, value] of Object.entries({ headers, body }))
    config.sealed[field] = foreign.close(JSON.stringify(value), `${row.id} ${field}`);
  await daemon.store.db
    .updateTable('monitor')
    .set({ config: JSON.stringify(config) })
    .execute();
});
afterAll(async () => {
  await Promise.all([daemon.close(), target.close()]);
});

const path = () => `/api/monitors/${monitor.id}`;
const read = async () => (await daemon.request('GET', path())).body as Shown;
const patch = (change: object) => daemon.request('PATCH', path(), change);

test('if the secrets of a monitor cannot be decrypted, the API shows the reason and all other fields', async () => {
  expect(await read()).toMatchObject({
    name: 'Shop',
    url: target.url,
    headers: { Authorization: '', 'X-Tenant': '' },
    body: null,
    secretsError,
    status: 'up',
  });
});

test('if the secrets of a monitor cannot be decrypted, its check is a checker fault, without a request to the target and without an alarm', async () => {
  const asked = target.requests.length;
  const checked = await daemon.request('POST', `${path()}/check`);
  expect(checked.body).toMatchObject({ status: 'internal', error: { code: 'internal', message: secretsError } });
  expect(target.requests).toHaveLength(asked);
  // The scheduled check is a checker fault too.
  await daemon.store.db.updateTable('schedule').set({ next_at: Date.now() }).execute();
  const unobservedSince = async () =>
    (await daemon.store.db.selectFrom('monitor_state').select('unobserved_since').executeTakeFirstOrThrow())
      .unobserved_since;
  await expect.poll(unobservedSince).not.toBeNull();
  expect(await read()).toMatchObject({ status: 'up' });
  expect(await daemon.store.db.selectFrom('alert').selectAll().execute()).toEqual([]);
  expect((await daemon.request('GET', '/healthz')).body).toMatchObject({
    status: 'ok',
    warnings: [expect.stringContaining(secretsError) as string],
  });
});

test('if the secrets of a monitor cannot be decrypted, a patch of other fields or of a whole response keeps the stored secrets', async () => {
  const sealed = async () => {
    const row = await daemon.store.db.selectFrom('monitor').select('config').executeTakeFirstOrThrow();
    return (JSON.parse(row.config) as { sealed: object }).sealed;
  };
  const before = await sealed();
  expect((await patch({ name: 'The shop' })).body).toMatchObject({ name: 'The shop', secretsError });
  expect((await patch({ ...(await read()), interval: 1800 })).body).toMatchObject({ interval: 1800, secretsError });
  expect(await sealed()).toEqual(before);
});

test('if the headers of a monitor cannot be decrypted, the API refuses a patch of some headers, because the other headers would be lost', async () => {
  expect(await patch({ headers: { Authorization: 'Bearer new' } })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('Send a value or null for X-Tenant too.') as string },
  });
});

test('a monitor is repaired when its secrets are sent again, even if the client sends one field after the other', async () => {
  const half = (await patch({ headers: { authorization: headers.Authorization, 'X-Tenant': null } })).body;
  expect(half).toMatchObject({
    headers: { authorization: headers.Authorization },
    body: null,
    secretsError: secretsError.replace('headers and ', ''),
  });
  const healed = (await patch({ body: null })).body;
  expect(healed).toMatchObject({ headers: { authorization: headers.Authorization }, body: null, secretsError: null });
  expect((await daemon.request('POST', `${path()}/check`)).body).toMatchObject({ status: 'up' });
});

test('a monitor whose secrets an older version stored in plain text works, and the next change of the monitor encrypts them', async () => {
  const { db } = daemon.store;
  const token = 'Bearer stored-in-the-clear';
  const row = await db.selectFrom('monitor').selectAll().executeTakeFirstOrThrow();
  const { sealed: _, ...config } = JSON.parse(row.config) as { sealed: object };
  const old = JSON.stringify({ ...config, headers: { Authorization: token }, body: 'hello' });
  await db.updateTable('monitor').set({ config: old }).execute();
  expect(await read()).toMatchObject({ headers: { Authorization: token }, body: 'hello', secretsError: null });
  await daemon.request('POST', `${path()}/check`);
  expect(target.requests.at(-1)).toMatchObject({ headers: { authorization: token }, body: 'hello' });
  const changed = (await patch({ name: 'Shop again' })).body;
  expect(changed).toMatchObject({ headers: { Authorization: token }, body: 'hello' });
  const { config: stored } = await db.selectFrom('monitor').select('config').executeTakeFirstOrThrow();
  expect(stored).not.toMatch(/in-the-clear|hello/);
});

test('a start under another secret key logs a warning, and `/healthz` warns until the secrets are sent again', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'warn', format: 'json', write: (line) => void lines.push(line) });
  const daemon = await createTestDaemon({ log, runCheck: passingCheck });
  try {
    const hook = { type: 'slack', name: 'x', config: { webhookUrl: 'http://localhost:1/' } };
    const fields = { type: 'http', name: 'x', url: 'https://ada:hush@a.example/', paused: true };
    const channel = ((await daemon.request('POST', '/api/notification-channels', hook)).body as Shown).id;
    const { id } = (await daemon.request('POST', '/api/monitors', fields)).body as Shown;
    const foreign = createSeal('a key that is gone');
    const { db } = daemon.store;
    const row = await db.selectFrom('monitor').selectAll().executeTakeFirstOrThrow();
    const config = JSON.stringify({
      ...(JSON.parse(row.config) as object),
      sealed: { url: foreign.close('"x"', `${id} url`) },
    });
    await db.updateTable('monitor').set({ config }).execute();
    await db
      .updateTable('channel')
      .set({ config: foreign.close('{}', channel) })
      .execute();
    const warning = 'The secrets of 1 monitor(s) and 1 channel(s) cannot be read';
    const warnings = async () =>
      ((await daemon.request('GET', '/healthz')).body as { warnings: string[] }).warnings.join('\n');
    expect(await warnings()).not.toContain(warning);
    await daemon.restart();
    await vi.waitFor(() => expect(lines.join('')).toContain(warning), 20_000);
    expect(await warnings()).toContain(warning);
    expect(await warnings()).toContain(
      `1 channel whose config cannot be read, because it was stored under another secret key: ${channel}`,
    );
    await daemon.request('PATCH', `/api/monitors/${id}`, { url: fields.url });
    await daemon.request('PATCH', `/api/notification-channels/${channel}`, { config: hook.config });
    await daemon.restart();
    expect(await warnings()).not.toContain('cannot be read');
  } finally {
    await daemon.close();
  }
});
