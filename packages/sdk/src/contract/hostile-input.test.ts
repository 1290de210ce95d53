import { describe, expect, test } from 'vitest';
import { incidentInput, manifest, metrics, validate, validateChannel, validateMonitor } from './index.ts';

const http = { type: 'http', name: 'Shop', url: 'https://shop.example.com/' };
const codes = (result: ReturnType<typeof validate>) =>
  result.ok ? [] : result.faults.map(({ path, code }) => `${path} ${code}`);

describe('half of a surrogate pair', () => {
  test.each([
    ['a text', { description: 'a\ud800' }, ['description half_character']],
    ['an entry of a map', { headers: { a: 'x' }, labels: { team: '\udc00' } }, ['labels.team bad_format']],
    ['a text that has another fault', { name: '\ud800' }, ['name bad_format']],
    ['several texts', { description: '\ud800', body: '\udfff' }, ['description half_character', 'body half_character']],
  ])('half of a surrogate pair in %s leads to the faults %j', (_, change, faults) =>
    expect(codes(validateMonitor({ ...http, ...change }))).toEqual(faults),
  );

  test('half of a surrogate pair in the name of an entry becomes U+FFFD in the path, because UTF-8 cannot encode half a pair', () => {
    const found = codes(validate(metrics, { 'a\ud800': 1 }));
    expect(found).toEqual(['a\ufffd half_character']);
  });

  test('whole emoji, flags and letters outside the basic plane are not reported as half of a surrogate pair', () => {
    for (const description of ['🧀', '🇩🇪', '𝒳', '👩🏽‍💻'])
      expect(codes(validateMonitor({ ...http, description }))).toEqual([]);
  });
});

describe('the name __proto__', () => {
  const parsed = (text: string) => JSON.parse(text) as object;

  test('the name __proto__ is a fault in each map, and does not change the prototype of objects', () => {
    const config = { url: 'https://h/', headers: parsed('{"__proto__":"x","a":"b"}') };
    expect(codes(validateChannel({ type: 'webhook', name: 'n', config }))).toEqual([
      'config.headers.__proto__ forbidden_name',
    ]);
    expect(codes(validate(metrics, parsed('{"__proto__":1}')))).toEqual(['__proto__ forbidden_name']);
    expect(codes(validate(manifest, { overrides: parsed('{"__proto__":{}}') }))).toEqual([
      'overrides.__proto__ forbidden_name',
    ]);
    expect(Object.keys({}.constructor.prototype as object)).toEqual([]);
  });

  test('the name __proto__ is an unknown field where no map is expected', () => {
    expect(codes(validate(incidentInput, parsed('{"title":"x","__proto__":{}}')))).toEqual(['__proto__ unknown_field']);
  });
});

test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])('the name %s is allowed in a map', (name) => {
  const checked = validateMonitor({ ...http, labels: { [name]: 'x' }, headers: { [name]: 'x' } });
  expect(checked).toMatchObject({ ok: true, value: { labels: { [name]: 'x' } } });
  expect(codes(validateMonitor({ ...http, [name]: 'x' }))).toEqual([`${name} unknown_field`]);
});

test('validation ends for an input that contains itself, which an alias in YAML makes possible', () => {
  const self: Record<string, unknown> = { ...http, labels: {} };
  (self['labels'] as Record<string, unknown>)['self'] = self;
  expect(codes(validateMonitor(self))).toEqual(['labels.self wrong_type']);
});

test.each([null, undefined, 5, true, 'x', [], [http]])('the input %j is neither a monitor nor a channel', (input) => {
  for (const check of [validateMonitor, validateChannel]) expect(check(input).ok).toBe(false);
});
