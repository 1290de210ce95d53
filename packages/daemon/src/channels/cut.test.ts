import { expect, test } from 'vitest';
import { cut } from './cut.ts';
import { escapeHtml } from '../escape-html.ts';

test('a text that fits stays as it is', () => {
  expect(cut('', 1)).toBe('');
  expect(cut('exactly', 7)).toBe('exactly');
  expect(cut('🚨🚨', 4)).toBe('🚨🚨');
});

test('a text that is too long ends in an ellipsis, within the limit', () => {
  expect(cut('longer than that', 7)).toBe('longer…');
  expect(cut('ab', 1)).toBe('…');
});

test('cut splits no character', () => {
  for (let limit = 1; limit < 8; limit++) {
    const text = cut('🚨🚨🚨🚨', limit);
    expect(text.isWellFormed()).toBe(true);
    expect(text.length).toBeLessThanOrEqual(limit);
  }
  expect(cut('🚨🚨🚨🚨', 6)).toBe('🚨🚨…');
});

test('cut splits no escape sequence', () => {
  expect(cut('<<<', 12, escapeHtml)).toBe('&lt;&lt;&lt;');
  expect(cut('<<<', 11, escapeHtml)).toBe('&lt;&lt;…');
  expect(cut('a&b', 6, escapeHtml)).toBe('a…');
});
