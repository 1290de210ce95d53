import type { RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Api } from '../request.ts';
import type { Checkout, CheckoutInput, Plan, PlanInput, PlanPatch, Subscription } from '../types.ts';

/** Plans, the subscription and payment. Every call needs a session, except the list of plans and `webhook`. */
export const billing = (api: Api) => ({
  /**
   * Lists the plans. Needs no credential.
   *
   * @example
   * for (const { name, price } of await uptime.billing.plans()) console.log(name, `${price} USD a month`);
   */
  plans: (options?: RequestOptions): Promise<Plan[]> => api.send({ path: '/billing/plans' }, options),

  /**
   * Returns the latest subscription of the signed-in user, even if it is canceled. Without a subscription, the answer
   * names the free plan.
   *
   * @example
   * const { planId, currentPeriodEnd } = await uptime.billing.subscription();
   */
  subscription: (options?: RequestOptions): Promise<Subscription> =>
    api.send({ path: '/billing/subscription' }, options),

  /**
   * Starts a payment and returns the address at which the user pays. Throws `ConflictError` on a server without a
   * payment provider, for a free plan, and for the plan that the account already has.
   *
   * @example
   * const { checkoutUrl } = await uptime.billing.checkout({ planId: 'pln_1' });
   */
  checkout: (body: CheckoutInput, options?: RequestOptions): Promise<Checkout> =>
    api.send({ method: 'POST', path: '/billing/checkout', body }, options),

  /**
   * Sends an event as the payment provider does. Put the signature of `JSON.stringify(event)` into `options.headers`.
   * Throws `BadRequestError` for a missing or wrong signature.
   *
   * @example
   * const event = { id: 'evt_1', type: 'customer.subscription.deleted' };
   * await uptime.billing.webhook(event, { headers: { 'stripe-signature': 't=1769846400,v1=5257a869e7…' } });
   */
  webhook: (event: object, options?: RequestOptions): Promise<{ received: true }> =>
    api.send({ method: 'POST', path: '/billing/webhook', body: event, anonymous: true }, options),

  /**
   * Creates a plan. `checkInterval` is in seconds, `price` in US dollars per month. Needs an admin's session.
   *
   * @example
   * await uptime.billing.createPlan({ name: 'Team', monitors: 100, checkInterval: 30, regions: 3, price: 20 });
   */
  createPlan: (body: PlanInput, options?: RequestOptions): Promise<Plan> =>
    api.send({ method: 'POST', path: '/billing/plans', body, creates: true }, options),

  /**
   * Changes a plan, at once for all its subscribers. A new price applies to later checkouts. Needs an admin's session.
   *
   * @example
   * await uptime.billing.updatePlan('pln_1', { price: 25 });
   */
  updatePlan: (id: string, body: PlanPatch, options?: RequestOptions): Promise<Plan> =>
    api.send({ method: 'PATCH', path: path`/billing/plans/${id}`, body }, options),

  /**
   * Deletes a plan. Throws `ConflictError` while it has subscribers. Needs an admin's session.
   *
   * @example
   * await uptime.billing.deletePlan('pln_1');
   */
  deletePlan: (id: string, options?: RequestOptions): Promise<void> =>
    api.send({ method: 'DELETE', path: path`/billing/plans/${id}`, bodyless: true }, options),
});
