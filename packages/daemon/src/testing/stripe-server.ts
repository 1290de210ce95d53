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

/** Answers as Stripe's API does, as far as it is asked: checkout sessions, and subscriptions with their customers. */
export async function startStripeServer() {
  const requests: StripeRequest[] = [];
  const customers = new Map<string, object>();
  let refusal: { status: number; error: object } | null = null;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url: path = '', headers } = request;
      const fields = Object.fromEntries(new URLSearchParams(body || path.split('?')[1]));
      requests.push({ method, path: path.split('?')[0]!, authorization: headers.authorization ?? '', fields });
      const id = path.split('?')[0]!.split('/').at(-1)!;
      const known =
        method === 'POST' && path === '/v1/checkout/sessions'
          ? { object: 'checkout.session', id: 'cs_test_1', url: `https://checkout.stripe.example/${requests.length}` }
          : method === 'DELETE' && path.startsWith('/v1/subscriptions/')
            ? { object: 'subscription', id, status: 'canceled' }
            : method === 'GET' && customers.has(id)
              ? { object: 'subscription', id, customer: customers.get(id) }
              : null;
      const [status, answer] = refusal
        ? [refusal.status, { error: refusal.error }]
        : known
          ? [200, known]
          : [404, { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such thing.' } }];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Its customers, by subscription; of any other subscription it knows nothing. */
    customers,
    /** From now on every request is refused so; null for none. */
    refuse(how: typeof refusal) {
      refusal = how;
    },
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}
