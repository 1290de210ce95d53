import { sql, type Transaction } from 'kysely';
import { beyondPlan } from '../core/limits.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { changeMonitor } from '../lifecycle/monitor-life.ts';
import { storedFields } from '../stored-monitors/stored-monitor.ts';
import { planForMonitors, limitsAccounts, lockAccount, type PlanRules } from './account-plan.ts';

interface Fitting {
  rules: PlanRules;
  now: number;
}

/**
 * Makes an account's monitors fit its billing plan. Pauses monitors beyond the plan, the newest first, and resumes
 * paused monitors that the plan allows again. Monitors that name no region get as many regions as the plan allows.
 * Nothing is deleted, and no alert is sent. Returns how many running monitors were paused.
 */
export async function fitAccount(trx: Transaction<Tables>, user: string, { rules, now }: Fitting): Promise<number> {
  await lockAccount(trx, user);
  const plan = await planForMonitors(trx, user, rules);
  const regionLimit = rules.charged ? plan.regions : null;
  const rows = await trx
    .selectFrom('monitor')
    .innerJoin('project', 'project.id', 'monitor.project_id')
    .selectAll('monitor')
    .where('project.user_id', '=', user)
    .orderBy('monitor.seq')
    .execute();
  const monitors = rows.map((row) => ({ ...storedFields(row), row }));
  const beyond = new Set(beyondPlan(monitors, plan));
  let paused = 0;
  for (const monitor of monitors) {
    const { row, ...fields } = monitor;
    const [was, is] = [row.plan_paused === 1, beyond.has(monitor)];
    const relimited = row.region_limit !== regionLimit;
    if (was === is && !relimited) continue;
    if (is && !was && !fields.paused) paused++;
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
  return paused;
}

/** Resumes monitors that were paused because of the plan, if the plan allows them again. */
export async function refitAccount(trx: Transaction<Tables>, user: string, fitting: Fitting): Promise<void> {
  const paused = await owners(trx)
    .where('project.user_id', '=', user)
    .where('monitor.plan_paused', '=', 1)
    .limit(1)
    .executeTakeFirst();
  if (paused) await fitAccount(trx, user, fitting);
}

/** How many monitors were paused because their accounts have more than their plans allow. */
export interface Fitted {
  monitors: number;
  accounts: number;
}

/**
 * Makes the monitors of all accounts fit their plans, with one transaction for each account. It runs after a change of
 * plans and at the start of the daemon. If a power cut undoes some of the work, the next start repeats that work.
 */
export async function fitAccounts(store: Store, rules: PlanRules, now: () => number): Promise<Fitted> {
  const users = await (limitsAccounts(rules) ? owners(store.db) : limitedByPlan(store.db)).distinct().execute();
  const fitted = { monitors: 0, accounts: 0 };
  for (const { user_id: user } of users) {
    const paused = await store.write((trx) => fitAccount(trx, user, { rules, now: now() }), { durable: false });
    fitted.monitors += paused;
    if (paused > 0) fitted.accounts++;
  }
  return fitted;
}

/** Returns the owners of monitors whose regions a plan limits, or that were paused because of a plan. */
const limitedByPlan = (db: Store['db']) =>
  owners(db)
    .where('monitor.region_limit', 'is not', null)
    // These are two selects, because each uses another index.
    .union(owners(db).where('monitor.plan_paused', '=', sql.lit(1)));

/** Returns the owners of monitors. Each owner appears once for each of their monitors. */
const owners = (db: Store['db']) =>
  db.selectFrom('monitor').innerJoin('project', 'project.id', 'monitor.project_id').select('project.user_id');
