import { noLimit, type plan, type PlanLimitName, planLimitNames, planLimits } from '@uptime/sdk/contract';
import type { Selectable, Transaction } from 'kysely';
import type * as z from 'zod';
import type { SubscriptionStatus } from '../core/subscription.ts';
import { authTables } from '../store/auth-tables.ts';
import type { Store } from '../store/store.ts';
import type { PlanTable, SubscriptionTable, Tables } from '../store/tables.ts';

export type Plan = z.output<typeof plan>;

type LimitName = Exclude<PlanLimitName, 'monitors'>;

/** The names of the limits that a plan may leave out. */
const optionalLimits = planLimitNames.filter((name) => name !== 'monitors');

const limitsBy = (value: (name: LimitName) => number) =>
  Object.fromEntries(optionalLimits.map((name) => [name, value(name)])) as Record<LimitName, number>;

/** The billing plan of every account on a private server without payments. It has no limits. */
export const selfHosted: Plan = {
  id: 'pln_self_hosted',
  name: 'self-hosted',
  monitors: noLimit,
  checkInterval: 1,
  regions: 1000,
  price: 0,
  ...limitsBy(() => noLimit),
};

/** The plan of accounts on a server in public mode. It has limits, so that strangers cannot fill the disk. */
export const selfHostedInPublic: Plan = {
  ...selfHosted,
  monitors: planLimits.monitors.publicDefault,
  ...limitsBy((name) => planLimits[name].publicDefault),
};

/** How this server limits its accounts. */
export interface PlanRules {
  /** Whether this server sells plans. */
  charged: boolean;
  /** The plan of an account without another plan: `selfHosted`, or `selfHostedInPublic` in public mode. */
  unpaid: Plan;
}

/** Returns the rules for a server with these settings. */
export const planRules = ({ charged, mode }: { charged: boolean; mode: 'private' | 'public' }): PlanRules => ({
  charged,
  unpaid: mode === 'public' ? selfHostedInPublic : selfHosted,
});

/** Whether any account may have limits on this server. If not, no write has to lock an account. */
export const limitsAccounts = ({ charged, unpaid }: PlanRules): boolean => charged || isLimited(unpaid);

/** The plan of a disabled account. It allows no monitors, so that all monitors of the account are paused. */
const disabledPlan: Plan = { ...selfHosted, id: 'pln_disabled', name: 'disabled', monitors: 0 };

/** Returns the plans that admins created and did not delete, oldest first. */
export async function plansMade(db: Store['db']): Promise<Plan[]> {
  const rows = await db.selectFrom('plan').selectAll().where('deleted_at', 'is', null).orderBy('id').execute();
  return rows.map(renderPlan);
}

export const renderPlan = (row: Selectable<PlanTable>): Plan => ({
  id: row.id,
  name: row.name,
  monitors: row.monitors,
  checkInterval: row.check_interval_seconds,
  regions: row.regions,
  price: row.price_cents / 100,
  ...limitsBy((name) => planLimits[name].default),
  // The plan's own limits replace the defaults.
  ...(JSON.parse(row.limits) as Partial<Record<LimitName, number>>),
});

/** Returns the columns of a plan, except its id. */
export const planColumns = (fields: Omit<Plan, 'id'>) => ({
  name: fields.name,
  monitors: fields.monitors,
  check_interval_seconds: fields.checkInterval,
  regions: fields.regions,
  price_cents: Math.round(fields.price * 100),
  limits: JSON.stringify(limitsBy((name) => fields[name])),
});

/** A paid subscription whose user and plan are known. */
type KnownSubscription = Selectable<SubscriptionTable> & Known;

interface Known {
  user_id: string;
  plan_id: string;
  status: Exclude<SubscriptionStatus, 'incomplete'>;
}

/** Returns the active subscriptions of a user, latest first. The first subscription decides the user's plan. */
export const liveSubscriptions = (db: Store['db'], user: string): Promise<KnownSubscription[]> =>
  ofAPlan(db, user).where('status', 'in', live).execute();

/**
 * Returns the latest active subscription of a user, or the latest canceled one if none is active. A subscription whose
 * plan was deleted is ignored.
 */
export const latestSubscription = async (db: Store['db'], user: string): Promise<KnownSubscription | null> =>
  (await liveSubscriptions(db, user))[0] ?? (await ofAPlan(db, user).executeTakeFirst()) ?? null;

/** Returns the id of a user's latest subscription, even if its plan was deleted; null without a subscription. */
export async function lastBought(db: Store['db'], user: string): Promise<string | null> {
  const last = await knownSubscriptions(db).where('user_id', '=', user).executeTakeFirst();
  return last?.id ?? null;
}

