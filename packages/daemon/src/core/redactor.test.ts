import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuTimeMs } from '../testing/cpu-time.ts';
import { createRedactor } from './redactor.ts';
import { findTexts } from './find-texts.ts';

const redact = (text: string, ...secrets: string[]) => createRedactor(secrets).redact(text);

test('a secret is masked wherever it appears', () => {
  expect(redact('key k3y is unknown (k3y)', 'k3y')).toBe('key •••• is unknown (••••)');
});

test.each([
  ['percent-encoded', encodeURIComponent],
  ['in a form', (secret: string) => new URLSearchParams({ secret }).toString().slice('secret='.length)],
  ['in JSON', (secret: string) => JSON.stringify(secret)],
  ['in JSON with escaped slashes', (secret: string) => JSON.stringify(secret).replaceAll('/', '\\/')],
  ['in a form inside an address', (secret: string) => encodeURIComponent(encodeURIComponent(secret))],
  ['in JSON inside JSON', (secret: string) => JSON.stringify(JSON.stringify(secret)).slice(1, -1)],
  [
    'as Unicode escapes only',
    (secret: string) => secret.replace(/./g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ],
  [
    'in HTML inside JSON',
    (secret: string) => JSON.stringify(secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')),
  ],
  ['in HTML', (secret: string) => secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
])('a secret is masked even %s', (_, form) => {
  expect(redact(`no such token: ${form('s"e/c&r t')}!`, 's"e/c&r t')).toMatch(
    /^no such token: (?:\\?")?••••(?:\\?")?!$/,
  );
});

test('if a secret is an address, its path and query are masked, and so is each part of them that is not a word', () => {
  const address = 'https://chat.example/v1/T0123456789ab/messages?key=abcdefghijklmn&token=zyxwvutsrqponm%3D';
  expect(redact('Cannot POST /v1/T0123456789ab/messages?key=abcdefghijklmn&token=zyxwvutsrqponm%3D', address)).toBe(
    'Cannot POST ••••',
  );
  expect(redact('unknown team T0123456789ab', address)).toBe('unknown team ••••');
  expect(redact('key abcdefghijklmn or token zyxwvutsrqponm= is wrong', address)).toBe(
    'key •••• or token •••• is wrong',
  );
  expect(redact('no service s3cret', 'https://chat.example/services/v1/s3cret')).toBe('no service ••••');
  expect(redact('no services here', 'https://chat.example/services/v1/s3cret')).toBe('no services here');
  expect(redact('see https://chat.example/docs', address)).toBe('see https://chat.example/docs');
});

test('a longer secret is masked completely, even if another secret is a part of it', () => {
  expect(redact('Basic cGhpbDpwYXNz', 'cGhp', 'cGhpbDpwYXNz')).toBe('Basic ••••');
});

test('an empty secret masks nothing, and a secret that cannot be decoded or encoded causes no error', () => {
  expect(redact('as it is', '')).toBe('as it is');
  expect(redact('100% \ud800', '%zz', '\ud800')).toBe('100% ••••');
});

test('a search of 64 KiB for fifty secrets with the same beginning takes less than 100 ms', () => {
  // This is the worst case for a separate search for each secret: all secrets and the searched text have the same
  // beginning.
  const many = Array.from({ length: 50 }, (_, n) => `${'a'.repeat(160)}${String(n).padStart(4, '0')}`);
  const begun = cpuTimeMs();
  const { redact: hide } = createRedactor(many);
  for (const echo of ['a'.repeat(65_536), '%61'.repeat(21_845), many.join('%2525').repeat(8), '%25'.repeat(21_845)])
    hide(echo);
  // A separate search for each secret took 8 s, in one turn of the event loop.
  expect((cpuTimeMs() - begun) / 4).toBeLessThan(100);
});

test('`findTexts` finds the same occurrences as a separate search for each text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 40 });
  const wanted = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 5 }), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(text, wanted, (within, texts) => {
      const found: [number, number][] = [];
      findTexts(texts)(within, (end, length) => found.push([end, length]));
      const expected = Array.from({ length: within.length }, (_, at) => at + 1).flatMap((end) => {
        const ending = texts.filter((one) => within.slice(0, end).endsWith(one)).map(({ length }) => length);
        return ending.length > 0 ? [[end, Math.max(...ending)]] : [];
      });
      expect(found).toEqual(expected);
    }),
  );
});
