import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type SandboxCard, sandboxCards } from '../billing/sandbox-events.ts';
import type { OpenOrder, Sandbox, SignedEvent } from '../billing/sandbox.ts';
import { ServiceError } from '../errors.ts';
import { liveSubscriptions, plansMade } from '../plans/account-plan.ts';
import { takeBillingEvent } from '../resources/billing/take-event.ts';
import type { Backend } from '../resources/handler.ts';
import { takeBytes } from './body.ts';
import type { BodyBudget } from './body-budget.ts';
import { messagePage, paidPage, paymentPage, paymentPagePolicy } from './payment-page.ts';

/** Adds the webhook for the payment provider, and the pages that people see before and after a payment. */
export function addBilling(app: FastifyInstance, backend: Backend, bodies: BodyBudget): void {
  app.register(async (hooks) => {
    takeBytes(hooks, bodies);
    // The signature covers the bytes of the body, so the body is not parsed before the signature is verified.
    hooks.post('/api/billing/webhook', async (request, reply) => {
      const signature = request.headers['stripe-signature'];
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      await takeBillingEvent(backend, { body, signature: signature?.toString() });
      return reply
        .header('cache-control', 'no-store')
        .type('application/json; charset=utf-8')
        .send('{"received":true}');
    });
  });
  if (!backend.billing) return;
  app.register(async (pages) => {
    pages.addHook('onSend', async (_, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'content-security-policy': paymentPagePolicy });
    });
    pages.get('/checkout/success', (_, reply) => sendPage(reply, 200, paid));
    pages.get('/checkout/canceled', (_, reply) => sendPage(reply, 200, notPaid));
    if (backend.billing?.name === 'sandbox') addSandbox(pages, backend.billing, { backend, bodies });
  });
}

const paid = messagePage('Thank you', 'The payment was received, and the plan is active. You can close this page.');
const notPaid = messagePage('Payment canceled', 'The plan has not changed. You can close this page.');
const gone = messagePage(
  'No such payment',
  'This address is unknown, or older than a day, or its plan was deleted. Begin a new checkout.',
);
const ended = messagePage('Canceled', 'The subscription has ended. You can close this page.');

function addSandbox(
  pages: FastifyInstance,
  sandbox: Sandbox,
  { backend, bodies }: { backend: Backend; bodies: BodyBudget },
): void {
  const { store } = backend;
  takeBytes(pages, bodies);
  const take = async (events: readonly SignedEvent[]) => {
    for (const event of events) await takeBillingEvent(backend, event);
  };
  const openOrder = async (request: FastifyRequest): Promise<OpenOrder | null> => {
    const { session } = request.query as { session?: unknown };
    const order = typeof session === 'string' ? sandbox.open(session) : null;
    // A plan that was deleted after the checkout began cannot be paid for.
    return order && (await plansMade(store.db)).some(({ id }) => id === order.plan.id) ? order : null;
  };
  const subscriptionsOf = async ({ user }: OpenOrder) => (await liveSubscriptions(store.db, user)).map(({ id }) => id);
  const isUsed = async ({ subscription }: OpenOrder) =>
    (await store.db.selectFrom('subscription').select('id').where('id', '=', subscription).execute()).length > 0;

  pages.get('/checkout/sandbox', async (request, reply) => {
    const order = await openOrder(request);
    if (!order) return sendPage(reply, 404, gone);
    const subscribed = (await subscriptionsOf(order)).length > 0;
    if (await isUsed(order)) return sendPage(reply, 200, paidPage({ subscribed }));
    return sendPage(reply, 200, paymentPage(order, { subscribed, declined: null }));
  });

  // This route ignores cookies. The credential is the order's address, which other sites do not know.
  pages.post('/checkout/sandbox', async (request, reply) => {
    refuseForeign(request, backend.siteUrl());
    const order = await openOrder(request);
    if (!order) return sendPage(reply, 404, gone);
    const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString() : '');
    const live = await subscriptionsOf(order);
    if (form.get('action') === 'cancel') {
      for (const subscription of live) await take(await sandbox.end(subscription));
      return sendPage(reply, 200, ended);
    }
    if (await isUsed(order)) return sendPage(reply, 409, paidPage({ subscribed: live.length > 0 }));
    const card = (form.get('card') ?? '').replaceAll(/\s/g, '');
    const events = isSandboxCard(card) ? await sandbox.pay(order, card, live) : null;
    if (!events) {
      const declined = isSandboxCard(card)
        ? 'The card was declined.'
        : 'This card number is not one of the test cards below.';
      return sendPage(reply, 402, paymentPage(order, { subscribed: live.length > 0, declined }));
    }
    await take(events);
    return reply.redirect('/checkout/success', 303);
  });
}

const isSandboxCard = (card: string): card is SandboxCard => Object.hasOwn(sandboxCards, card);

function refuseForeign({ headers }: FastifyRequest, siteUrl: string): void {
  const site = headers['sec-fetch-site'];
  // A form from a page that sends no referrer arrives with the origin `null`. So if the request has Sec-Fetch-Site,
  // only that header decides.
  const foreign =
    site === undefined
      ? headers.origin !== undefined && headers.origin !== new URL(siteUrl).origin
      : site !== 'same-origin';
  if (foreign) throw new ServiceError('forbidden', 'A payment must be sent from its own page.');
}

const sendPage = (reply: FastifyReply, status: number, page: string) =>
  reply.status(status).type('text/html; charset=utf-8').send(page);
