import { noLimit, type plan, type PlanLimitName, planLimitNames, planLimits } from '@uptime/sdk/contract';
import type { Selectable, Transaction } from 'kysely';
import type * as z from 'zod';
import type { SubscriptionStatus } from '../core/subscription.ts';
import { authTables } from '../store/auth-tables.ts';
import type { Store } from '../store/store.ts';
import type { PlanTable, SubscriptionTable, Tables } from '../store/tables.ts';

export type Plan = z.output<typeof plan>;

type LimitName = Exclude<PlanLimitName, 'monitors'>;

/** The limits that a plan may leave out. */
const optionalLimits = planLimitNames.filter((name) => name !== 'monitors');

const limitsBy = (value: (name: LimitName) => number) =>
  Object.fromEntries(optionalLimits.map((name) => [name, value(name)])) as Record<LimitName, number>;

/** The plan of every account on a server without payments. It has no limits. */
export const selfHosted: Plan = {
  id: 'pln_self_hosted',
  name: 'self-hosted',
  monitors: noLimit,
  checkInterval: 1,
  regions: 1000,
  price: 0,
  ...limitsBy(() => noLimit),
};

/** The plan of accounts on a server in public mode, where strangers must not fill the disk. */
export const selfHostedInPublic: Plan = {
  ...selfHosted,
  monitors: planLimits.monitors.publicDefault,
  ...limitsBy((name) => planLimits[name].publicDefault),
};

/** The limits on this server, and the accounts that have them. */
export interface PlanRules {
  /** Whether plans are sold here. */
  charged: boolean;
  /** The plan of an account that has no other: `selfHosted`, or `selfHostedInPublic` in public mode. */
  unpaid: Plan;
}

/** The rules on a server with these settings. */
export const planRules = ({ charged, mode }: { charged: boolean; mode: 'private' | 'public' }): PlanRules => ({
  charged,
  unpaid: mode === 'public' ? selfHostedInPublic : selfHosted,
});

/** Whether anything is limited on this server. If not, no write has to lock an account. */
export const limitsAccounts = ({ charged, unpaid }: PlanRules): boolean => charged || isLimited(unpaid);

/** The plan of a disabled account. It allows nothing, so that all its monitors are paused. */
const disabledPlan: Plan = { ...selfHosted, id: 'pln_disabled', name: 'disabled', monitors: 0 };

/** The plans that admins created, oldest first. */
export async function plansMade(db: Store['db']): Promise<Plan[]> {
  const rows = await db.selectFrom('plan').selectAll().where('deleted_at', 'is', null).orderBy('id').execute();
  return rows.map(renderPlan);
}

export const renderPlan = (row: Selectable<PlanTable>): Plan => ({
  id: row.id,
  name: row.name,
  monitors: row.monitors,
  checkInterval: row.check_interval,
  regions: row.regions,
  price: row.price_cents / 100,
  ...limitsBy((name) => planLimits[name].default),
  // The plan's own limits replace the defaults.
  ...(JSON.parse(row.limits) as Partial<Record<LimitName, number>>),
});

/** The columns of a plan except its id. */
export const planColumns = (fields: Omit<Plan, 'id'>) => ({
  name: fields.name,
  monitors: fields.monitors,
  check_interval: fields.checkInterval,
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

/** The active subscriptions of a user, latest first. The first one decides the user's plan. */
export const liveSubscriptions = (db: Store['db'], user: string): Promise<KnownSubscription[]> =>
  ofAPlan(db, user).where('status', 'in', live).execute();

/** The latest subscription of a user, active or canceled. A subscription whose plan was deleted is ignored. */
export const latestSubscription = async (db: Store['db'], user: string): Promise<KnownSubscription | null> =>
  (await liveSubscriptions(db, user))[0] ?? (await ofAPlan(db, user).executeTakeFirst()) ?? null;

/** The id of a user's latest subscription, in any state; null without one. */
export async function lastBought(db: Store['db'], user: string): Promise<string | null> {
  const last = await knownSubscriptions(db).where('user_id', '=', user).executeTakeFirst();
  return last?.id ?? null;
}

/**
 * Subscriptions that users of this server pay for although the plan was deleted: all subscriptions of a user, or all
 * subscriptions to one plan. An unknown plan was perhaps lost when a backup was restored, so its subscriptions are left
 * alone.
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
  // Another server may use the same account at the provider. The payments of its users must not change.
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

/** The plan of an account without a subscription: the oldest free one, or else no limits. */
export const freePlan = (made: readonly Plan[]): Plan => made.find(({ price }) => price === 0) ?? selfHosted;

/**
 * The plan that decides what an account may have: that of its subscription, or the free one. Without payments there are
 * no limits. A disabled account may have no monitors.
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
 * The plan that an account's monitors must fit. A disabled account may have no monitors, even on a server without
 * limits.
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

/** Like `planIfLimited`, for a transaction that writes: also locks the account until the end of the transaction. */
export async function lockedPlanIfLimited(
  trx: Transaction<Tables>,
  user: string,
  rules: PlanRules,
): Promise<Plan | null> {
  if (!limitsAccounts(rules)) return null;
  await lockAccount(trx, user);
  return planIfLimited(trx, user, rules);
}

/** Serializes transactions that count or change an account's resources, until the end of this transaction. */
export async function lockAccount(trx: Transaction<Tables>, user: string): Promise<void> {
  await trx
    .insertInto('account_lock')
    .values({ user_id: user })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: user }))
    .execute();
}
