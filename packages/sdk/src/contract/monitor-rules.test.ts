import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { monitorInputs, monitorTypes, validateMonitor } from './index.ts';

const faults = (input: unknown) => {
  const result = validateMonitor(input);
  return result.ok ? [] : result.faults.map(({ path, message }) => `${path}: ${message}`);
};
const http = { type: 'http', name: 'Shop', url: 'https://shop.example.com' };

test('faults of the schema and of the rules are reported together, in the order of the input', () => {
  expect(
    faults({
      type: 'http',
      interval: 0,
      url: 'http://:80/',
      headers: { TE: 'x' },
      expectedStatus: '300-200',
      nam: 'x',
    }),
  ).toEqual([
    'interval: must be a whole number from 1 to 86400',
    'url: must be a full http:// or https:// address',
    'headers.TE: cannot be set: the daemon writes this header itself',
    'expectedStatus: must be a range from low to high, not 300-200',
    'nam: unknown field; did you mean `name`?',
    'name: is required',
  ]);
});

test('too many headers lead to one fault, at the place of the field headers in the input', () => {
  const cases = (n: number) => Array.from('abcdefghijk', (c, at) => ((n >> at) & 1 ? c.toUpperCase() : c)).join('');
  const headers = Object.fromEntries(Array.from({ length: 2048 }, (_, n) => [cases(n), 'x']));
  const tooMany = 'headers: must have at most 50 entries, not 2048';
  expect(faults({ ...http, headers })).toEqual([tooMany]);
  expect(faults({ ...http, headers, nmae: 'x', name: '' })).toEqual([
    'name: must be 1 to 200 visible characters on one line',
    tooMany,
    'nmae: unknown field; did you mean `name`?',
  ]);
});

test('if the list of faults is shortened, no rule reads a field whose fault may be missing from the list', () => {
  const labels = Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [`k${n}`, 1]));
  for (const wrong of [{ host: 5 }, { hostname: 5 }, { nameserver: {} }, { url: 5, headers: 5, expectedStatus: {} }]) {
    for (const type of monitorTypes) expect(faults({ type, name: 'x', ...wrong, labels })).toHaveLength(1001);
  }
});

test('validation refuses two headers whose names differ only in upper and lower case', () => {
  expect(faults({ ...http, headers: { Accept: 'a', accept: 'b' } })).toEqual([
    'headers.accept: names the same header as `Accept`',
  ]);
});

test('validation refuses the fields of another type', () => {
  expect(faults({ ...http, port: 80 })).toEqual(['port: unknown field']);
});

test('for an unknown type, validation checks the shared fields and refuses fields that no type has', () => {
  const unknownType = `type: must be one of ${monitorTypes.join(', ')}`;
  const name = 'name: must be 1 to 200 visible characters on one line';
  expect(faults({ tpye: 'http', name: 'n' })).toEqual(['tpye: unknown field; did you mean `type`?', unknownType]);
  expect(faults({ type: 'icmp', name: '', prot: 1, nonsense: 1 })).toEqual([
    unknownType,
    name,
    'prot: unknown field; did you mean `port`?',
    'nonsense: unknown field',
  ]);
  expect(faults({})).toEqual([unknownType, 'name: is required']);
  // These fields are valid for at least one type, so they are not reported.
  expect(faults({ name: 'n', url: 5, port: 'x', gracePeriod: null, interval: 2_592_000 })).toEqual([unknownType]);
  expect(faults({ name: 'n', interval: 2_592_001 })).toEqual([
    'interval: must be a whole number from 1 to 2592000',
    unknownType,
  ]);
  for (const input of [null, [], 'http', 1]) expect(faults(input)).toEqual([': must be an object']);
});