/**
 * Returns subscriptions that users of this server pay for although the plan was deleted. `of` selects the subscriptions
 * of one user, or the subscriptions to one plan. Subscriptions to an unknown plan are left out, because that plan may
 * have been lost when a backup was restored.
 */
export async function subscriptionsWithoutPlan(
  db: Store['db'],
  of: { user: string } | { plan: string },
): Promise<KnownSubscription[]> {
  const found = await knownSubscriptions(db)
    .where('status', 'in', live)
    .where('plan_id', 'in', db.selectFrom('plan').select('id').where('deleted_at', 'is not', null))
    .where((row) => ('user' in of ? row('user_id', '=', of.user) : row('plan_id', '=', of.plan)))
    .execute();
  if (found.length === 0) return [];
  // Another server may use the same account at the payment provider. The payments of that server's users must not
  // change.
  const users = found.map(({ user_id: user }) => user);
  const own = await authTables(db).selectFrom('user').select('id').where('id', 'in', users).execute();
  return found.filter(({ user_id: user }) => own.some(({ id }) => id === user));
}

const live = ['active', 'past_due'] as const;

const ofAPlan = (db: Store['db'], user: string) =>
  knownSubscriptions(db)
    .where('user_id', '=', user)
    .where('plan_id', 'in', db.selectFrom('plan').select('id').where('deleted_at', 'is', null));

const knownSubscriptions = (db: Store['db']) =>
  db
    .selectFrom('subscription')
    .selectAll()
    .where('user_id', 'is not', null)
    .where('plan_id', 'is not', null)
    .where('status', '!=', 'incomplete')
    .orderBy('since', 'desc')
    .orderBy('id', 'desc')
    .$narrowType<Known>();

/**
 * Returns the plan of an account without a subscription: the oldest free plan, or a plan without limits if no plan is
 * free.
 */
export const freePlan = (made: readonly Plan[]): Plan => made.find(({ price }) => price === 0) ?? selfHosted;

/**
 * Returns the plan of an account: the plan of its subscription, or the free plan. On a server without payments, the
 * account has `selfHosted`. The exception is a disabled account: its plan allows no monitors.
 */
async function subscribedOrFreePlan(db: Store['db'], user: string, charged: boolean): Promise<Plan> {
  if (await isDisabledAccount(db, user)) return disabledPlan;
  if (!charged) return selfHosted;
  const made = await plansMade(db);
  const [subscription] = await liveSubscriptions(db, user);
  return made.find(({ id }) => id === subscription?.plan_id) ?? freePlan(made);
}

/**
 * Returns the plan that limits an account; null if nothing limits it. In public mode, the accounts of
 * the server's admins have no limits unless a plan was sold to them.
 */
export async function planIfLimited(
  db: Store['db'],
  user: string,
  { charged, unpaid }: PlanRules,
): Promise<Plan | null> {
  if (!limitsAccounts({ charged, unpaid })) return null;
  const plan = charged ? await subscribedOrFreePlan(db, user, charged) : selfHosted;
  if (plan.id !== selfHosted.id) return plan;
  if (!isLimited(unpaid)) return null;
  const owner = await authTables(db).selectFrom('user').select('role').where('id', '=', user).executeTakeFirst();
  return owner?.role === 'admin' ? null : unpaid;
}

/**
 * Returns the plan that an account's monitors must fit. The plan of a disabled account allows no monitors, even on a
 * server without limits.
 */
export async function planForMonitors(db: Store['db'], user: string, rules: PlanRules): Promise<Plan> {
  if (await isDisabledAccount(db, user)) return disabledPlan;
  return (await planIfLimited(db, user, rules)) ?? selfHosted;
}

async function isDisabledAccount(db: Store['db'], user: string): Promise<boolean> {
  const found = await db.selectFrom('disabled_account').select('since').where('user_id', '=', user).executeTakeFirst();
  return found !== undefined;
}

const isLimited = (plan: Plan): boolean => planLimitNames.some((name) => plan[name] < noLimit);

/**
 * Returns what `planIfLimited` returns, for a transaction that writes. If accounts may have limits, also locks the
 * account until the end of the transaction.
 */
export async function lockedPlanIfLimited(
  trx: Transaction<Tables>,
  user: string,
  rules: PlanRules,
): Promise<Plan | null> {
  if (!limitsAccounts(rules)) return null;
  await lockAccount(trx, user);
  return planIfLimited(trx, user, rules);
}

/**
 * Locks an account until the end of the transaction. So transactions that count or change the resources of the account
 * run one after another.
 */
export async function lockAccount(trx: Transaction<Tables>, user: string): Promise<void> {
  await trx
    .insertInto('account_lock')
    .values({ user_id: user })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: user }))
    .execute();
}
