import { expect, test } from 'vitest';
import { maskConfig, maskFaults, unmaskConfig } from './mask.ts';

test.each([
  ['slack', { webhookUrl: 'https://hooks.example.com/a/b/wxyz' }, { webhookUrl: 'https://hooks.example.com/••••wxyz' }],
  ['slack', { webhookUrl: 'http://10.0.0.1:8080/x?key=abcd' }, { webhookUrl: 'http://10.0.0.1:8080/••••abcd' }],
  ['slack', { webhookUrl: 'https://user:pass@h.example/12345678' }, { webhookUrl: 'https://h.example/••••5678' }],
  ['slack', { webhookUrl: 'https://h.example/short' }, { webhookUrl: 'https://h.example/••••' }],
  ['slack', { webhookUrl: 'https://h.example' }, { webhookUrl: 'https://h.example/••••' }],
  ['slack', { webhookUrl: 'https://h.example?token=1234' }, { webhookUrl: 'https://h.example/••••1234' }],
  ['opsgenie', { apiKey: '12345678', region: 'eu' }, { apiKey: '••••5678', region: 'eu' }],
  ['opsgenie', { apiKey: '1234567', region: 'us' }, { apiKey: '••••', region: 'us' }],
  [
    'webhook',
    { url: 'https://h.example/', method: 'PUT', headers: { A: 'Bearer 123456' }, secret: null },
    { url: 'https://h.example/••••', method: 'PUT', headers: { A: '••••3456' }, secret: null },
  ],
  [
    'ntfy',
    { topic: 't', serverUrl: 'https://phil:s3cret@ntfy.example/x' },
    { topic: 't', serverUrl: 'https://••••@ntfy.example/x' },
  ],
  [
    'ntfy',
    { topic: 't', serverUrl: 'https://ntfy.example/?auth=s3cret&x=1' },
    { topic: 't', serverUrl: 'https://ntfy.example/?auth=••••&x=1' },
  ],
  ['ntfy', { topic: 't', serverUrl: 'https://ntfy.example' }, { topic: 't', serverUrl: 'https://ntfy.example' }],
  [
    'matrix',
    { homeserverUrl: 'https://:pw@m.example', roomId: '!r:m', accessToken: 'syt_abcdefgh' },
    { homeserverUrl: 'https://••••@m.example/', roomId: '!r:m', accessToken: '••••efgh' },
  ],
  ['email', { address: 'ops@example.com' }, { address: 'ops@example.com' }],
] as const)('maskConfig hides every secret of a channel of the type %s', (type, config, shown) => {
  expect(maskConfig(type, config)).toEqual(shown);
  expect(unmaskConfig(type, shown, config)).toEqual(config);
});

test('unmaskConfig replaces a mask with the stored value of the same field, even if the case of a header name differs', () => {
  const stored = { url: 'https://h.example/12345678', headers: { Token: 'abcdefgh1234', Other: 'x' } };
  const sent = { url: '••••5678', headers: { token: '••••1234', Other: '••••1234' } };
  const taken = unmaskConfig('webhook', sent, stored);
  expect(taken).toEqual({ url: '••••5678', headers: { token: 'abcdefgh1234', Other: '••••1234' } });
  expect(maskFaults('webhook', taken).map(({ path }) => path)).toEqual(['config.url', 'config.headers.Other']);
});

test('maskFaults searches the fields of the type, or of all types if the type is unknown', () => {
  const config = { url: '••••', apiKey: '••••', nonsense: '••••', headers: { A: '••••' } };
  const paths = (type: unknown) => maskFaults(type, config).map(({ path }) => path);
  expect(paths('opsgenie')).toEqual(['config.apiKey']);
  expect(paths('pigeon')).toEqual(['config.url', 'config.apiKey', 'config.headers.A']);
});

test('unmaskConfig replaces the masks of as many headers as fit into a body', () => {
  const headers = (value: string) => Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`h${n}`, value]));
  const taken = unmaskConfig('webhook', { headers: headers('••••5678') }, { headers: headers('12345678') });
  expect(taken).toEqual({ headers: headers('12345678') });
});
