import { afterEach, describe, expect, test } from 'vitest';
import { ConnectionError, NotFoundError, ServerError, type Uptime } from './index.ts';
import { closers, drop, failure, type Handler, json, problem, serve } from './testing/served-answers.ts';

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const atOnce = { 'retry-after': '0' };
const busy = problem(503, 'unavailable', {}, atOnce);

type Call = (uptime: Uptime) => Promise<unknown>;
const rule = { name: 'n', monitorIds: [], channelIds: [] };
const plan = { name: 'Team', monitors: 1, checkInterval: 60, regions: 1, price: 0 };

/** Calls that create an object. The server recognises a repeated call by its idempotency key. */
const creates: [string, Call][] = [
  ['projects.create', ({ projects }) => projects.create({ name: 'n' })],
  ['projects.keys.create', ({ projects }) => projects.keys.create('prj_1', { name: 'ci', scope: 'read' })],
  ['monitors.create', ({ monitors }) => monitors.create({ type: 'heartbeat', name: 'n' })],
  ['incidents.create', ({ incidents }) => incidents.create({ title: 'n' })],
  ['statusPages.create', ({ statusPages }) => statusPages.create({ name: 'n', slug: 'n' })],
  [
    'channels.create',
    ({ channels }) => channels.create({ type: 'email', name: 'n', config: { address: 'a@b.example' } }),
  ],
  ['alertRules.create', ({ alertRules }) => alertRules.create(rule)],
  ['billing.createPlan', ({ billing }) => billing.createPlan(plan)],
];

/** Calls that the SDK must not repeat, because the server would do something twice. */
const once: [string, Call][] = [
  ['auth.signUp', ({ auth }) => auth.signUp({ name: 'n', email: 'a@b.example', password: 'p' })],
  ['auth.changePassword', ({ auth }) => auth.changePassword({ currentPassword: 'p', newPassword: 'q' })],
  ['auth.signOut', ({ auth }) => auth.signOut()],
  ['projects.regenerateKey', ({ projects }) => projects.regenerateKey('prj_1')],
  ['monitors.check', ({ monitors }) => monitors.check('mon_1')],
  ['statusPages.verifyDomain', ({ statusPages }) => statusPages.verifyDomain('pag_1')],
  ['channels.confirm', ({ channels }) => channels.confirm('chn_1')],
  ['alertHistory.redeliver', ({ alertHistory }) => alertHistory.redeliver('dlv_1')],
  ['probes.add', ({ probes }) => probes.add({ region: 'eu' })],
  ['billing.checkout', ({ billing }) => billing.checkout({ planId: 'pln_1' })],
  ['billing.webhook', ({ billing }) => billing.webhook({})],
];

test.each(creates)('%s is retried with the same idempotency key and body', async (_, call) => {
  const { client, seen } = await serve(drop, busy, json(201, { id: 'x' }));
  expect(await call(client())).toEqual({ id: 'x' });
  expect(seen).toHaveLength(3);
  expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
});

test.each(once)('%s is sent only once, even if its answer is lost or the server is busy', async (_, call) => {
  const lost = await serve(drop);
  expect(await failure(call(lost.client({ retries: 5 })))).toBeInstanceOf(ConnectionError);
  expect(lost.seen).toHaveLength(1);
  const refused = await serve(busy);
  expect(await failure(call(refused.client({ retries: 5 })))).toBeInstanceOf(ServerError);
  expect(refused.seen).toHaveLength(1);
});

test.each<[string, Call]>([
  ['a read', ({ monitors }) => monitors.get('mon_1')],
  ['a change', ({ monitors }) => monitors.update('mon_1', { paused: true })],
  ['a deletion', ({ monitors }) => monitors.delete('mon_1')],
  ['a read of the health', (uptime) => uptime.health()],
])('%s is retried without an idempotency key', async (_, call) => {
  const { client, seen } = await serve(drop, busy, json(200, { id: 'x', version: '1' }));
  await call(client());
  expect(seen).toHaveLength(3);
  for (const { headers } of seen) expect(headers).not.toHaveProperty('idempotency-key');
});

test('a POST is retried if the caller gave an idempotency key', async () => {
  const { client, seen } = await serve(drop, json(200, { status: 'up' }));
  await client().monitors.check('mon_1', { idempotencyKey: 'mine' });
  expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine']);
});

describe('a deletion whose answer may be lost', () => {
  const gone = problem(404, 'not_found');
  test.each<[string, Handler, boolean]>([
    ['a broken connection', drop, true],
    ['a failed gateway', problem(504, 'unavailable', {}, atOnce), true],
    // The server refused the first attempt and deleted nothing. So the 404 of the second attempt is an error.
    ['a rate limit', problem(429, 'rate_limited', {}, atOnce), false],
  ])('after %s, the deletion treats 404 as a success: %s', async (_, first, isSuccess) => {
    const { client, seen } = await serve(first, gone);
    const deleted = client().monitors.delete('mon_1');
    if (isSuccess) expect(await deleted).toBeUndefined();
    else expect(await failure(deleted)).toBeInstanceOf(NotFoundError);
    expect(seen).toHaveLength(2);
  });

  test('only a deletion treats 404 as a success', async () => {
    const { client } = await serve(drop, gone);
    expect(await failure(client().monitors.get('mon_1'))).toBeInstanceOf(NotFoundError);
  });
});

describe('a connection that breaks', () => {
  const half: Handler = (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '50' });
    response.write('[{"id":', () => request.socket.destroy());
  };
  test.each<[string, Handler]>([
    ['before the answer', drop],
    ['within the answer', half],
  ])('if the connection breaks %s, the SDK retries and returns the next answer', async (_, broken) => {
    const { client, seen } = await serve(broken, json(200, [{ id: 'mon_1' }]));
    expect(await client().monitors.list()).toEqual([{ id: 'mon_1' }]);
    expect(seen).toHaveLength(2);
  });

  test('if the connection breaks at every attempt, the call throws the error of the last attempt', async () => {
    const { client, seen } = await serve(busy, drop);
    expect(await failure(client({ retries: 1 }).monitors.list())).toBeInstanceOf(ConnectionError);
    expect(seen).toHaveLength(2);
  });
});
