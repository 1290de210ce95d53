import { sql, type Transaction } from 'kysely';
import { beyondPlan, type Measured } from '../core/limits.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { changeMonitor } from '../lifecycle/monitor-life.ts';
import { eachConfig } from '../stored-monitors/each-config.ts';
import { storedFields } from '../stored-monitors/stored-monitor.ts';
import { nextTurn } from '../wait.ts';
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
  const monitors = await measureMonitors(trx, user);
  const beyond = new Set(beyondPlan(monitors, plan));
  let paused = 0;
  for (const monitor of monitors) {
    const { seq } = monitor;
    const [was, is] = [monitor.planPaused, beyond.has(monitor)];
    const relimited = monitor.regionLimit !== regionLimit;
    if (was === is && !relimited) continue;
    const columns = ['type', 'key', 'name', 'config'] as const;
    const row = await trx.selectFrom('monitor').select(columns).where('seq', '=', seq).executeTakeFirstOrThrow();
    const fields = storedFields(row);
    if (is && !was && !fields.paused) paused++;
    await trx
      .updateTable('monitor')
      .set({ plan_paused: is ? 1 : 0, region_limit: regionLimit })
      .where('seq', '=', seq)
      .execute();
    await changeMonitor(trx, {
      seq,
      before: { ...fields, paused: fields.paused || was },
      after: { ...fields, paused: fields.paused || is },
      relimited: relimited && fields.regions.length === 0,
      now,
    });
    await nextTurn();
  }
  return paused;
}

/** A monitor with the fields that its plan limits. Its other fields may be large, so they are not kept. */
interface MeasuredMonitor extends Measured {
  seq: number;
  planPaused: boolean;
  regionLimit: number | null;
}

/** Returns the monitors of an account, the oldest first. */
async function measureMonitors(trx: Transaction<Tables>, user: string): Promise<MeasuredMonitor[]> {
  const rows = await trx
    .selectFrom('monitor')
    .innerJoin('project', 'project.id', 'monitor.project_id')
    .select(['seq', 'type', 'monitor.key', 'monitor.name', 'plan_paused', 'region_limit', 'monitor.bytes'])
    .where('project.user_id', '=', user)
    .execute();
  const monitors: MeasuredMonitor[] = [];
  await eachConfig(trx, rows, (row) => {
    const { type, interval, regions } = storedFields(row);
    const { seq, plan_paused: planPaused, region_limit: regionLimit } = row;
    monitors.push({ seq, type, interval, regions, planPaused: planPaused === 1, regionLimit });
  });
  return monitors.toSorted((one, other) => one.seq - other.seq);
}

/** Resumes monitors that were paused because of the plan, if the plan allows them again. */
export async function refitAccount(trx: Transaction<Tables>, user: string, fitting: Fitting): Promise<void> {
  const paused = await owners(trx)
    .where('project.user_id', '=', user)
    // With a literal, SQLite uses the partial index `monitor_plan_paused`.
    .where('monitor.plan_paused', '=', sql.lit(1))
    .limit(1)
    .executeTakeFirst();
  if (paused) await fitAccount(trx, user, fitting);
}

/** How many monitors were paused because their accounts exceed their plans, and the number of these accounts. */
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

/** Returns the owners of monitors that have a limit of regions, and of monitors that were paused because of a plan. */
const limitedByPlan = (db: Store['db']) =>
  owners(db)
    .where('monitor.region_limit', 'is not', null)
    // These are two selects, because each uses an index of its own.
    .union(owners(db).where('monitor.plan_paused', '=', sql.lit(1)));

/** Returns the owners of monitors. Each owner appears once for each of their monitors. */
const owners = (db: Store['db']) =>
  db.selectFrom('monitor').innerJoin('project', 'project.id', 'monitor.project_id').select('project.user_id');
