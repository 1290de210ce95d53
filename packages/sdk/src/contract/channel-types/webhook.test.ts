import { describe, expect, test } from 'vitest';
import { channelTypeDefinitions, validateChannel } from '../index.ts';

/** The faults of a webhook with these changes to its config, as `path code`. */
const faultsOf = (change: object) => {
  const config = { url: 'https://hooks.example.com/x', ...change };
  const parsed = validateChannel({ type: 'webhook', name: 'Own endpoint', config });
  return parsed.ok ? [] : parsed.faults.map(({ path, code }) => `${path} ${code}`);
};

describe('a webhook accepts', () => {
  test.each<[string, object]>([
    ['an address with credentials', { url: 'https://ada:hush@hooks.example.com/' }],
    ['a local address with a port', { url: 'http://127.0.0.1:9000/hook' }],
    ['an address of 2048 characters', { url: `http://h/${'x'.repeat(2039)}` }],
    ...['POST', 'PUT', 'PATCH', 'GET'].map((method): [string, object] => [`the method ${method}`, { method }]),
    ['50 headers', { headers: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`x-${n}`, 'v'])) }],
    ['a header with another content type', { headers: { 'content-type': 'text/plain' } }],
    ['a secret of one character', { secret: '!' }],
    ['a secret of 2000 characters', { secret: '~'.repeat(2000) }],
    ['null as the secret', { secret: null }],
  ])('a webhook accepts %s', (_, change) => expect(faultsOf(change)).toEqual([]));
});

describe('a webhook refuses', () => {
  test.each([
    ['a missing address', { url: undefined }, 'config.url required'],
    ['an address without a scheme', { url: 'hooks.example.com' }, 'config.url bad_format'],
    ['an address of 2049 characters', { url: `http://h/${'x'.repeat(2040)}` }, 'config.url too_big'],
    ['port zero', { url: 'http://h:0/' }, 'config.url bad_address_port'],
    ['a wildcard host', { url: 'https://*.example.com/' }, 'config.url bad_address_host'],
    ['DELETE', { method: 'DELETE' }, 'config.method not_a_choice'],
    ['HEAD', { method: 'HEAD' }, 'config.method not_a_choice'],
    ['a method in small letters', { method: 'post' }, 'config.method not_a_choice'],
    ['the header te, which the daemon writes itself', { headers: { te: 'x' } }, 'config.headers.te reserved_header'],
    ['a header name with a colon', { headers: { 'x:': 'v' } }, 'config.headers.x: bad_name'],
    ['a list of headers', { headers: ['x: v'] }, 'config.headers wrong_type'],
    ['an empty secret', { secret: '' }, 'config.secret bad_format'],
    ['a secret with a blank', { secret: 'a b' }, 'config.secret bad_format'],
    ['a secret of 2001 characters', { secret: 'x'.repeat(2001) }, 'config.secret bad_format'],
    ['a secret beyond ASCII', { secret: 'schlüssel' }, 'config.secret bad_format'],
    ['the address field of Slack', { webhookUrl: 'https://h/' }, 'config.webhookUrl unknown_field'],
  ])('a webhook refuses %s', (_, change, fault) => expect(faultsOf(change)).toEqual([fault]));
});

test('by default, a webhook sends a POST without custom headers and without a signature', () => {
  expect(validateChannel({ type: 'webhook', name: 'n', config: { url: 'http://h/' } })).toMatchObject({
    ok: true,
    value: { config: { url: 'http://h/', method: 'POST', headers: {}, secret: null } },
  });
});

test('the address, header values and secret of a webhook are masked, and a new address requires them again', () => {
  const { secrets, destinations } = channelTypeDefinitions.webhook;
  expect(secrets).toEqual(['url', 'headers.*', 'secret']);
  expect(destinations).toEqual(['url']);
});
