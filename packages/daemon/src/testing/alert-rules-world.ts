import { afterAll, beforeAll, expect } from 'vitest';
import type { CheckOutcome } from '../checks/check.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import { createCheckRecording } from './record-check.ts';
import { hangingCheck } from './hanging-check.ts';
import { passed } from './passing-check.ts';
import { createTestDaemon, type TestDaemon } from './test-daemon.ts';
import type { TestDatabaseKind } from './databases.ts';
import { noAbsences } from '../core/absence.ts';

export interface Shown {
  id: string;
  [field: string]: unknown;
}

const failing: CheckOutcome = {
  verdict: 'down',
  error: { code: 'connect_refused', message: 'nothing listens there' },
  responseTime: null,
  statusCode: null,
  timings: null,
  certificate: null,
  trace: [],
};

/** Starts a daemon for tests of alert rules. Call this function in a describe block. */
export function createAlertRulesWorld(database: TestDatabaseKind) {
  let daemon: TestDaemon;
  let channelIds: string[];
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: hangingCheck });
    channelIds = await Promise.all([channel('a'), channel('b')]);
  });
  afterAll(() => daemon.close());

  const made = async (path: string, fields: object): Promise<Shown> => {
    const answer = await daemon.request('POST', path, fields);
    expect(answer).toMatchObject({ status: 201 });
    return answer.body as Shown;
  };
  // Nothing listens at the address of the channel, so messages stay pending.
  const channel = async (name: string) =>
    (
      await made('/api/notification-channels', {
        type: 'slack',
        name,
        config: { webhookUrl: 'http://127.0.0.1:1/services/12345678' },
      })
    ).id;
  const monitor = async (fields: object = {}) =>
    (await made('/api/monitors', { type: 'tcp', name: 'm', host: 'localhost', port: 1, interval: 86_400, ...fields }))
      .id;
  const rule = (fields: object) => made('/api/alert-rules', { name: 'r', monitorIds: [], channelIds: [], ...fields });
  const patch = (id: string, fields: unknown) => daemon.request('PATCH', `/api/alert-rules/${id}`, fields);
  let rounds = 0;
  /** Records a scheduled check of the next round, an interval after the previous one. */
  const round = (id: string, isDown: boolean) => recordRound(daemon, { id, isDown, number: ++rounds });
  const alertsOf = async (monitorId: string) =>
    ((await daemon.request('GET', '/api/alert-history')).body as Shown[]).filter((one) => one.monitorId === monitorId);

  return {
    get daemon() {
      return daemon;
    },
    get channelIds() {
      return channelIds;
    },
    made,
    channel,
    monitor,
    rule,
    patch,
    round,
    alertsOf,
  };
}

async function recordRound(
  daemon: TestDaemon,
  { id, isDown, number }: { id: string; isDown: boolean; number: number },
): Promise<void> {
  const { store } = daemon;
  const record = createCheckRecording(store);
  const { seq, generation } = await store.db
    .selectFrom('monitor')
    .select(['seq', 'generation'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { id: region } = await store.db.selectFrom('region').select('id').executeTakeFirstOrThrow();
  const at = Date.now();
  const check: FinishedCheck = {
    monitor: seq,
    region,
    generation,
    intervalMs: 86_400_000,
    begunAt: at + number * 86_400_000,
    at,
    requested: false,
    later: 'none',
    overtaken: false,
    claim: null,
    absences: noAbsences,
    outcome: isDown ? failing : passed,
  };
  await store.write((trx) => record(trx, check));
}
