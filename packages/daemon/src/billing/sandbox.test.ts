import { expect, test } from 'vitest';
import { foldSubscription } from '../core/subscription.ts';
import { createSeal } from '../store/seal.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createSandbox } from './sandbox.ts';

const order = { user: 'ada', email: 'ada@example.com', plan: { id: 'pln_1', name: 'Team', price: 20 } };
const day = 24 * 3_600_000;

function open() {
  const clock = createFakeClock();
  const seal = createSeal('secret');
  const sandbox = createSandbox({ siteUrl: () => 'http://localhost', seal, secret: 'secret', clock });
  const session = async () => new URL(await sandbox.checkout(order, null)).searchParams.get('session')!;
  return { clock, sandbox, session };
}

test('a payment page of the sandbox is valid for a day', async () => {
  const { clock, sandbox, session } = open();
  const opened = await session();
  clock.jump(day);
  expect(sandbox.open(opened)).toMatchObject(order);
  clock.jump(1);
  expect(sandbox.open(opened)).toBeNull();
});

test('the first events of a payment end the former subscriptions of the buyer', async () => {
  const { sandbox, session } = open();
  const signed = await sandbox.pay(sandbox.open(await session())!, '4242424242424242', ['sub_former']);
  const events = await Promise.all(signed!.map(({ body, signature }) => sandbox.readEvent(body, signature)));
  expect(events.map((event) => event?.kind)).toEqual(['deleted', 'created', 'checkout', 'paid']);
  expect(events[0]).toMatchObject({ subscription: 'sub_former', status: 'canceled' });
});

test('the sandbox can end a subscription that was paid and renewed a moment ago', async () => {
  const { sandbox, session } = open();
  const order = sandbox.open(await session())!;
  const signed = [...(await sandbox.pay(order, '4000000000000077', []))!, ...(await sandbox.end(order.subscription))];
  const events = await Promise.all(signed.map(({ body, signature }) => sandbox.readEvent(body, signature)));
  expect(foldSubscription(events.map((event) => event!))).toMatchObject({ user: 'ada', status: 'canceled' });
});

test('the sandbox accepts only events that it signed itself, each for five minutes', async () => {
  const { clock, sandbox } = open();
  const [{ body, signature }] = (await sandbox.end('sub_1')) as [{ body: Buffer; signature: string }];
  expect(await sandbox.readEvent(body, signature)).toMatchObject({ kind: 'deleted' });
  await expect(sandbox.readEvent(Buffer.from(`${body.toString()} `), signature)).rejects.toThrow();
  clock.jump(301_000);
  await expect(sandbox.readEvent(body, signature)).rejects.toThrow();
});
