import { expect, test } from 'vitest';
import { createOrderLimits, type OrderLimits, orderLimits, type WantedOrder } from './order-limits.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Returns how many orders may begin within `ms` milliseconds. Each minute, orders begin until an order has to wait. */
function ordersWithin(limits: OrderLimits, ms: number, wanted: (n: number) => WantedOrder): number {
  let count = 0;
  for (let now = 0; now < ms; now += 60_000) {
    while (limits.waitOf(wanted(count), now) === null) limits.take(wanted(count++), now);
  }
  return count;
}

test('one account gets ten orders at once and ten more in each hour', async () => {
  const one = (n: number) => ({ name: `status.shop${n}.example`, account: 'usr_1' });
  expect(ordersWithin(await createOrderLimits(), 60_000, one)).toBe(10);
  expect(ordersWithin(await createOrderLimits(), 3 * hour, one)).toBe(10 + 29);
});

test('one registrable domain gets 40 orders at once, for all accounts together', async () => {
  const one = (n: number) => ({ name: `s${n}.shop.example`, account: `usr_${n}` });
  expect(ordersWithin(await createOrderLimits(), 4 * hour, one)).toBe(40);
  const { maxOrders, periodMs } = orderLimits.domain;
  expect(ordersWithin(await createOrderLimits(), 2 * day, one)).toBe(
    40 + Math.floor((2 * day) / (periodMs / maxOrders)),
  );
});

test('all accounts and domains together get 250 orders at once', async () => {
  const one = (n: number) => ({ name: `status.shop${n}.example`, account: `usr_${n}` });
  const limits = await createOrderLimits();
  expect(ordersWithin(limits, 40_000, one)).toBe(250);
  expect(limits.waitOf(one(1000), 0)).toEqual({
    until: 43_200,
    reason: 'This server orders at most 250 certificates in three hours',
  });
});

test('the stored state keeps the counts of orders for the next start, and leaves out limits that are unused again', async () => {
  const order = { name: 'status.example.com', account: 'usr_1' };
  const limits = await createOrderLimits();
  for (let count = 0; count < 10; count++) limits.take(order, 0);
  const later = await createOrderLimits(limits.state(0));
  expect(later.waitOf(order, 0)?.reason).toBe('This server orders at most 10 certificates for one account in an hour');
  expect(later.waitOf({ ...order, account: null }, 0)).toBeNull();
  expect(later.waitOf(order, hour)).toBeNull();
  expect(Object.keys(later.state(2 * hour).fullAt)).toEqual(['domain example.com']);
  expect(later.state(8 * day)).toEqual({ fullAt: {}, heldUntil: {} });
});

test('a wait that the authority asks for delays one domain for the whole time, and other orders for at most three hours', async () => {
  const [named, other] = [
    { name: 'status.example.com', account: 'usr_1' },
    { name: 'status.example.org', account: 'usr_2' },
  ];
  const limits = await createOrderLimits();
  limits.hold(named.name, hour, 0);
  expect(limits.waitOf(other, hour - 1)).toEqual({ until: hour, reason: 'The certificate authority asked to wait' });
  expect(limits.heldUntil(hour - 1)).toBe(hour);
  expect(limits.waitOf(other, hour)).toBeNull();
  limits.hold(named.name, 2 * day, 0);
  expect(limits.waitOf(other, 3 * hour - 1)).not.toBeNull();
  expect(limits.waitOf(other, 3 * hour)).toBeNull();
  expect(limits.waitOf({ ...named, name: 'x.example.com' }, 2 * day - 1)).not.toBeNull();
  expect((await createOrderLimits(limits.state(3 * hour))).waitOf(named, 3 * hour)).not.toBeNull();
  expect(limits.waitOf(named, 2 * day)).toBeNull();
});
