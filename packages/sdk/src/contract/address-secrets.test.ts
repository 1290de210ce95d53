import { expect, test } from 'vitest';
import { isSecretParameter, replaceAddressSecrets, replaceLogin } from './address-secrets.ts';

const masked = (text: string) => replaceAddressSecrets(text, (_, name) => `<${name}>`);

test.each([
  ['https://ada:hush@a.example/', 'https://ada:<password>@a.example/'],
  ['https://ada:hu@sh@a.example/x', 'https://ada:<password>@a.example/x'],
  ['https://:hush@a.example', 'https://:<password>@a.example'],
  ['https://ghp_123@a.example/x', 'https://<user>@a.example/x'],
  ['https://ghp_123:@a.example/x', 'https://<user>:@a.example/x'],
  ['https://a.example/?token=hush&page=2', 'https://a.example/?token=<token>&page=2'],
  ['https://a.example/?page=2&api_key=hush#top', 'https://a.example/?page=2&api_key=<api_key>#top'],
  ['https://a.example/?sig=a=b;c&sv=2020', 'https://a.example/?sig=<sig>&sv=2020'],
  ['https://a.example/?access%5Ftoken=hush', 'https://a.example/?access%5Ftoken=<access_token>'],
  ['https://a.example/#access_token=hush', 'https://a.example/#access_token=<access_token>'],
  ['https://a.example/?%zz_key=hush', 'https://a.example/?%zz_key=<%zz_key>'],
  ['https://ada:hush@a.example/?key=hush', 'https://ada:<password>@a.example/?key=<key>'],
])('the secrets of the address %s are replaced by their names: %s', (text, expected) => {
  expect(masked(text)).toBe(expected);
});

test.each([
  'https://a.example/?token=&page=2',
  'https://a.example/token=hush',
  'https://a.example/@ada:hush',
  'https://a.example/?author=ada&keyword=x&design=1&monkey=2&passenger=3&sides=4',
  'ada:hush@a.example?token=hush',
  'some text?token=hush',
  '',
])('the text %s has no secret', (text) => {
  expect(masked(text)).toBe(text);
});

test.each([
  'token',
  'accessToken',
  'api_key',
  'apikey',
  'X-Api-Key',
  'key',
  'subscription-key',
  'sig',
  'signature',
  'X-Amz-Signature',
  'X-Amz-Credential',
  'X-Amz-Security-Token',
  'password',
  'pwd',
  'auth',
  'client_secret',
  'sessionid',
  'jwt',
])('a query parameter with the name %s is a credential', (name) => {
  expect(isSecretParameter(name)).toBe(true);
});

test.each([
  ['https://ada:hush@a.example/x?y=//z#top', 'https://a.example/x?y=//z#top', 'https://$&@a.example/x?y=//z#top'],
  ['http://ghp_123@a.example:8080', 'http://a.example:8080/', 'http://$&@a.example:8080/'],
  ['https://:hush@[::1]/', 'https://[::1]/', 'https://$&@[::1]/'],
  ['redis://ada:hush@a.example', 'redis://a.example', 'redis://$&@a.example'],
])('replaceLogin changes the address %s to %s or %s', (address, without, replaced) => {
  expect(replaceLogin(address, '')).toBe(without);
  expect(replaceLogin(address, '$&@')).toBe(replaced);
});

test.each(['https://a.example', 'https://a.example/@ada:hush', 'ada:hush@a.example', 'a.example', ''])(
  'replaceLogin leaves %j unchanged, because it has no login of an address',
  (text) => expect(replaceLogin(text, 'x@')).toBe(text),
);
