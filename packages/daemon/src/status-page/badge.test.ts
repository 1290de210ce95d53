import { expect, test } from 'vitest';
import { pageView, states, unseenMonitor } from '../testing/page-views.ts';
import { renderBadge } from './badge.ts';

test('a badge shows the name and the state of the page, for screen readers too', () => {
  expect(renderBadge(states['all up'])).toContain('aria-label="Example shop: up"');
  expect(renderBadge(states['partly down'])).toContain('>down</text>');
  expect(renderBadge(states['maintenance in force'])).toContain('>maintenance</text>');
  expect(renderBadge(states['incident while all is up'])).toContain('>incident</text>');
  expect(renderBadge(pageView({ monitors: [unseenMonitor()] }))).toContain('>not observed</text>');
});

test('a badge is as wide as its two parts, and a long name is shortened without splitting a letter', () => {
  const [, width, left, x, right] = /width="(\d+)" height.*?<rect width="(\d+)".*?<rect x="(\d+)" width="(\d+)"/
    .exec(renderBadge(pageView({ name: '👩‍💻'.repeat(100) })))!
    .map(Number) as [number, number, number, number, number];
  expect([x, left + right]).toEqual([left, width]);
  expect(renderBadge(pageView({ name: '👩‍💻'.repeat(100) }))).toContain(`<title>${'👩‍💻'.repeat(39)}…: up</title>`);
});

test('the name in a badge is always plain text', () => {
  const badge = renderBadge(states.markup);
  expect(badge).toContain('&lt;/title&gt;&lt;b&gt;&quot;bold&quot;');
  expect(badge.match(/<(?!\/?(svg|title|rect|g|text)\b)/g)).toBeNull();
});
