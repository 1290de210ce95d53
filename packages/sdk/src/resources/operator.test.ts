import { afterEach, expect, test } from 'vitest';
import type { Uptime } from '../index.ts';
import { closers, json, serve } from '../testing/served-answers.ts';

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const plan = { id: 'pln_1', name: 'Team', monitors: 100, price: 20 };
const input = { name: 'Team', monitors: 100, checkInterval: 30, regions: 3, price: 20 };
const token = { id: 'prb_1', region: 'eu', probes: [] };

/** Each call, the request that it sends, the body of the request, and the answer that the call returns. */
const calls: [string, string, (uptime: Uptime) => Promise<unknown>, object | null, number, unknown][] = [
  ['billing.plans', 'GET /api/billing/plans', ({ billing }) => billing.plans(), null, 200, [plan]],
  [
    'billing.subscription',
    'GET /api/billing/subscription',
    ({ billing }) => billing.subscription(),
    null,
    200,
    { planId: 'pln_1', status: 'active' },
  ],
  [
    'billing.checkout',
    'POST /api/billing/checkout',
    ({ billing }) => billing.checkout({ planId: 'pln_1' }),
    { planId: 'pln_1' },
    200,
    { checkoutUrl: 'https://pay.example.com/1' },
  ],
  ['billing.createPlan', 'POST /api/billing/plans', ({ billing }) => billing.createPlan(input), input, 201, plan],
  [
    'billing.updatePlan',
    'PATCH /api/billing/plans/pln_1',
    ({ billing }) => billing.updatePlan('pln_1', { price: 25 }),
    { price: 25 },
    200,
    plan,
  ],
  ['probes.list', 'GET /api/probes', ({ probes }) => probes.list(), null, 200, [token]],
  [
    'probes.add',
    'POST /api/probes',
    ({ probes }) => probes.add({ region: 'eu' }),
    { region: 'eu' },
    201,
    { ...token, token: 'prt_secret' },
  ],
  ['regions.list', 'GET /api/regions', ({ regions }) => regions.list(), null, 200, [{ name: 'eu', served: true }]],
  [
    'usage',
    'GET /api/usage',
    (uptime) => uptime.usage(),
    null,
    200,
    { plan: null, limits: [{ name: 'monitors', used: 3, limit: null }] },
  ],
];

/** Each call whose answer has no body. */
const empty: [string, string, (uptime: Uptime) => Promise<unknown>][] = [
  ['billing.deletePlan', 'DELETE /api/billing/plans/pln_1', ({ billing }) => billing.deletePlan('pln_1')],
  ['probes.revoke', 'DELETE /api/probes/prb_1', ({ probes }) => probes.revoke('prb_1')],
];

test.each(calls)('%s sends %s, and returns the answer', async (_, line, call, body, status, answer) => {
  const { client, seen } = await serve(json(status, answer));
  expect(await call(client())).toEqual(answer);
  expect(seen.map((request) => request.line)).toEqual([line]);
  expect(seen[0]!.body).toBe(body === null ? '' : JSON.stringify(body));
});

test.each(empty)('%s sends %s, and returns nothing', async (_, line, call) => {
  const { client, seen } = await serve((_, response) => response.writeHead(204).end());
  expect(await call(client())).toBeUndefined();
  expect(seen.map((request) => `${request.line} ${request.body}`.trim())).toEqual([line]);
});

test('the request with an event of the payment provider has the signature of the event, and no API key', async () => {
  const { client, seen } = await serve(json(200, { received: true }));
  const event = { id: 'evt_1', type: 'customer.subscription.deleted' };
  const headers = { 'stripe-signature': 't=1,v1=abc' };
  expect(await client().billing.webhook(event, { headers })).toEqual({ received: true });
  expect(seen[0]).toMatchObject({ line: 'POST /api/billing/webhook', body: JSON.stringify(event) });
  expect(seen[0]!.headers['stripe-signature']).toBe('t=1,v1=abc');
  expect(seen[0]!.headers).not.toHaveProperty('x-api-key');
});
