import { expect, test } from 'vitest';
import { validateChannel, validateMonitor, validateStatusPage } from './index.ts';

const good = [
  'db',
  'db.internal',
  'db.internal.',
  'a_b.example',
  'Bücher.example',
  '127.0.0.1',
  '10.1',
  'xn--bcher-kva.example',
  'نامه‌ای.example',
];
const bad = [
  'a..b',
  '.a',
  '$(id)',
  '`id`',
  '*.de',
  '256.1.1.1',
  '1.2.3.4.5',
  'a b',
  'a,b',
  'ü*',
  "a'b",
  'x'.repeat(64),
  '%31.example',
  'a\u200bb.example',
  'a\u00adb.example',
  'a\u2060b.example',
];

const http = { type: 'http', name: 'x' };
/** Every field that contains a host, with a function that validates an input with the given host in this field. */
const fields: Record<string, (host: string) => { ok: boolean }> = {
  url: (host) => validateMonitor({ ...http, url: `https://${host}/path` }),
  'url with a port': (host) => validateMonitor({ ...http, url: `https://${host}:8443/` }),
  'host of tcp': (host) => validateMonitor({ type: 'tcp', name: 'x', host, port: 1 }),
  'host of ping': (host) => validateMonitor({ type: 'ping', name: 'x', host }),
  hostname: (host) => validateMonitor({ type: 'dns', name: 'x', hostname: host }),
  nameserver: (host) => validateMonitor({ type: 'dns', name: 'x', hostname: 'a.example', nameserver: host }),
  'nameserver with a port': (host) =>
    validateMonitor({ type: 'dns', name: 'x', hostname: 'a.example', nameserver: `${host}:53` }),
  'webhook url': (host) => validateChannel({ type: 'webhook', name: 'x', config: { url: `https://${host}/` } }),
  webhookUrl: (host) => validateChannel({ type: 'slack', name: 'x', config: { webhookUrl: `https://${host}/` } }),
  serverUrl: (host) =>
    validateChannel({ type: 'ntfy', name: 'x', config: { topic: 't', serverUrl: `https://${host}/` } }),
  homeserverUrl: (host) => {
    const config = { roomId: '!r:x', accessToken: 't', homeserverUrl: `https://${host}/` };
    return validateChannel({ type: 'matrix', name: 'x', config });
  },
};

test.each(Object.entries(fields))('the field "%s" accepts only host names and IP addresses', (_field, validated) => {
  for (const host of good) expect(validated(host).ok, host).toBe(true);
  for (const host of bad) expect(validated(host).ok, host).toBe(false);
});

test('a custom domain and an e-mail address refuse an invalid host name', () => {
  for (const host of bad) {
    expect(validateStatusPage({ name: 'x', slug: 'x', customDomain: host }).ok, host).toBe(false);
    expect(validateChannel({ type: 'email', name: 'x', config: { address: `a@${host}` } }).ok, host).toBe(false);
  }
  expect(validateStatusPage({ name: 'x', slug: 'x', customDomain: 'status.example.com' }).ok).toBe(true);
});
