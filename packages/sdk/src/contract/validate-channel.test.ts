import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { configDigestText } from './channel-digest.ts';
import { validateAlertRule } from './validate-alert-rule.ts';
import { validateChannel } from './validate-channel.ts';
import type { Validated } from './validate.ts';

const faultTexts = (parsed: Validated<unknown>) =>
  parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`);

test.each([
  [{ type: 'slack', name: 'n', config: {} }, ['config.webhookUrl: is required']],
  [
    { type: 'slack', name: 'n', config: { webhookUrl: 'ftp://a/b' } },
    ['config.webhookUrl: must be a full http:// or https:// address'],
  ],
  [
    { type: 'slack', name: 'n', config: { webhookUrl: 'https://' } },
    ['config.webhookUrl: must be a full http:// or https:// address'],
  ],
  [
    { type: 'slack', name: '', config: { webhookUrl: 'http://a:0/', webhookurl: 'x' } },
    [
      'name: must be 1 to 200 visible characters on one line',
      'config.webhookurl: unknown field; did you mean `webhookUrl`?',
      'config.webhookUrl: must name a port from 1 to 65535',
    ],
  ],
  [
    { type: 'discord', name: 'n', config: { webhookUrl: 'http://a:0/' } },
    ['config.webhookUrl: must name a port from 1 to 65535'],
  ],
  [
    { type: 'sms', name: 'n', config: { phoneNumber: '0049 30 1' } },
    ['config.phoneNumber: must be a number in E.164 form, such as +15550100'],
  ],
  [
    { type: 'email', name: 'n', config: { address: 'a@example.com\r\nBcc: b@example.com' } },
    ['config.address: must be an e-mail address'],
  ],
  [
    { type: 'matrix', name: 'n', config: { homeserverUrl: 'https://h', roomId: '!r:h', accessToken: 'a\nb' } },
    ['config.accessToken: must be 1 to 2000 visible ASCII characters without spaces'],
  ],
  [
    { type: 'webhook', name: 'n', config: { url: 'https://h/', headers: { A: '1', a: '2', 'Content-Length': '3' } } },
    [
      'config.headers.a: names the same header as `A`',
      'config.headers.Content-Length: cannot be set: the daemon writes this header itself',
    ],
  ],
  [
    { type: 'webhook', name: 'n', config: { url: 'https://h/', headers: { a: 'x\r\ny: z' } } },
    [
      'config.headers.a: must be a header value that HTTP allows: no line breaks or control characters, at most 8000 characters',
    ],
  ],
])('validation of the channel %j reports every fault', (input, faults) => {
  expect(faultTexts(validateChannel(input))).toEqual(faults);
});

test('too many headers lead to one fault, in addition to the faults of the schema', () => {
  const cases = (n: number) =>
    Array.from('abcdefghijklmnop', (c, at) => ((n >> at) & 1 ? c.toUpperCase() : c)).join('');
  const headers = Object.fromEntries([
    ...Array.from({ length: 50_000 }, (_, n) => [cases(n), 'x']),
    ...Array.from({ length: 900 }, (_, n) => [`wrong${n}`, 1]),
  ]) as object;
  const texts = faultTexts(validateChannel({ type: 'webhook', name: 'n', config: { url: 'https://h/', headers } }));
  expect([texts.length, texts.at(-1)]).toEqual([901, 'config.headers: must have at most 50 entries, not 50900']);
});

test('the fault of an unknown channel type lists the known types', () => {
  expect(faultTexts(validateChannel({ type: 'pigeon', name: 'n', config: {} }))[0]).toMatch(
    /^type: must be one of email, /,
  );
  expect(faultTexts(validateChannel(null))).toHaveLength(1);
});

test('for an unknown type, validation checks the shared fields and refuses fields that no channel type has', () => {
  const config = { webhookURL: 'x', url: 5, headers: 5, nonsense: 1 };
  expect(faultTexts(validateChannel({ name: '', config })).slice(1)).toEqual([
    'name: must be 1 to 200 visible characters on one line',
    'config.webhookURL: unknown field; did you mean `webhookUrl`?',
    'config.nonsense: unknown field',
  ]);
  expect(faultTexts(validateChannel({ type: 'pigeon', config: 5 })).slice(1)).toEqual([
    'name: is required',
    'config: must be an object',
  ]);
});

test('validation of a channel fills in its defaults', () => {
  const parsed = validateChannel({ type: 'webhook', name: 'n', config: { url: 'https://example.com/x' } });
  expect(parsed).toEqual({
    ok: true,
    value: {
      key: null,
      managedBy: null,
      name: 'n',
      type: 'webhook',
      config: { url: 'https://example.com/x', method: 'POST', headers: {}, secret: null },
    },
  });
});

test('only a monitor_down rule may have more than one consecutive failure', () => {
  const rule = { name: 'n', monitorIds: [], channelIds: [] };
  expect(validateAlertRule({ ...rule, consecutiveFailures: 3 }).ok).toBe(true);
  expect(validateAlertRule({ ...rule, trigger: 'ssl_expired' }).ok).toBe(true);
  expect(faultTexts(validateAlertRule({ ...rule, trigger: 'ssl_expired', consecutiveFailures: 3 }))).toEqual([
    'consecutiveFailures: is for `monitor_down` only: leave it out with `ssl_expired`',
  ]);
});

test('the text for the digest of a config has sorted keys and no spaces', () => {
  const text = configDigestText('chn_1', { url: 'u', headers: { b: '2', 10: 'x', 9: 'y' }, secret: null });
  expect(text).toBe('chn_1\n{"headers":{"10":"x","9":"y","b":"2"},"secret":null,"url":"u"}');
  expect(createHash('sha256').update(text).digest('hex')).toHaveLength(64);
});
