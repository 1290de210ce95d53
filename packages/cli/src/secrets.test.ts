import { expect, test } from 'vitest';
import { Uptime } from '@uptime/sdk';
import { createFakeServer } from '@uptime/sdk/testing';
import { isSecretOfMonitor, isSensitive, withoutAddressSecrets, withoutSecrets } from './secrets.ts';

test.each([
  ['headers.Authorization', true],
  ['headers.X-Auth-Token', true],
  ['headers.Cookie', true],
  ['headers.X-Signature', true],
  ['labels.api_key', true],
  ['labels.db-password', true],
  ['headers.X-Author', false],
  ['labels.authors', false],
  ['labels.team', false],
  ['headers.Accept', false],
  ['name', false],
])('the name in %s usually means a credential: %s', (path, expected) => expect(isSensitive(path)).toBe(expected));

test.each([
  ['body', true],
  ['headers.X-Team', true],
  ['headers.Authorization', true],
  ['headers.Accept', false],
  ['headers.user-agent', false],
  ['headers', false],
  ['labels.token', true],
  ['labels.team', false],
  // Only some parts of an address are secret. `withoutAddressSecrets` hides those parts.
  ['url', false],
  ['name', false],
  ['bodyContains', false],
])('the value at %s of a monitor is never shown: %s', (path, expected) => {
  expect(isSecretOfMonitor(path)).toBe(expected);
});

test.each([
  ['https://ada:hush@h/x', 'https://ada:…@h/x'],
  ['https://h/?token=hush&page=2', 'https://h/?token=…&page=2'],
  ['https://h/', 'https://h/'],
  ['no address', 'no address'],
])('the address %s is shown as %s', (address, shown) => expect(withoutAddressSecrets(address)).toBe(shown));

test('withoutSecrets masks the secrets of a monitor, and returns all its other fields unchanged', async () => {
  const monitor = await new Uptime(createFakeServer()).monitors.create({
    type: 'http',
    name: 'Shop',
    url: 'https://ada:hush@shop.example.com/?token=hush',
    method: 'POST',
    headers: { Authorization: 'hush', Accept: 'text/html', 'X-Empty': '' },
    labels: { token: 'hush', team: 'web' },
    body: 'hush',
    bodyContains: 'ok',
  });
  const shown = withoutSecrets(monitor);
  expect(JSON.stringify(shown)).not.toContain('hush');
  expect(shown).toEqual({
    ...monitor,
    url: 'https://ada:…@shop.example.com/?token=…',
    headers: { Authorization: '••••', Accept: 'text/html', 'X-Empty': '' },
    labels: { token: '••••', team: 'web' },
    body: '••••',
  });
});
