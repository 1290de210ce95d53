import { describe, expect, test } from 'vitest';
import { type AttackName, attacks } from './attacks.ts';
import { measureHarm } from './neighbour.ts';

const names = Object.keys(attacks) as AttackName[];

describe('attacks on a server', () => {
  test.each(names)('the attack %s does not harm another project on the server', async (name) => {
    const cost = await measureHarm([name], 20);
    console.log(name, JSON.stringify(cost));
    expect(cost.failed).toEqual([]);
    expect(cost.p99Ms, JSON.stringify(cost)).toBeLessThan(5 * cost.calmP99Ms);
  });

  test('all attacks at once do not harm another project on the server', async () => {
    const cost = await measureHarm(names, 60);
    console.log('all at once', JSON.stringify(cost));
    expect(cost.failed).toEqual([]);
    expect(cost.p99Ms, JSON.stringify(cost)).toBeLessThan(5 * cost.calmP99Ms);
  });
});
