import type { RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Api } from '../request.ts';
import type { Checkout, CheckoutInput, Plan, PlanInput, PlanPatch, Subscription } from '../types.ts';

/** Plans, the subscription and payment. All but the list of plans need a session. */
export const billing = (api: Api) => ({
  /**
   * The plans on offer; needs no credential.
   *
   * @example
   * for (const { name, price } of await uptime.billing.plans()) console.log(name, `${price} USD a month`);
   */
  plans: (options?: RequestOptions): Promise<Plan[]> => api.send({ path: '/billing/plans' }, options),

  /**
   * The subscription of the signed-in user; without one, the plan that costs nothing. The latest one is told of also after it was
   * canceled.
   *
   * @example
   * const { planId, currentPeriodEnd } = await uptime.billing.subscription();
   */
  subscription: (options?: RequestOptions): Promise<Subscription> =>
    api.send({ path: '/billing/subscription' }, options),

  /**
   * Begins a payment and answers where the user pays. Throws `ConflictError` on a server without a payment provider, for a plan
   * that costs nothing, and for the plan that the account is on.
   *
   * @example
   * const { checkoutUrl } = await uptime.billing.checkout({ planId: 'pln_1' });
   */
  checkout: (body: CheckoutInput, options?: RequestOptions): Promise<Checkout> =>
    api.send({ method: 'POST', path: '/billing/checkout', body }, options),

  /**
   * Hands on an event of the payment provider, as the provider itself does; its signature, over `JSON.stringify(event)`, goes into
   * `options.headers`. Throws `BadRequestError` for a signature that is missing or wrong.
   *
   * @example
   * const event = { id: 'evt_1', type: 'customer.subscription.deleted' };
   * await uptime.billing.webhook(event, { headers: { 'stripe-signature': 't=1769846400,v1=5257a869e7…' } });
   */
  webhook: (event: object, options?: RequestOptions): Promise<{ received: true }> =>
    api.send({ method: 'POST', path: '/billing/webhook', body: event, anonymous: true }, options),

  /**
   * Creates a plan: its shortest `checkInterval` in seconds, its `price` in US dollars a month. Needs an admin.
   *
   * @example
   * await uptime.billing.createPlan({ name: 'Team', monitors: 100, checkInterval: 30, regions: 3, price: 20 });
   */
  createPlan: (body: PlanInput, options?: RequestOptions): Promise<Plan> =>
    api.send({ method: 'POST', path: '/billing/plans', body, creates: true }, options),

  /**
   * Changes a plan, at once for whoever is on it; a new price counts for later checkouts. Needs an admin.
   *
   * @example
   * await uptime.billing.updatePlan('pln_1', { price: 25 });
   */
  updatePlan: (id: string, body: PlanPatch, options?: RequestOptions): Promise<Plan> =>
    api.send({ method: 'PATCH', path: path`/billing/plans/${id}`, body }, options),

  /**
   * Deletes a plan. Throws `ConflictError` while somebody is subscribed to it. Needs an admin.
   *
   * @example
   * await uptime.billing.deletePlan('pln_1');
   */
  deletePlan: (id: string, options?: RequestOptions): Promise<void> =>
    api.send({ method: 'DELETE', path: path`/billing/plans/${id}`, bodyless: true }, options),
});
