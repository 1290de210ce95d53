import { noLimit, faultAt } from '@uptime/sdk/contract';
import { invalid, ServiceError } from '../../errors.ts';
import { freePlan, lastBought, latestSubscription, plansMade, selfHosted } from '../../plans/account-plan.ts';
import type { Handler } from '../handler.ts';
import { isoTime } from '../iso-time.ts';

export const getSubscription: Handler<'getSubscription'> = async (request, { store, billing, deps }) => {
  const subscription = billing && (await latestSubscription(store.db, request.user.id));
  if (subscription) {
    const { plan_id: planId, status, period_start: start, period_end: end, since } = subscription;
    return {
      planId,
      status,
      currentPeriodStart: isoTime(start ?? since),
      currentPeriodEnd: isoTime(end ?? nextMonth(start ?? since)),
    };
  }
  // The account pays nothing, so the period is the calendar month.
  const plan = billing ? freePlan(await plansMade(store.db)) : selfHosted;
  const start = startOfMonth(deps.clock.now());
  return {
    planId: plan.id,
    status: 'active',
    currentPeriodStart: isoTime(start),
    currentPeriodEnd: isoTime(nextMonth(start)),
  };
};

export const createCheckout: Handler<'createCheckout'> = async (request, { store, billing, plans }) => {
  const { user, body } = request;
  if (!billing) {
    const limits = plans.unpaid.monitors === noLimit ? ', without limits' : '';
    throw new ServiceError(
      'conflict',
      `This server has no payment provider: every account is on the plan self-hosted${limits}.`,
    );
  }
  const plan = (await plansMade(store.db)).find(({ id }) => id === body.planId);
  if (!plan) throw invalid([faultAt('planId', 'unknown_plan')]);
  if (plan.price === 0)
    throw new ServiceError('conflict', `The plan ${plan.name} costs nothing: there is nothing to pay.`);
  const latest = await latestSubscription(store.db, user.id);
  if (latest?.plan_id === plan.id && latest.status !== 'canceled') {
    throw new ServiceError('conflict', `This account is on ${plan.name} already.`);
  }
  const former = await lastBought(store.db, user.id);
  return { checkoutUrl: await billing.checkout({ user: user.id, email: user.email, plan }, former) };
};

const startOfMonth = (at: number): number => {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
};

/**
 * Returns the same day and time in the next month. If that month is too short for the day, the result is in the month
 * after it.
 */
const nextMonth = (at: number): number => {
  const date = new Date(at);
  return date.setUTCMonth(date.getUTCMonth() + 1);
};
