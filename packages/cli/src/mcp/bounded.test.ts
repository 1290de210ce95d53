import { expect, test } from 'vitest';
import { bounded } from './bounded.ts';

test('small data is returned unchanged', () => {
  const data = { name: 'Shop', labels: { team: 'ops' }, list: [1, null, true] };
  expect(bounded(data, 50)).toEqual({ data, cut: [] });
});

test('a long list is shortened, and a sentence says which part of the list remains', () => {
  const { data, cut } = bounded({ rows: Array.from({ length: 300 }, (_, i) => i) }, 50);
  expect(data).toEqual({ rows: Array.from({ length: 50 }, (_, i) => i) });
  expect(cut).toEqual(['data.rows: 50 of 300 entries']);
});

test.each([
  ['long texts', Array.from({ length: 200 }, () => ({ text: 'é'.repeat(10_000) }))],
  [
    'many fields',
    Array.from({ length: 200 }, () => Object.fromEntries(Array.from({ length: 999 }, (_, i) => [i, 'x']))),
  ],
  ['long names of fields', { ['x'.repeat(100_000)]: 1 }],
])('%s are shortened until they fit into an answer', (_what, value) => {
  const { data, cut } = bounded(value, 200);
  expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(40_000);
  expect(cut.length).toBeGreaterThan(0);
});
