import type { RequestOptions, TestDaemon } from './test-daemon.ts';

interface Plan {
  id: string;
  name: string;
}

/** Creates plans as the test daemon's admin. */
export async function createPlans(
  daemon: TestDaemon,
  plans: readonly { name: string; monitors: number; checkInterval: number; regions: number; price: number }[],
): Promise<Plan[]> {
  const made: Plan[] = [];
  for (const plan of plans) {
    const answer = await daemon.request('POST', '/api/billing/plans', plan, { cookie: daemon.cookie });
    if (answer.status !== 201) throw new Error(`The plan was refused: ${JSON.stringify(answer.body)}`);
    made.push(answer.body as Plan);
  }
  return made;
}

/** Begins a checkout. Returns the address of its payment page. */
export async function checkout(daemon: TestDaemon, planId: string, options: RequestOptions): Promise<string> {
  const answer = await daemon.request('POST', '/api/billing/checkout', { planId }, options);
  if (answer.status !== 200) throw new Error(`The checkout was refused: ${JSON.stringify(answer.body)}`);
  return (answer.body as { checkoutUrl: string }).checkoutUrl;
}

/** Submits the form of the sandbox's payment page, as a browser would. */
export const submit = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
    body: new URLSearchParams(fields),
  });
