import { type CheckErrorCode, isPassive, type NormalMonitor, validateMonitor } from '@uptime/sdk/contract';
import type { Insertable, Transaction } from 'kysely';
import type { CheckOutcome, SeenCertificate } from '../checks/check.ts';
import { reviewAlerts } from '../alerting/review-alerts.ts';
import { joinRegion } from '../lifecycle/join-region.ts';
import { initMonitor } from '../lifecycle/monitor-life.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import type { Store } from '../store/store.ts';
import type { ChannelTable, RuleTable, Tables } from '../store/tables.ts';
import { channelRow } from './outbox.ts';
import { monitorRow, projectRow } from './rows.ts';
import { absentUntil } from './absent-until.ts';

/** The time at which the tests of alerts begin, in epoch milliseconds. */
export const begunAt = Date.UTC(2026, 5, 1, 12);
export const minute = 60_000;

const shop = { type: 'http', url: 'https://shop.example/' };

/** Returns a monitor's fields as they are stored. Throws an error that lists the faults if the input is invalid. */
export function monitorFields(input: object): NormalMonitor {
  const parsed = validateMonitor({ name: 'shop', ...('type' in input ? {} : shop), ...input });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.value;
}

/**
 * Creates a project. Returns functions that add monitors, channels, rules and windows to the project, and functions
 * that read alerts and messages.
 */
export async function createWatchedProject(store: Store) {
  await store.db.insertInto('project').values(projectRow('prj')).execute();
  const region = await joinRegion(store, 'default', begunAt);
  return {
    region,

    addMonitor: (id: string, input: object = {}) =>
      store.write(async (trx) => {
        const fields = monitorFields({ name: id, ...input });
        const row = monitorRow(`mon_${id}`, 'prj', {
          name: fields.name,
          type: fields.type,
          config: JSON.stringify(fields),
          token: isPassive(fields) ? id : null,
        });
        const { seq } = await trx.insertInto('monitor').values(row).returning('seq').executeTakeFirstOrThrow();
        await initMonitor(trx, { seq, fields, now: begunAt });
        return seq;
      }),

    async addChannel(id: string, type: ChannelTable['type'] = 'slack'): Promise<number> {
      const row = channelRow(`chn_${id}`, { type, name: id });
      return (await store.db.insertInto('channel').values(row).returning('seq').executeTakeFirstOrThrow()).seq;
    },

    addRule: (id: string, fields: RuleInput) => storeRule(store, id, fields),

    addWindow: (monitors: readonly number[], start: number, end: number) =>
      storeWindow(store, monitors, { start, end }),

    /**
     * Returns a check that ended `at` minutes after the beginning of the test. `code` says why the check failed. It is
     * null if the check passed.
     */
    finished: (
      monitor: number,
      at: number,
      code: CheckErrorCode | null,
      more: Partial<FinishedCheck & { certificate: SeenCertificate }> = {},
    ): FinishedCheck => ({
      monitor,
      region,
      generation: 1,
      intervalMs: 60_000,
      begunAt: begunAt + at * minute,
      at: begunAt + at * minute,
      requested: false,
      later: 'none',
      overtaken: false,
      claim: null,
      absences: absentUntil(begunAt),
      outcome: outcomeOf(code, more.certificate ?? null),
      ...more,
    }),

    alerts: () => alertsIn(store),
    outbox: () => outboxOf(store),

    review: (monitor: number, at: number) =>
      store.write((trx: Transaction<Tables>) => reviewAlerts(trx, monitor, { at: begunAt + at * minute })),
  };
}

export type WatchedProject = Awaited<ReturnType<typeof createWatchedProject>>;

function outcomeOf(code: CheckErrorCode | null, certificate: SeenCertificate | null): CheckOutcome {
  return {
    verdict: code === null ? 'up' : 'down',
    error: code === null ? null : { code, message: `It failed: ${code}.` },
    responseTime: 12,
    statusCode: code === null ? 200 : 500,
    timings: null,
    certificate,
    trace: [],
  };
}

/** Returns the alerts in order, as texts: what each is about, and the minutes at which it opened and was resolved. */
async function alertsIn(store: Store) {
  const rows = await store.db.selectFrom('alert').selectAll().orderBy('seq').execute();
  return rows.map(
    ({ rule_name, monitor_name, channel_name, type, triggered_at, resolved_at }) =>
      `${rule_name} ${monitor_name} ${channel_name} ${type} ${(triggered_at - begunAt) / minute}-${resolved_at === null ? '' : (resolved_at - begunAt) / minute}`,
  );
}

/** Returns all messages in order, as texts: the kind, the monitor, the channel, and the minute of creation. */
async function outboxOf(store: Store) {
  const rows = await store.db
    .selectFrom('delivery')
    .innerJoin('alert', 'alert.seq', 'delivery.alert')
    .select(['delivery.kind', 'alert.channel_name', 'alert.monitor_name', 'delivery.created_at'])
    .orderBy('delivery.seq')
    .execute();
  return rows.map(
    (row) => `${row.kind} ${row.monitor_name} to ${row.channel_name} at ${(row.created_at - begunAt) / minute}`,
  );
}

async function storeWindow(
  store: Store,
  monitors: readonly number[],
  { start, end }: { start: number; end: number },
): Promise<number> {
  const { seq } = await store.db
    .insertInto('incident')
    .values({
      id: `inc_${start}`,
      project_id: 'prj',
      title: 'work',
      status: 'identified',
      maintenance: 1,
      scheduled_start: start,
      scheduled_end: end,
      started_at: start,
      resolved_at: null,
      created_at: begunAt,
      updated_at: begunAt,
    })
    .returning('seq')
    .executeTakeFirstOrThrow();
  for (const [position, monitor] of monitors.entries())
    await store.db.insertInto('incident_monitor').values({ incident: seq, monitor, position }).execute();
  return seq;
}

type RuleInput = { monitors: number[]; channels: number[] } & Partial<Insertable<RuleTable>>;

async function storeRule(store: Store, id: string, { monitors, channels, ...more }: RuleInput): Promise<number> {
  const { seq } = await store.db
    .insertInto('rule')
    .values({
      id: `rul_${id}`,
      project_id: 'prj',
      key: null,
      name: id,
      trigger: 'monitor_down',
      consecutive_failures: 1,
      notify_on_recovery: 1,
      reminder_interval_seconds: null,
      enabled: 1,
      created_at: begunAt,
      updated_at: begunAt,
      ...more,
    })
    .returning('seq')
    .executeTakeFirstOrThrow();
  for (const [position, monitor] of monitors.entries())
    await store.db.insertInto('rule_monitor').values({ rule: seq, monitor, position }).execute();
  for (const [position, channel] of channels.entries())
    await store.db.insertInto('rule_channel').values({ rule: seq, channel, position }).execute();
  return seq;
}
