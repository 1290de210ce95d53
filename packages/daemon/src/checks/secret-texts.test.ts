import { expect, test } from 'vitest';
import { hideSecretsOf } from './secret-texts.ts';

const monitor = (fields: object) => ({ url: 'https://shop.example/', headers: {}, body: null, ...fields });
const hidden = (text: string, fields: object) => hideSecretsOf(monitor(fields))?.(text) ?? text;

test.each([
  ['a header', { headers: { 'X-Token': 'k3y-of-shop' } }, 'no such token: k3y-of-shop'],
  [
    'a token after its authorization scheme',
    { headers: { Authorization: 'Bearer abc.def.ghi' } },
    'bad token abc.def.ghi',
  ],
  ['a cookie', { headers: { Cookie: 'lang=en; sid=1234567890' } }, '/login?sid=1234567890'],
  ['a password in the address', { url: 'https://ada:hunter2hunter2@shop.example/' }, '/login?was=hunter2hunter2'],
  ['a token in the query', { url: 'https://shop.example/?api_key=k3y%2Bof%2Bshop' }, '/login?was=k3y%2Bof%2Bshop'],
  ['a token in the query, decoded', { url: 'https://shop.example/?sig=k3y%2Bof%2Bshop' }, 'no such key: k3y+of+shop'],
  ['a token as a user name', { url: 'https://k3y-of-shop@shop.example/' }, '/login?was=k3y-of-shop'],
  ['a login', { url: 'https://ada:hunter2hunter2@shop.example/' }, `/login?was=${btoa('ada:hunter2hunter2')}`],
  ['a login in a header', { headers: { Authorization: `Basic ${btoa('ada:hunter2')}` } }, '/login?was=hunter2'],
  ['a string in a JSON body', { body: '{"user":{"password":"hunter2hunter2"}}' }, '/login?was=hunter2hunter2'],
  ['a value in a form', { body: 'user=ada&password=hunter2%2Bhunter2' }, '/login?was=hunter2%2Bhunter2'],
  [
    'a password in a GraphQL query',
    { body: '{"query":"login(password: \\"hunter2hunter2\\")"}' },
    '503 hunter2hunter2',
  ],
  ['a token inside a string in a JSON body', { body: '{"auth":"Bearer abc.def.ghi"}' }, 'bad token abc.def.ghi'],
  ['the text of an XML element', { body: '<login><key>abc.def.ghi</key></login>' }, 'ftp://abc.def.ghi/'],
  ['a string in a long body', { body: `{"pad":"${'x'.repeat(3000)}","key":"abc.def.ghi"}` }, 'ftp://abc.def.ghi/'],
  ['a body of plain text', { body: 'hunter2 hunter2' }, '/login?was=hunter2%20hunter2'],
  ['a header that the target repeats as a host name', { headers: { 'X-Token': 'Key-Of-Shop' } }, 'key-of-shop.example'],
])('hideSecretsOf masks %s in the texts of a target', (_, fields, text) => {
  expect(hidden(text, fields)).toContain('••••');
  expect(hidden(text, fields)).not.toMatch(/k3y|abc\.def|12345|hunter2|key-of/);
});

test('hideSecretsOf does not mask texts that are not secret', () => {
  const fields = {
    headers: { Accept: 'text/html', 'User-Agent': 'probe-of-shop', Authorization: 'Bearer abcdefghijklmnop' },
    body: '{"query":"health"}',
  };
  const text = 'GET https://shop.example/health?as=text/html&by=probe-of-shop by Bearer';
  expect(hidden(text, fields)).toBe(text);
});

test('hideSecretsOf returns null for a monitor that sends no secret', () => {
  expect(hideSecretsOf(monitor({}))).toBeNull();
  expect(hideSecretsOf(monitor({ headers: { Accept: 'text/html' } }))).toBeNull();
});

test('it takes little time to mask the secrets of the largest body and headers', () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`X-${n}`, `${n}`.padEnd(155, 'abcdefg ')]));
  const from = process.cpuUsage();
  hidden('/login?'.padEnd(128_000, 'abcdefg '), { headers: many, body: 'b'.repeat(100_000) });
  hidden('/login?'.padEnd(128_000, 'abcdefg '), { headers: many, body: '{"a":"1234567"}'.padEnd(2000) });
  const { user, system } = process.cpuUsage(from);
  expect((user + system) / 1000).toBeLessThan(150);
});