test('validation refuses the name __proto__ everywhere, and no prototype changes', () => {
  const input = JSON.parse(
    '{"__proto__":{"a":1},"labels":{"__proto__":"x","b":"c"},"headers":{"__proto__":"x"}}',
  ) as object;
  expect(faults({ ...http, ...input })).toEqual([
    '__proto__: unknown field',
    'labels.__proto__: is not allowed as a name',
    'headers.__proto__: is not allowed as a name',
  ]);
  expect(faults({ ...http, labels: JSON.parse('{"__proto__":"x"}') as object })).toEqual([
    'labels.__proto__: is not allowed as a name',
  ]);
  expect(faults({ ...http, ...(JSON.parse('{"constructor":{"prototype":{"a":1}}}') as object) })).toEqual([
    'constructor: unknown field',
  ]);
  expect(({} as { a?: number }).a).toBeUndefined();
});

test('validation fills in defaults and removes repeated regions', () => {
  const result = validateMonitor({ ...http, regions: ['eu', 'us', 'eu'] });
  expect(result).toMatchObject({
    ok: true,
    value: { interval: 60, timeout: 30, method: 'GET', regions: ['eu', 'us'] },
  });
  expect(validateMonitor({ ...http, regions: null })).toMatchObject({ ok: true, value: { regions: [] } });
});

describe('addresses', () => {
  test.each([
    ['https://example.com', true],
    ['HTTPS://example.com/path?q=1', true],
    ['http://[::1]:8080/', true],
    ['http://example.com:0/', false],
    ['http://', false],
    ['ftp://example.com', false],
    ['example.com', false],
    ['http://exa mple.com', false],
  ])('the url %s is valid: %s', (url, good) => expect(validateMonitor({ ...http, url }).ok).toBe(good));

  test.each([
    ['db.internal', true],
    ['db.internal.', true],
    ['127.0.0.1', true],
    ['::1', true],
    ['fe80::1%eth0', true],
    ['db..internal', false],
    ['.db', false],
    ['db:5432', false],
    ['[::1]', false],
    ['http://db', false],
    ['', false],
  ])('the host %s is valid: %s', (host, good) => {
    expect(validateMonitor({ type: 'tcp', name: 'db', host, port: 1 }).ok).toBe(good);
    expect(validateMonitor({ type: 'ping', name: 'db', host }).ok).toBe(good);
    expect(validateMonitor({ type: 'dns', name: 'db', hostname: host }).ok).toBe(good);
  });

  test.each([
    ['9.9.9.9', true],
    ['9.9.9.9:5353', true],
    ['2620:fe::fe', true],
    ['[2620:fe::fe]:53', true],
    ['ns.example.com', true],
    ['9.9.9.9:0', false],
    ['9.9.9.9:70000', false],
    ['[2620:fe::fe', false],
  ])('the name server %s is valid: %s', (nameserver, good) =>
    expect(validateMonitor({ type: 'dns', name: 'x', hostname: 'example.com', nameserver }).ok).toBe(good),
  );
});

test.each([
  [200, true],
  ['2xx', true],
  ['200-299', true],
  ['200, 204,3XX', true],
  [[200, '3xx', '400-404'], true],
  [99, false],
  [600, false],
  ['2x', false],
  ['299-200', false],
  ['200,', false],
  [[], false],
  [[200, '299-200'], false],
])('the expectedStatus %j is valid: %s', (expectedStatus, good) =>
  expect(validateMonitor({ ...http, expectedStatus }).ok).toBe(good),
);

test('validation of any JSON never throws', () => {
  const fields = [...new Set(Object.values(monitorInputs).flatMap((schema) => Object.keys(schema.shape)))];
  const input = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.oneof(fc.constantFrom(...fields), fc.string()), fc.jsonValue(), { maxKeys: 20 }),
    fc.record({
      type: fc.constantFrom(...monitorTypes),
      url: fc.oneof(
        fc.webUrl(),
        fc.string().map((text) => `http://${text}`),
      ),
      host: fc.string(),
      hostname: fc.oneof(fc.domain(), fc.ipV6(), fc.string()),
      nameserver: fc.string(),
      headers: fc.dictionary(fc.string(), fc.string()),
      expectedStatus: fc.oneof(fc.string(), fc.array(fc.oneof(fc.nat(700), fc.string()))),
    }),
  );
  fc.assert(
    fc.property(input, (value) => {
      const result = validateMonitor(value);
      if (!result.ok) expect(result.faults.length).toBeGreaterThan(0);
    }),
    { numRuns: 3000 },
  );
});
