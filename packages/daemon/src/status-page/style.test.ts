import { expect, test } from 'vitest';
import { contrastOf } from './accent.ts';
import { style } from './style.ts';

/** The colours of each colour scheme, by name. */
const schemes = [...style.matchAll(/:root\{(--bg[^}]+)\}/g)].map(([, colours = '']) =>
  Object.fromEntries(colours.split(';').map((one) => one.slice(2).split(':'))),
);

test('the style has a light and a dark colour scheme', () => {
  expect(schemes.map(({ bg }) => bg)).toEqual(['#ffffff', '#111418']);
});

test.each(schemes)('bars stand out from the background $bg, and downtime stands out from a good day', (colours) => {
  const { bg, good, bad, maint, none } = colours as Record<string, string>;
  for (const bar of [good, bad, maint, none]) expect(contrastOf(bar!, bg!)).toBeGreaterThanOrEqual(3);
  expect(contrastOf(bad!, good!)).toBeGreaterThanOrEqual(3);
});

test('a day with more downtime has a taller bar of downtime, and even the smallest bar is tall enough to see', () => {
  const heights = [1, 2, 3, 4, 5].map((step) => Number(new RegExp(`\\.d${step}\\{--h:(\\d+)%`).exec(style)?.[1]));
  expect(heights).toEqual(heights.toSorted((a, b) => a - b));
  expect(heights[0]).toBeGreaterThan(25);
  expect(heights.at(-1)).toBeLessThan(95);
});
