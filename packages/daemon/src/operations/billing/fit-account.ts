import type { Transaction } from 'kysely';
import { beyondPlan } from '../../core/limits.ts';
import type { Store } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import { changeMonitor } from '../monitor-life.ts';
import { storedFields } from '../stored-monitor.ts';
import { accountPlan, lockAccount } from './account-plan.ts';

interface Fitting {
  /** Whether plans limit anything on this server. */
  charged: boolean;
  /** Epoch milliseconds. */
  now: number;
}

/**
 * Makes an account's monitors fit its plan: what the plan has no room for is paused, the oldest are kept, and what it
 * has room for again comes back. Nothing is deleted, and nobody is alarmed.
 */
export async function fitAccount(trx: Transaction<Tables>, user: string, { charged, now }: Fitting): Promise<void> {
  await lockAccount(trx, user);
  const plan = await accountPlan(trx, user, charged);
  const rows = await trx
    .selectFrom('monitor')
    .innerJoin('project', 'project.id', 'monitor.project_id')
    .selectAll('monitor')
    .where('project.user_id', '=', user)
    .orderBy('monitor.seq')
    .execute();
  const monitors = rows.map((row) => ({ ...storedFields(row), row }));
  const beyond = new Set(beyondPlan(monitors, plan));
  for (const monitor of monitors) {
    const { row, ...fields } = monitor;
    const [was, is] = [row.plan_paused === 1, beyond.has(monitor)];
    if (was === is) continue;
    await trx
      .updateTable('monitor')
      .set({ plan_paused: is ? 1 : 0 })
      .where('seq', '=', row.seq)
      .execute();
    await changeMonitor(trx, {
      seq: row.seq,
      before: { ...fields, paused: fields.paused || was },
      after: { ...fields, paused: fields.paused || is },
      now,
    });
  }
}

/** There may be room again: lets in what the plan paused, if anything. */
export async function refitAccount(trx: Transaction<Tables>, user: string, fitting: Fitting): Promise<void> {
  if ((await pausedByPlan(trx).where('project.user_id', '=', user).limit(1).execute()).length > 0)
    await fitAccount(trx, user, fitting);
}

/** Makes every account fit, each in a transaction of its own: after plans changed, and at the start of the daemon. */
export async function fitAccounts(store: Store, charged: boolean, now: () => number): Promise<void> {
  const users = charged
    ? await store.db.selectFrom('project').select('user_id').distinct().execute()
    : await pausedByPlan(store.db).distinct().execute();
  for (const user of users) await store.write((trx) => fitAccount(trx, user.user_id, { charged, now: now() }));
}

const pausedByPlan = (db: Store['db']) =>
  db
    .selectFrom('monitor')
    .innerJoin('project', 'project.id', 'monitor.project_id')
    .select('project.user_id')
    .where('monitor.plan_paused', '=', 1);
