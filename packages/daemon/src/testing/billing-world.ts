import { afterAll, beforeAll, expect } from 'vitest';
import { checkout, createPlans, submit } from './billing.ts';
import { passingCheck } from './passing-check.ts';
import { createTestDaemon, type TestDaemon, type TestUser } from './test-daemon.ts';
import type { TestDatabaseKind } from './databases.ts';

export const pays = '4242 4242 4242 4242';

export const free = { name: 'Free', monitors: 2, checkInterval: 60, regions: 1, price: 0 };

export const team = { name: 'Team', monitors: 4, checkInterval: 10, regions: 2, price: 19.99 };

export interface Shown {
  id: string;
  status: string;
  pausedReason: string | null;
  [field: string]: unknown;
}

/**
 * Starts a daemon with two plans. `someone` signs up a new user. The other functions act for the user who signed up
 * last. Call this function in a describe block.
 */
export function createBillingWorld(database: TestDatabaseKind) {
  let daemon: TestDaemon;
  let user: TestUser;
  let plans: { id: string }[];
  let count = 0;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck, env: { UPTIME_BILLING: 'sandbox' } });
    plans = await createPlans(daemon, [free, team]);
  });
  afterAll(() => daemon.close());

  const someone = async () => {
    user = await daemon.another(`payer-${++count}-${database.name}`);
  };
  const asUser = () => ({ cookie: user.cookie });
  const request = (method: string, path: string, body?: unknown) =>
    daemon.request(method, path, body, { apiKey: user.apiKey });
  const create = (name: string, fields: object = {}) =>
    request('POST', '/api/monitors', { type: 'tcp', name, host: 'localhost', port: 1, ...fields });
  const created = async (name: string, fields: object = {}) => {
    const answer = await create(name, fields);
    expect(answer).toMatchObject({ status: 201 });
    return (answer.body as Shown).id;
  };
  const read = async (id: string) => (await request('GET', `/api/monitors/${id}`)).body as Shown;
  const paused = async (...ids: string[]) =>
    (await Promise.all(ids.map(read))).map(({ status, pausedReason, nextCheckAt }) => {
      expect(status === 'paused').toBe(pausedReason === 'plan');
      expect(nextCheckAt === null).toBe(pausedReason === 'plan');
      return pausedReason === 'plan';
    });
  const subscription = async () =>
    (await daemon.request('GET', '/api/billing/subscription', undefined, asUser())).body as Record<string, string>;
  const toTeam = async (card = pays) => submit(await checkout(daemon, plans[1]!.id, asUser()), { action: 'pay', card });
  const cancel = () => cancelCheckout(daemon, asUser());

  return {
    get daemon() {
      return daemon;
    },
    get user() {
      return user;
    },
    get plans() {
      return plans;
    },
    get count() {
      return count;
    },
    someone,
    asUser,
    request,
    create,
    created,
    read,
    paused,
    subscription,
    toTeam,
    cancel,
  };
}

/**
 * Cancels the user's subscription on the payment page of another plan. This plan is created only for the cancellation,
 * and deleted afterwards.
 */
async function cancelCheckout(daemon: TestDaemon, user: { cookie: string }): Promise<void> {
  const [other] = await createPlans(daemon, [{ ...team, name: 'Other', price: 5 }]);
  const page = await submit(await checkout(daemon, other!.id, user), { action: 'cancel' });
  expect(page.status).toBe(200);
  await daemon.request('DELETE', `/api/billing/plans/${other!.id}`, undefined, { cookie: daemon.cookie });
}
