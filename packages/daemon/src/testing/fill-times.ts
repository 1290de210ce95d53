import { regionNumber } from '../lifecycle/regions.ts';
import { addProbeToken } from '../probes/tokens.ts';
import type { Store } from '../store/store.ts';
import { channelRow, openTestAlert } from './outbox.ts';
import { monitorRow, projectRow } from './rows.ts';

const hour = 3_600_000;
export const now = Date.UTC(2026, 0, 1);
export const instance = { name: 'serve:default', region: 1 };

/** Stores `count` monitors and other rows. Together they have a value in each column that a step of the clock moves. */
export async function fillTimes(store: Store, count = 3): Promise<void> {
  await store.db.insertInto('project').values(projectRow('prj')).execute();
  const monitors = Array.from({ length: count }, (_, at) => monitorRow(`mon_${at}`, 'prj'));
  await store.db.insertInto('monitor').values(monitors).execute();
  await store.db
    .insertInto('monitor_state')
    .values(monitors.map((_, at) => stateRow(at + 1)))
    .execute();
  const lease = now + 15_000;
  const schedule = monitors.map((_, at) => ({ monitor: at + 1, lease_until: at % 2 === 0 ? 0 : lease }));
  const rows = schedule.map((row) => ({ ...row, region: 1, next_at: now + 5000 }));
  rows.push({ monitor: 1, region: 2, next_at: now + 7000, lease_until: lease });
  await store.db.insertInto('schedule').values(rows).execute();
  await store.db
    .insertInto('channel')
    .values(channelRow('chn_1', { wait_until: now + 4000, code_until: now + 9000 }))
    .execute();
  await store.db
    .insertInto('message_budget')
    .values({ owner: 'project prj', kind: 'mail', full_at: now + 600 })
    .execute();
  await store.db
    .insertInto('address_codes')
    .values({ mailbox: 'digest', latest_at: now - 10, second_at: now - 20, third_at: null })
    .execute();
  await openTestAlert(store, 'open', { channel: 1, at: now - 1000, remind_at: now + hour });
  await openTestAlert(store, 'over', { channel: 1, at: now - 1000, resolved_at: now - 10, monitor: 2 });
  await store.db
    .updateTable('delivery')
    .set({ next_at: now + 3000, lease_until: now + 60_000, tried_since: now - 900, tried_at: now - 500 })
    .where('alert', '=', 1)
    .execute();
  await store.db
    .updateTable('delivery')
    .set({ status: 'sent', tried_at: now - 500 })
    .where('alert', '=', 2)
    .execute();
  await fillQueues(store);
  await store.db.insertInto('status_page').values(pageRow).execute();
  await store.write(async (trx) => {
    const { id } = await addProbeToken(trx, 'eu', now);
    const probe = { token: id, region: await regionNumber(trx, 'eu'), version: '1', seen_at: now - 1000, queued: 0 };
    await trx
      .insertInto('probe')
      .values({ ...probe, name: 'probe', first_seen_at: now - 3 * hour, applied_at: now - 2000, failed_at: now - 3000 })
      .execute();
    await trx
      .updateTable('region')
      .set({ seen_at: now - 9, silent_since: now, retired_at: now - 9 })
      .execute();
  });
  await store.db
    .insertInto('presence')
    .values({ instance: instance.name, region: 1, started_at: now - 60_000, alive_at: now })
    .execute();
}

function stateRow(monitor: number) {
  const view = { at: now - 900, failed: true, round: 'due', began: now - 1000 };
  return {
    monitor,
    status: 'pending' as const,
    since: now - 5000,
    failures: 0,
    failing_since: now - 1000,
    regions: JSON.stringify({ 1: view, 2: view }),
    error_code: null,
    error_message: null,
    last_checked_at: now - 900,
    last_ping_at: now - 1000,
    run_started_at: now - 800,
    allowed_silence_ms: 60_000,
    ping_due_at: now + 59_000,
    silence_review_at: now + 30_000,
    watched_since: now - 4000,
    unobserved_since: now - 300,
    rolled_up_until: now,
    certificate: null,
    domain: null,
    expiry_review_at: now + 999,
  };
}

const pageRow = {
  id: 'pag',
  project_id: 'prj',
  key: null,
  name: 'page',
  slug: 'page',
  custom_domain: 'status.a.example',
  domain_status: 'pending' as const,
  domain_error: null,
  domain_check_at: now + 8000,
  description: null,
  home_url: null,
  icon_url: null,
  accent_color: null,
  group_by: null,
  created_at: now,
  updated_at: now,
};

async function fillQueues(store: Store): Promise<void> {
  await store.db
    .insertInto('paging_incident')
    .values({
      id: 'dlv',
      alert: 1,
      channel_id: 'chn_1',
      type: 'pagerduty',
      config: '',
      notice: '{}',
      next_at: now + 60_000,
      tried_since: now - 900,
    })
    .execute();
  await store.db
    .insertInto('domain_registration')
    .values({
      name: 'a.example',
      next_at: now + hour,
      checked_at: now,
      expires_at: now + 9 * hour,
      registrar: '',
      error: null,
    })
    .execute();
}
