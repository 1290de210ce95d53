import { describe, expect, test } from 'vitest';
import { type AttackName, attacks } from './attacks.ts';
import { attackBeside } from './neighbour.ts';

const names = Object.keys(attacks) as AttackName[];

describe('another project on the attacked server is not harmed', () => {
  test.each(names)('by %s', async (name) => {
    const cost = await attackBeside([name], 20);
    console.log(name, JSON.stringify(cost));
    expect(cost.failed).toEqual([]);
    expect(cost.p99Ms, JSON.stringify(cost)).toBeLessThan(5 * cost.calmP99Ms);
  });

  test('by all attacks at once', async () => {
    const cost = await attackBeside(names, 60);
    console.log('all at once', JSON.stringify(cost));
    expect(cost.failed).toEqual([]);
    expect(cost.p99Ms, JSON.stringify(cost)).toBeLessThan(5 * cost.calmP99Ms);
  });
});
