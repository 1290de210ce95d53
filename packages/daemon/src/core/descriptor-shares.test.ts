import { expect, it } from 'vitest';
import { maxDescriptorsOfCheck, shareDescriptors } from './descriptor-shares.ts';

it.each([
  [256, { connections: 39, checks: 52, deliveries: 26, reserve: 48, listeners: 12 }],
  [1024, { connections: 168, checks: 224, deliveries: 112, reserve: 128, listeners: 32 }],
  [4096, { connections: 672, checks: 896, deliveries: 448, reserve: 512, listeners: 32 }],
  [20_000, { connections: 3562, checks: 4750, deliveries: 500, reserve: 1000, listeners: 32 }],
  [Infinity, { connections: 10_000, checks: 8000, deliveries: 500, reserve: 1000, listeners: 32 }],
])('with %d descriptors, the shares of all parts together use at most that many descriptors', (limit, shares) => {
  expect(shareDescriptors(limit)).toEqual(shares);
  const { connections, checks, deliveries, reserve, listeners } = shares;
  expect(2 * listeners).toBeLessThan(reserve);
  expect(2 * connections + checks * maxDescriptorsOfCheck + deliveries + reserve).toBeLessThanOrEqual(limit);
});
