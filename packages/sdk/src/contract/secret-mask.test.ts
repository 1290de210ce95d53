import { expect, test } from 'vitest';
import { isMasked, secretMask } from './secret-mask.ts';

test('isMasked returns true if the server hid any part of a value', () => {
  expect(isMasked(`${secretMask}1234`)).toBe(true);
  expect(isMasked(`https://ada:${secretMask}@example.com/`)).toBe(true);
  expect(isMasked('plain')).toBe(false);
  expect(isMasked(null)).toBe(false);
  expect(isMasked({ url: secretMask })).toBe(false);
});
