import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface StripeRequest {
  method: string;
  path: string;
  authorization: string;
  /** The form's fields, as they were sent. */
  fields: Record<string, string>;
}

/**
 * Starts a server that answers like those parts of Stripe's API that the daemon uses: checkout sessions, subscriptions
 * with their customers, and payments.
 */
export async function startStripeServer() {
  const requests: StripeRequest[] = [];
  const customers = new Map<string, object>();
  const sessions = new Map<string, { status: string; metadata: Record<string, string | undefined> }>();
  const payments = new Map<string, { refunded: boolean }>();
  let refusal: { status: number; error: object } | null = null;
  const answers = createAnswers({ requests, customers, sessions, payments });
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url: path = '', headers } = request;
      const fields = Object.fromEntries(new URLSearchParams(body || path.split('?')[1]));
      requests.push({ method, path: path.split('?')[0]!, authorization: headers.authorization ?? '', fields });
      const [status, answer] = refusal
        ? [refusal.status, { error: refusal.error }]
        : (answers(method, path.split('?')[0]!, fields) ?? refused(404, 'resource_missing'));
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /**
     * The customer of each subscription. The server knows no subscriptions except those in `customers` and in
     * `payments`.
     */
    customers,
    /** The checkout sessions, by id. */
    sessions,
    /** The latest payment for each subscription, by the id of the subscription. */
    payments,
    /**
     * Makes the server refuse every request with this status and error from now on. Null makes it accept requests
     * again.
     */
    refuse(how: typeof refusal) {
      refusal = how;
    },
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}

/** The data from which the server answers. */
interface StripeState {
  requests: readonly StripeRequest[];
  customers: ReadonlyMap<string, object>;
  sessions: Map<string, { status: string; metadata: Record<string, string | undefined> }>;
  payments: ReadonlyMap<string, { refunded: boolean }>;
}

/** Creates the function that returns the status and the body of the answer to a request; null for an unknown object. */
function createAnswers({ requests, customers, sessions, payments }: StripeState) {
  return (method: string, path: string, fields: Record<string, string>): [number, object] | null => {
    const [, , resource, ...words] = path.split('/');
    switch ([method, resource, ...words.map((word) => (/^[a-z]+$/.test(word) ? word : ':id'))].join(' ')) {
      case 'POST checkout sessions': {
        const id = `cs_test_${requests.length}`;
        sessions.set(id, { status: 'open', metadata: { planId: fields['metadata[planId]'] } });
        return [200, { object: 'checkout.session', id, url: `https://checkout.stripe.example/${requests.length}` }];
      }
      case 'GET checkout sessions': {
        const open = [...sessions].filter(([, { status }]) => status === fields['status']);
        const from = open.findIndex(([id]) => id === fields['starting_after']) + 1;
        // Pages are short, so that a few sessions need several of them.
        const data = open
          .slice(from, from + 2)
          .map(([id, session]) => ({ object: 'checkout.session', id, ...session }));
        return [200, { object: 'list', data, has_more: open.length > from + 2 }];
      }
      case 'POST checkout sessions :id expire': {
        const session = sessions.get(words[1]!);
        if (session?.status !== 'open') return refused(400, undefined);
        session.status = 'expired';
        return [200, { object: 'checkout.session', id: words[1], ...session }];
      }
      case 'DELETE subscriptions :id':
        return [200, { object: 'subscription', id: words[0], status: 'canceled' }];
      case 'GET subscriptions :id': {
        const [id] = words as [string];
        if (!customers.has(id) && !payments.has(id)) return null;
        return [200, { object: 'subscription', id, customer: customers.get(id), latest_invoice: `in_${id}` }];
      }
      case 'GET invoice_payments': {
        const payment = { type: 'payment_intent', payment_intent: fields['invoice']!.replace('in_', 'pi_') };
        return [200, { object: 'list', data: [{ object: 'invoice_payment', payment }], has_more: false }];
      }
      case 'POST refunds': {
        const payment = payments.get(fields['payment_intent']!.replace('pi_', ''));
        if (!payment) return null;
        if (payment.refunded) return refused(400, 'charge_already_refunded');
        payment.refunded = true;
        return [200, { object: 'refund', id: 're_1', status: 'succeeded' }];
      }
      default:
        return null;
    }
  };
}

const refused = (status: number, code: string | undefined): [number, object] => [
  status,
  { error: { type: 'invalid_request_error', code, message: 'No such object, or no longer.' } },
];
