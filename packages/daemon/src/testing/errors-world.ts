import { allEndpoints } from '@uptime/sdk/contract';
import { createPlans } from './billing.ts';
import { alertRow } from './outbox.ts';
import { passingCheck } from './passing-check.ts';
import { createTestDaemon, type TestDaemon, type TestUser } from './test-daemon.ts';
import { testWorlds } from './test-world.ts';
import type { Documented } from '../http/openapi.ts';

/** Daemons that together can return every documented error. `ids` has the id of a resource of each kind. */
export interface ErrorsWorld {
  daemon: TestDaemon;
  /** A daemon that limits the rate of requests. */
  throttled: TestDaemon;
  /** A daemon that charges for plans. Its payment provider does not answer. */
  charging: TestDaemon;
  freePlan: string;
  paidPlan: string;
  /** A daemon that requires confirmation codes, and whose mail server accepts no mail. */
  confirming: TestDaemon;
  unconfirmedId: string;
  stranger: TestUser;
  ids: Record<string, string>;
  /** The id of a monitor that the daemon checks. The monitor in `ids` is a heartbeat. */
  activeId: string;
  /** A key whose scope allows almost nothing. */
  pingKey: string;
  /** Makes the daemon believe that its event loop has this delay, in milliseconds. */
  delayLoop(ms: number): void;
  close(): Promise<unknown>;
}

export async function createErrorsWorld(): Promise<ErrorsWorld> {
  let loopDelayMs = 0;
  const daemon = await createTestDaemon({
    // Tests make the store of this daemon fail, so it must be a single node.
    world: testWorlds.sqlite,
    runCheck: passingCheck,
    env: { UPTIME_DNS_SERVERS: '127.0.0.1:1' },
    loopDelayMs: () => loopDelayMs,
  });
  const throttled = await createTestDaemon({ runCheck: passingCheck, env: { UPTIME_RATE_LIMIT: 'on' } });
  const charging = await createTestDaemon({
    runCheck: passingCheck,
    env: { UPTIME_BILLING: 'stripe', UPTIME_STRIPE_SECRET_KEY: 'x', UPTIME_STRIPE_API_URL: 'http://127.0.0.1:1' },
  });
  const confirming = await createTestDaemon({ runCheck: passingCheck, env: { UPTIME_CONFIRM_ADDRESSES: 'on' } });
  const mail = { type: 'email', name: 'm', config: { address: 'ops@example.com' } };
  const unconfirmedId = ((await confirming.request('POST', '/api/notification-channels', mail)).body as { id: string })
    .id;
  const limits = { monitors: 1, checkInterval: 60, regions: 1 };
  const [free, paid] = await createPlans(charging, [
    { name: 'free', ...limits, price: 0 },
    { name: 'paid', ...limits, price: 1 },
  ]);
  const stranger = await daemon.another('stranger');
  const made = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'h', key: 'taken' });
  const { id, pingUrl } = made.body as { id: string; pingUrl: string };
  const active = await daemon.request('POST', '/api/monitors', { type: 'tcp', name: 'a', host: 'localhost', port: 1 });
  const activeId = (active.body as { id: string }).id;
  const keys = `/api/projects/${daemon.project.id}/keys`;
  const machine = await daemon.request('POST', keys, { name: 'job', scope: 'ping' });
  const ids = {
    monitorId: id,
    projectId: daemon.project.id,
    keyId: (machine.body as { id: string }).id,
    token: pingUrl.split('/').at(-1)!,
    signal: 'start',
    channelId: await create(daemon, 'createChannel', { key: 'taken' }),
    ruleId: await create(daemon, 'createAlertRule', { key: 'taken' }),
    incidentId: await create(daemon, 'createIncident'),
    statusPageId: await create(daemon, 'createStatusPage', { slug: 'first', key: 'taken' }),
    deliveryId: await pendingDelivery(daemon.store.db, daemon.project.id),
  };
  return {
    daemon,
    throttled,
    charging,
    freePlan: free!.id,
    paidPlan: paid!.id,
    confirming,
    unconfirmedId,
    stranger,
    ids,
    activeId,
    pingKey: (machine.body as { key: string }).key,
    delayLoop: (ms) => void (loopDelayMs = ms),
    close: () => Promise.all([daemon, throttled, charging, confirming].map((one) => one.close())),
  };
}

/** Creates a resource on a daemon, and returns the id of the resource. */
export async function create(
  daemon: TestDaemon,
  operation: 'createChannel' | 'createAlertRule' | 'createIncident' | 'createMonitor' | 'createStatusPage',
  more = {},
) {
  const body = { ...(bodies[operation] as object), ...more };
  const made = await daemon.request('POST', pathOf(allEndpoints[operation], {}), body);
  return (made.body as { id: string }).id;
}

/** Stores a message that becomes due only long after these tests. Returns its id. */
async function pendingDelivery(db: TestDaemon['store']['db'], project: string): Promise<string> {
  const { seq: channel } = await db.selectFrom('channel').select('seq').executeTakeFirstOrThrow();
  const { seq: alert } = await db
    .insertInto('alert')
    .values(alertRow('alr_1', { channel, at: 0, project_id: project }))
    .returning('seq')
    .executeTakeFirstOrThrow();
  const state = { status: 'pending' as const, next_at: Date.now() + 1e9, created_at: 0, finished_at: null };
  await db
    .insertInto('delivery')
    .values({ id: 'dlv_1', project, alert, channel, lane: '', kind: 'alarm', notice: '{}', ...state })
    .execute();
  return 'dlv_1';
}

/**
 * For each operation, a body that matches the schema of the endpoint. Nothing listens at the address of the channel.
 */
export const bodies: Record<string, unknown> = {
  signUp: { name: 'x', email: 'errors@example.com', password: 'long enough' },
  signIn: { email: 'ada@example.com', password: 'wrong' },
  changePassword: { currentPassword: 'wrong', newPassword: 'long enough' },
  createProject: { name: 'x' },
  createProjectKey: { name: 'x', scope: 'read' },
  updateProject: { name: 'x' },
  createMonitor: { type: 'heartbeat', name: 'x' },
  updateMonitor: { name: 'x', interval: 61 },
  createChannel: { type: 'slack', name: 'x', config: { webhookUrl: 'http://127.0.0.1:1/' } },
  updateChannel: { name: 'y' },
  confirmChannel: {},
  createAlertRule: { name: 'x', monitorIds: [], channelIds: [] },
  updateAlertRule: { name: 'y' },
  createIncident: { title: 'x' },
  updateIncident: { title: 'y' },
  createStatusPage: { name: 'x', slug: 'x' },
  updateStatusPage: { name: 'y' },
  createPlan: { name: 'x', monitors: 1, checkInterval: 60, regions: 1, price: 1 },
  updatePlan: { price: 2 },
  createCheckout: { planId: 'x' },
  addProbe: { region: 'eu' },
};

/** Returns the path of an endpoint, with these values of its parameters. Other parameters become `x`. */
export function pathOf(endpoint: Documented, replaced: Record<string, string>): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => replaced[name] ?? 'x');
  return `${endpoint.site ? '' : '/api'}${path}`;
}
