import { hkdfSync, randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { dayMs } from '../core/uptime.ts';
import type { Clock } from '../deps.ts';
import type { Seal } from '../store/seal.ts';
import type { Order, PaymentProvider } from './provider.ts';
import { type SandboxCard, sandboxEvents } from './sandbox-events.ts';
import { readSignedEvent } from './signed-event.ts';
import { loadStripe } from './stripe.ts';

export interface SandboxOptions {
  siteUrl: () => string;
  seal: Seal;
  /** The daemon's secret, from which the sandbox derives its signing key. */
  secret: string;
  clock: Clock;
}

/** An event with its signature, as a payment provider sends it. */
export interface SignedEvent {
  body: Buffer;
  signature: string;
}

/** An order that waits on the payment page. */
export interface OpenOrder extends Order {
  /** The id of the subscription that a payment creates. If the user pays twice on the same page, the id is the same. */
  subscription: string;
}

/**
 * A payment service to try out billing without money. The daemon itself serves the payment page. The sandbox signs its
 * events, and the daemon verifies them, in the same way as with Stripe.
 */
export interface Sandbox extends PaymentProvider {
  name: 'sandbox';
  /** The order that belongs to a payment page. Null if the address of the page is invalid, or older than a day. */
  open(session: string): OpenOrder | null;
  /**
   * Resolves with the events that end the former subscriptions, followed by the events of the payment. Null if the card
   * is declined.
   */
  pay(order: OpenOrder, card: SandboxCard, former: readonly string[]): Promise<SignedEvent[] | null>;
  /** Resolves with the events that report the end of a subscription. */
  end(subscription: string): Promise<SignedEvent[]>;
}

/** The data that the address of a payment page contains, encrypted. */
type Sealed = OpenOrder & { at: number };

const context = 'sandbox checkout';

export function createSandbox({ siteUrl, seal, secret, clock }: SandboxOptions): Sandbox {
  const signing = Buffer.from(hkdfSync('sha256', secret, '', 'uptime sandbox webhook', 32)).toString('hex');
  let loading: Promise<Stripe> | undefined;
  const load = () => (loading ??= loadStripe({ secretKey: null, apiUrl: siteUrl() }));
  const sign = async (events: object[]): Promise<SignedEvent[]> => {
    const { webhooks } = await load();
    return events.map((event) => {
      const payload = JSON.stringify(event);
      const timestamp = Math.floor(clock.now() / 1000);
      return {
        body: Buffer.from(payload),
        signature: webhooks.generateTestHeaderString({ payload, secret: signing, timestamp }),
      };
    });
  };
  return {
    name: 'sandbox',
    async checkout(order) {
      const open: Sealed = { ...order, subscription: `sub_sandbox_${randomUUID()}`, at: clock.now() };
      const session = seal.close(JSON.stringify(open), context);
      return `${siteUrl()}/checkout/sandbox?session=${session}`;
    },
    open(session) {
      const text = seal.open(session, context);
      const order = text === null ? null : (JSON.parse(text) as Sealed);
      return order && clock.now() - order.at <= dayMs ? order : null;
    },
    async pay(order, card, former) {
      const paid = sandboxEvents.paid(order, card, clock.now());
      return paid && sign([...former.map((one) => sandboxEvents.ended(one, clock.now())), ...paid]);
    },
    end: (subscription) => sign([sandboxEvents.ended(subscription, clock.now())]),
    async readEvent(body, signature) {
      return readSignedEvent(await load(), signing, { body, signature, now: clock.now() });
    },
    // Does nothing, because `pay` already ends the former subscription.
    async cancel() {},
    // The sandbox's page accepts no payment for a deleted plan, so there is nothing to refund.
    async cancelAndRefund() {},
    async closeCheckouts() {},
  };
}
