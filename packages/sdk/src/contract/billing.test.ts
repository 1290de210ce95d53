import { describe, expect, test } from 'vitest';
import { checkoutInput, noLimit, planInput, planLimitNames, planLimits, planPatch, validate } from './index.ts';

const team = { name: 'Team', monitors: 100, checkInterval: 30, regions: 3, price: 20 };
const faultsOf = (result: ReturnType<typeof validate>) =>
  result.ok ? [] : result.faults.map(({ path, code }) => `${path} ${code}`);

describe('a plan', () => {
  test.each([
    ['no monitors', { monitors: 0 }, []],
    ['no limit on monitors', { monitors: noLimit }, []],
    ['a check every second', { checkInterval: 1 }, []],
    ['a check every day', { checkInterval: 86_400 }, []],
    ['1000 regions', { regions: 1000 }, []],
    ['a price of zero', { price: 0 }, []],
    ['a price in cents', { price: 9.99 }, []],
    ['a price of a million', { price: 1_000_000 }, []],
    ['a negative number of monitors', { monitors: -1 }, ['monitors too_small']],
    ['too many monitors', { monitors: noLimit + 1 }, ['monitors too_big']],
    ['half a monitor', { monitors: 0.5 }, ['monitors wrong_type']],
    ['an interval of zero', { checkInterval: 0 }, ['checkInterval too_small']],
    ['an interval beyond a day', { checkInterval: 86_401 }, ['checkInterval too_big']],
    ['no region', { regions: 0 }, ['regions too_small']],
    ['1001 regions', { regions: 1001 }, ['regions too_big']],
    ['a negative price', { price: -0.01 }, ['price too_small']],
    ['a price beyond a million', { price: 1_000_000.01 }, ['price too_big']],
    ['a price as text', { price: '20' }, ['price wrong_type']],
    ['no price', { price: undefined }, ['price required']],
    ['an unknown limit', { monitros: 1 }, ['monitros unknown_field']],
  ])('a plan with %s (%j) has the faults %j', (_, change, faults) => {
    expect(faultsOf(validate(planInput, { ...team, ...change }))).toEqual(faults);
  });
});

const optional = planLimitNames.filter((name) => name !== 'monitors');

test.each(optional)('the limit %s has a default, and may be zero or the value that means no limit', (name) => {
  expect(validate(planInput, team)).toMatchObject({ ok: true, value: { [name]: planLimits[name].default } });
  for (const value of [0, noLimit]) expect(faultsOf(validate(planInput, { ...team, [name]: value }))).toEqual([]);
  expect(faultsOf(validate(planInput, { ...team, [name]: -1 }))).toEqual([`${name} too_small`]);
  expect(faultsOf(validate(planInput, { ...team, [name]: noLimit + 1 }))).toEqual([`${name} too_big`]);
  expect(faultsOf(validate(planInput, { ...team, [name]: null }))).toEqual([`${name} wrong_type`]);
});

test('the publicDefault of each limit is at most its default', () => {
  for (const name of optional)
    expect(planLimits[name].publicDefault, name).toBeLessThanOrEqual(planLimits[name].default);
});

test.each([
  [{}, []],
  [{ price: 25 }, []],
  [{ channels: null, keys: null }, []],
  // Null restores a default. Price and monitors have no default, so null is refused.
  [{ price: null }, ['price wrong_type']],
  [{ monitors: null }, ['monitors wrong_type']],
  [{ name: '' }, ['name bad_format']],
  [{ channels: noLimit + 1 }, ['channels too_big']],
  [{ id: 'pln_1' }, ['id unknown_field']],
])('the change %j of a plan has the faults %j', (patch, faults) => {
  expect(faultsOf(validate(planPatch, patch))).toEqual(faults);
});

test.each([
  [{ planId: 'pln_1' }, []],
  [{ planId: '' }, ['planId too_small']],
  [{ planId: 'x'.repeat(101) }, ['planId too_big']],
  [{}, ['planId required']],
  [{ planId: 'pln_1', coupon: 'x' }, ['coupon unknown_field']],
])('the input %j for a checkout has the faults %j', (input, faults) => {
  expect(faultsOf(validate(checkoutInput, input))).toEqual(faults);
});
