import { expect, test } from 'vitest';
import { alertLink, alertOfLink } from './alert-link.ts';

const lastPart = (secret: string, id: string) => alertLink('https://up.example', secret, id).split('/').at(-1)!;

test('alertLink returns the same link each time, and alertOfLink finds the alert from it', () => {
  const link = alertLink('https://up.example', 'secret', 'alr_1');
  expect(link).toMatch(/^https:\/\/up\.example\/alerts\/alr_1\.[\w-]{24}$/);
  expect(alertLink('https://up.example', 'secret', 'alr_1')).toBe(link);
  expect(alertOfLink('secret', lastPart('secret', 'alr_1'))).toBe('alr_1');
});

test('alertOfLink returns null for a link that was changed, or was made with another secret or for another alert', () => {
  const genuine = lastPart('secret', 'alr_1');
  const code = genuine.split('.')[1]!;
  const forged = [
    lastPart('another', 'alr_1'),
    `alr_2.${code}`,
    genuine.slice(0, -1),
    `${genuine}a`,
    genuine.toUpperCase(),
    `alr_1.${'é'.repeat(24)}`,
    'alr_1.',
    'alr_1',
    '.',
    '',
  ];
  for (const part of forged) expect([part, alertOfLink('secret', part)]).toEqual([part, null]);
});
