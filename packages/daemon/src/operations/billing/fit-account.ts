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
 * has room for again comes back; those that name no region are in as many as it allows. Nothing is deleted, and nobody
 * is alarmed.
 */
export async function fitAccount(trx: Transaction<Tables>, user: string, { charged, now }: Fitting): Promise<void> {
  await lockAccount(trx, user);
  const plan = await accountPlan(trx, user, charged);
  const regionLimit = charged ? plan.regions : null;
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
    const relimited = row.region_limit !== regionLimit;
    if (was === is && !relimited) continue;
    await trx
      .updateTable('monitor')
      .set({ plan_paused: is ? 1 : 0, region_limit: regionLimit })
      .where('seq', '=', row.seq)
      .execute();
    await changeMonitor(trx, {
      seq: row.seq,
      before: { ...fields, paused: fields.paused || was },
      after: { ...fields, paused: fields.paused || is },
      relimited: relimited && fields.regions.length === 0,
      now,
    });
  }
}

/** There may be room again: lets in what the plan paused, if anything. */
export async function refitAccount(trx: Transaction<Tables>, user: string, fitting: Fitting): Promise<void> {
  const paused = await limitedByPlan(trx)
    .where('project.user_id', '=', user)
    .where('monitor.plan_paused', '=', 1)
    .limit(1)
    .executeTakeFirst();
  if (paused) await fitAccount(trx, user, fitting);
}

/**
 * Makes every account that has monitors fit, each in a transaction of its own: after plans changed, and at the start of
 * the daemon. What a power cut undoes of it the next start does again.
 */
export async function fitAccounts(store: Store, charged: boolean, now: () => number): Promise<void> {
  const users = await (charged ? owners(store.db) : limitedByPlan(store.db)).distinct().execute();
  for (const { user_id: user } of users) {
    await store.write((trx) => fitAccount(trx, user, { charged, now: now() }), { durable: false });
  }
}

/** The owners of monitors that a plan limits: each one of an account that has such a plan. */
const limitedByPlan = (db: Store['db']) => owners(db).where('monitor.region_limit', 'is not', null);

/** Whose monitors there are, once for each of them. */
const owners = (db: Store['db']) =>
  db.selectFrom('monitor').innerJoin('project', 'project.id', 'monitor.project_id').select('project.user_id');
