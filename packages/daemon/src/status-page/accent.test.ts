import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrastOf, readableOn } from './accent.ts';
import { darkGround, lightGround } from './style.ts';

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('readableOn makes any colour readable, on light and on dark backgrounds', () => {
  fc.assert(
    fc.property(colour, fc.constantFrom(lightGround, darkGround), (given, ground) => {
      expect(contrastOf(readableOn(ground, given), ground)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('readableOn does not change a readable colour', () => {
  expect(readableOn(lightGround, '#0a66c2')).toBe('#0a66c2');
  expect(readableOn(darkGround, '#ffd400')).toBe('#ffd400');
  expect(readableOn(lightGround, '#ffd400')).not.toBe('#ffd400');
});

test('contrast is computed as WCAG defines it', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});
