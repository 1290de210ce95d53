import { configDigestText } from '@uptime/sdk/contract';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { compareConfig, hasDigest } from './channel-config.ts';
import { isSecretOfChannel, withoutSecrets } from './channel.ts';
import type { Fields, Remote } from './kind.ts';

const digest = (config: Fields) => createHash('sha256').update(configDigestText('chn_1', config)).digest('hex');
const masked = '••••cret';

/**
 * Compares the wanted config with the config that the server shows. `real` is the config that the server stores, with
 * its secrets.
 */
function differences(
  type: string,
  shown: Fields,
  wanted: Fields,
  { real, wantedType = type }: { real?: Fields; wantedType?: string } = {},
) {
  const current: Remote = { id: 'chn_1', name: 'C', type, ...(real && { configDigest: digest(real) }) };
  const found = compareConfig(shown, wanted, { wanted: { key: null, name: 'C', type: wantedType }, current });
  return found.map(({ at }) => at.join('.'));
}

const hook = 'https://hooks.example/secret';
const url = 'https://a.example/';

describe('the config of a channel', () => {
  test.each<[string, string, Fields, Fields, { real?: Fields; wantedType?: string }, string[]]>([
    [
      'does not differ if the secret is the same',
      'slack',
      { webhookUrl: masked },
      { webhookUrl: hook },
      { real: { webhookUrl: hook } },
      [],
    ],
    [
      'differs if the secret differs',
      'slack',
      { webhookUrl: masked },
      { webhookUrl: `${hook}2` },
      { real: { webhookUrl: hook } },
      ['webhookUrl'],
    ],
    ['does not differ on a server without digests', 'slack', { webhookUrl: masked }, { webhookUrl: hook }, {}, []],
    [
      'is compared by its values if the server does not mask them',
      'slack',
      { webhookUrl: hook },
      { webhookUrl: `${hook}2` },
      {},
      ['webhookUrl'],
    ],
    [
      'differs in every field if the type differs',
      'slack',
      { webhookUrl: masked },
      { address: 'a@example.com' },
      { wantedType: 'email' },
      ['address'],
    ],
    [
      'differs only in a field that is not secret, if the secret is the same',
      'pushover',
      { userKey: masked, appToken: masked, priority: 0 },
      { userKey: 'u', appToken: 'a', priority: 1 },
      { real: { userKey: 'u', appToken: 'a', priority: 0 } },
      ['priority'],
    ],
    [
      'differs in all secrets if one secret differs, because there is only one digest for all secrets',
      'pushover',
      { userKey: masked, appToken: masked },
      { userKey: 'u', appToken: 'b' },
      { real: { userKey: 'u', appToken: 'a' } },
      ['userKey', 'appToken'],
    ],
    [
      'also differs in its secrets if the destination differs, because the server then requires them again',
      'webhook',
      { url, headers: { Authorization: masked } },
      { url: `${url}b`, headers: { Authorization: 'x' } },
      { real: { url, headers: { Authorization: 'x' } } },
      ['url', 'headers.Authorization'],
    ],
    [
      'differs only in a new entry of a map',
      'webhook',
      { url, headers: { A: masked } },
      { url, headers: { A: 'x', B: 'y' } },
      { real: { url, headers: { A: 'x' } } },
      ['headers.B'],
    ],
    [
      'differs in every masked entry of a map if one entry is removed, because there is only one digest for all entries',
      'webhook',
      { url, headers: { A: masked, B: masked } },
      { url, headers: { A: 'x' } },
      { real: { url, headers: { A: 'x', B: 'y' } } },
      ['headers.A', 'headers.B'],
    ],
    ['does not differ if a missing field is null', 'ntfy', { topic: 't' }, { topic: 't', serverUrl: null }, {}, []],
    [
      'does not differ in properties that are only inherited',
      'webhook',
      { url, headers: {} },
      { url, headers: {} },
      {},
      [],
    ],
  ])('the config of a channel %s', (_, type, shown, wanted, options, expected) => {
    expect(differences(type, shown, wanted, options)).toEqual(expected);
  });
});

test('hasDigest says whether the server sent a digest with a channel', () => {
  expect(hasDigest({ id: 'chn_1', name: 'C' })).toBe(false);
  const withDigest: Remote & { configDigest: string } = { id: 'chn_1', name: 'C', configDigest: 'x' };
  expect(hasDigest(withDigest)).toBe(true);
});

test.each<[string, string, Fields, boolean]>([
  ['config.webhookUrl', 'a webhook of Slack', { type: 'slack' }, true],
  ['config.address', 'an address of mail', { type: 'email' }, false],
  ['config.url', 'the address of a webhook', { type: 'webhook' }, true],
  ['config.headers.X-Team', 'any header of a webhook', { type: 'webhook' }, true],
  ['config.method', 'the method of a webhook', { type: 'webhook' }, false],
  ['config.unknown', 'a field that the type does not have', { type: 'email' }, true],
  ['config.address', 'any field of an unknown type', { type: 'pigeon' }, true],
  ['config', 'a config that is not a map', { type: 'slack', config: 'x' }, true],
  ['config', 'a config that is a map', { type: 'slack', config: {} }, false],
  ['name', 'a name', { type: 'slack' }, false],
  ['configs.webhookUrl', 'a path that only begins with the letters `config`', { type: 'slack' }, false],
])('the value at the path %s (%s) of the item %j is secret: %s', (path, _, item, secret) => {
  expect(isSecretOfChannel(path, item)).toBe(secret);
});

test('withoutSecrets masks secrets that the server did not mask, and keeps the masks of the server', () => {
  const shown = (type: string, config: Fields) =>
    withoutSecrets({ id: 'chn_1', name: 'C', type, config } as never).config;
  expect(shown('slack', { webhookUrl: hook })).toEqual({ webhookUrl: '••••' });
  expect(shown('slack', { webhookUrl: masked })).toEqual({ webhookUrl: masked });
  expect(shown('webhook', { url: masked, method: 'POST', headers: { A: 'x' } })).toEqual({
    url: masked,
    method: 'POST',
    headers: { A: '••••' },
  });
  expect(shown('pigeon', { coop: 'secret', n: 5 })).toEqual({ coop: '••••', n: 5 });
  expect(shown('ntfy', { topic: 't', serverUrl: 'https://u:p@n.example/?token=x' })).toMatchObject({
    serverUrl: 'https://u:…@n.example/?token=…',
  });
});
