import { afterEach, beforeEach } from 'vitest';
import type { Sent } from '../channels/index.ts';
import type { Store } from '../store/store.ts';
import type { ChannelTable } from '../store/tables.ts';
import { type TestDatabase } from './databases.ts';
import { arrived, channelRow, openTestAlert } from './outbox.ts';
import { projectRow } from './rows.ts';
import { type MessageLimits, noMessageLimits } from '../alerting/message-budget/message-limits.ts';
import type { MessageRules } from '../alerting/message-rules.ts';
import { claimDeliveries, type ClaimedDelivery, type DelayedChannel } from '../alerting/deliveries/claim-deliveries.ts';
import { finishDelivery } from '../alerting/deliveries/finish-delivery.ts';
import type { TestDatabaseKind } from './databases.ts';

export const now = Date.UTC(2026, 0, 31, 12);

export const minute = 60_000;

const limited = (more: Partial<MessageLimits>): MessageRules => ({
  limits: { ...noMessageLimits, ...more },
  confirmsAddresses: false,
});
const aDay = (level: 'project' | 'account' | 'server', phone: number): MessageRules =>
  limited({ perDay: { ...noMessageLimits.perDay, [level]: { mail: null, phone } } });

/** Makes a database with two projects for each test. Call this function in a describe block. */
export function createMessageLimitsWorld({ open }: Pick<TestDatabaseKind, 'open'>) {
  let database: TestDatabase;
  let store: Store;
  let delayed: DelayedChannel[];
  beforeEach(async () => {
    database = await open();
    store = database.store;
    delayed = [];
    await store.db
      .insertInto('project')
      .values([projectRow('prj'), projectRow('prj_2')])
      .execute();
  });
  afterEach(() => database.dispose());

  const addChannel = async (id: string, type: ChannelTable['type'] = 'sms', more: Partial<ChannelTable> = {}) =>
    (
      await store.db
        .insertInto('channel')
        .values({ ...channelRow(id, { type }), ...(more as object) })
        .returning('seq')
        .executeTakeFirstOrThrow()
    ).seq;
  const claim = async (rules: MessageRules, at = now, on: Store = store): Promise<ClaimedDelivery[]> => {
    const due = await dueDeliveries(on, at);
    const claims = { now: at, leaseUntil: at + minute, rules, onDelayed: (one: DelayedChannel) => delayed.push(one) };
    return claimDeliveries(
      on,
      due.map(({ seq }) => seq),
      claims,
    );
  };
  const finish = (claimed: ClaimedDelivery, sent: Sent = arrived, at = now) =>
    store.write((trx) => finishDelivery(trx, { claimed, sent, begunAt: at, at, durationMs: 1, random: 0 }));
  const channel = (seq: number) =>
    store.db.selectFrom('channel').selectAll().where('seq', '=', seq).executeTakeFirstOrThrow();
  const statuses = () => statusesIn(store);
  /** Opens an outage of each of `count` monitors. All alerts go to one channel. */
  const openMany = async (to: number, count: number, from = 1) => {
    for (let n = from; n < from + count; n++)
      await openTestAlert(store, `alr_${n}`, { channel: to, at: now, monitor: n });
  };

  return {
    get database() {
      return database;
    },
    get store() {
      return store;
    },
    get delayed() {
      return delayed;
    },
    addChannel,
    limited,
    aDay,
    claim,
    finish,
    channel,
    statuses,
    openMany,
  };
}

const dueDeliveries = (store: Store, at: number) =>
  store.db
    .selectFrom('delivery')
    .leftJoin('channel', 'channel.seq', 'delivery.channel')
    .select('delivery.seq')
    .where('delivery.status', '=', 'pending')
    .where('delivery.next_at', '<=', at)
    .where('channel.wait_until', '<=', at)
    .execute();

async function statusesIn(store: Store): Promise<string[]> {
  const rows = await store.db.selectFrom('delivery').select(['kind', 'status']).orderBy('seq').execute();
  return rows.map(({ kind, status }) => `${kind} ${status}`);
}
