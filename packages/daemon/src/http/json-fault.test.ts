import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFault, maxJsonDepth } from './json-fault.ts';

test.each([
  '{"a":1,"a":2}',
  '{"a":1,"b":{"c":1,"c":1}}',
  '[{"a":1},{"a":1,"b":[],"a":1}]',
  String.raw`{"a":1,"\u0061":2}`,
  String.raw`{"\"":1,"\"":2}`,
  '{"":1,"":1}',
  '{"a":{"b":1},"a":1}',
])('jsonFault finds the duplicate key in %s', (text) => {
  expect(jsonFault(text)?.message).toMatch(/^must not have a key twice: "/);
});

test.each([
  '{"a":{"a":{"a":1}},"b":"a"}',
  '[{"a":1},{"a":1}]',
  '{"a":"\\",\\"a\\":1"}',
  '{"a":["a","a",{"b":1}],"b":1}',
  '"a"',
  '[[],{},[[1,2],[1,2]]]',
])('jsonFault finds no duplicate key in %s', (text) => {
  expect(jsonFault(text)).toBeNull();
});

test('jsonFault finds nesting that is deeper than maxJsonDepth', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(jsonFault(nested(maxJsonDepth))).toBeNull();
  expect(jsonFault(nested(maxJsonDepth + 1))?.message).toMatch(/levels deep/);
  expect(jsonFault('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000))?.message).toMatch(/levels deep/);
});

test('jsonFault finds no fault in output of JSON.stringify, with any spacing', () => {
  const shallow = fc.jsonValue({ maxDepth: 8 });
  fc.assert(
    fc.property(shallow, fc.nat(4), (value, space) => jsonFault(JSON.stringify(value, null, space)) === null),
    { numRuns: 2000 },
  );
});

test('jsonFault finds a duplicate of any key in an object', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1, noNullPrototype: true });
  fc.assert(
    fc.property(object, fc.nat(), (value, which) => {
      const entries = Object.entries(value);
      const again = entries[which % entries.length]!;
      const fields = [...entries, again].map(([key, field]) => `${JSON.stringify(key)}:${JSON.stringify(field)}`);
      return jsonFault(`[1,{${fields.join(',')}}]`) !== null;
    }),
    { numRuns: 2000 },
  );
});
