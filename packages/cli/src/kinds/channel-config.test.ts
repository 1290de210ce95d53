import { configDigestText } from '@uptime/sdk/contract';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { compareConfig, hasDigest } from './channel-config.ts';
import { isSecretOfChannel, withoutSecrets } from './channel.ts';
import type { Fields, Remote } from './kind.ts';

const digest = (config: Fields) => createHash('sha256').update(configDigestText('chn_1', config)).digest('hex');
const masked = '••••cret';

/** Compares the config that the server shows with the wanted one. `real` is the config that the server stores. */
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
      'with the same secret is the same',
      'slack',
      { webhookUrl: masked },
      { webhookUrl: hook },
      { real: { webhookUrl: hook } },
      [],
    ],
    [
      'with another secret differs',
      'slack',
      { webhookUrl: masked },
      { webhookUrl: `${hook}2` },
      { real: { webhookUrl: hook } },
      ['webhookUrl'],
    ],
    ['on a server without digests counts as the same', 'slack', { webhookUrl: masked }, { webhookUrl: hook }, {}, []],
    [
      'that is not masked is compared by its values',
      'slack',
      { webhookUrl: hook },
      { webhookUrl: `${hook}2` },
      {},
      ['webhookUrl'],
    ],
    [
      'of another type differs in each field',
      'slack',
      { webhookUrl: masked },
      { address: 'a@example.com' },
      { wantedType: 'email' },
      ['address'],
    ],
    [
      'differs in a plain field, with the same secret',
      'pushover',
      { userKey: masked, appToken: masked, priority: 0 },
      { userKey: 'u', appToken: 'a', priority: 1 },
      { real: { userKey: 'u', appToken: 'a', priority: 0 } },
      ['priority'],
    ],
    [
      'differs in all secrets if one differs, because they have one common digest',
      'pushover',
      { userKey: masked, appToken: masked },
      { userKey: 'u', appToken: 'b' },
      { real: { userKey: 'u', appToken: 'a' } },
      ['userKey', 'appToken'],
    ],
    [
      'with another destination differs in its secrets too, because the server requires them again',
      'webhook',
      { url, headers: { Authorization: masked } },
      { url: `${url}b`, headers: { Authorization: 'x' } },
      { real: { url, headers: { Authorization: 'x' } } },
      ['url', 'headers.Authorization'],
    ],
    [
      'differs in the entry that is new',
      'webhook',
      { url, headers: { A: masked } },
      { url, headers: { A: 'x', B: 'y' } },
      { real: { url, headers: { A: 'x' } } },
      ['headers.B'],
    ],
    [
      'differs in every masked entry if one is gone, because they have one common digest',
      'webhook',
      { url, headers: { A: masked, B: masked } },
      { url, headers: { A: 'x' } },
      { real: { url, headers: { A: 'x', B: 'y' } } },
      ['headers.A', 'headers.B'],
    ],
    ['with null in place of nothing is the same', 'ntfy', { topic: 't' }, { topic: 't', serverUrl: null }, {}, []],
    ['ignores what every object inherits', 'webhook', { url, headers: {} }, { url, headers: {} }, {}, []],
  ])('%s', (_, type, shown, wanted, options, expected) => {
    expect(differences(type, shown, wanted, options)).toEqual(expected);
  });
});

test('whether a server sends digests is read from a channel', () => {
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
  ['configs.webhookUrl', 'a path that only begins alike', { type: 'slack' }, false],
])('%s, %s, is secret: %j', (path, _, item, secret) => {
  expect(isSecretOfChannel(path, item)).toBe(secret);
});

test('secrets that a server does not mask are masked here, and masks of the server stay', () => {
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
