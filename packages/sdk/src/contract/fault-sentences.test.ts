import { describe, expect, test } from 'vitest';
import { faultAt, type FaultCode, sentenceOf } from './index.ts';

const plan = { plan: 'Free', remedy: null };

test.each([
  [faultAt('a', 'required', { format: null }), 'is required'],
  [faultAt('a', 'required', { format: 'a count' }), 'must be a count'],
  [faultAt('a', 'wrong_type', { expected: ['array'], format: null }), 'must be an array'],
  [faultAt('a', 'wrong_type', { expected: ['int', 'boolean'], format: null }), 'must be a whole number or a boolean'],
  [faultAt('a', 'wrong_type', { expected: ['record'], format: null }), 'must be a JSON object'],
  [faultAt('a', 'too_small', { of: 'characters', limit: 1, format: null }), 'must be at least 1 character'],
  [faultAt('a', 'too_small', { of: 'characters', limit: 2, format: null }), 'must be at least 2 characters'],
  [faultAt('a', 'too_big', { of: 'entries', limit: 1, format: null }), 'must have at most 1 entry'],
  [faultAt('a', 'too_big', { of: 'entries', limit: 3, format: null }), 'must have at most 3 entries'],
  [faultAt('a', 'too_big', { of: 'value', limit: 100, format: null }), 'must be at most 100'],
  [faultAt('a', 'more_faults', { count: 1 }), 'has 1 more fault'],
  [faultAt('a', 'more_faults', { count: 2 }), 'has 2 more faults'],
  [faultAt('a', 'unknown_field', { meant: null }), 'unknown field'],
  [faultAt('a', 'unknown_field', { meant: 'name' }), 'unknown field; did you mean `name`?'],
  [faultAt('a', 'fixed_type', { type: 'http' }), 'cannot be changed: this monitor is of type http'],
  [faultAt('a', 'wrong_code', { triesLeft: 2 }), 'is not the code that was sent; tries left: 2'],
  [
    faultAt('a', 'unknown_id', { kind: 'monitor', id: 'm' }),
    'must be the id of a monitor of this project, and m is not',
  ],
  [faultAt('a', 'repeated_key', { key: 'a"b' }), 'must not have a key twice: "a\\"b"'],
] as const)('the fault %o has the expected message', ({ message }, expected) => expect(message).toBe(expected));

describe('the fault of a plan limit', () => {
  test.each([
    [
      faultAt('', 'too_many_monitors', { ...plan, maxCount: 3, count: 4 }),
      'The plan Free allows 3 monitors, and this is number 4.',
    ],
    [
      faultAt('', 'too_many_monitors', { ...plan, maxCount: 3, count: 4, remedy: { plan: 'Team', price: 19.99 } }),
      'The plan Free allows 3 monitors, and this is number 4. The plan Team (19.99 USD a month) has room for it.',
    ],
    [
      faultAt('', 'too_many_monitors', { ...plan, maxCount: 3, count: 4, remedy: 'none' }),
      'The plan Free allows 3 monitors, and this is number 4. No plan has room for it.',
    ],
    [
      faultAt('', 'too_many_monitors', { ...plan, maxCount: 3, count: 4, remedy: 'delete' }),
      'The plan Free allows 3 monitors, and this is number 4. Delete some, or ask the operator of this server.',
    ],
    [
      faultAt('interval', 'interval_too_short', { ...plan, minInterval: 60, asked: 5 }),
      'must be at least 60 with the plan Free, not 5.',
    ],
    [
      faultAt('regions', 'too_many_regions', { ...plan, maxCount: 1, count: 2 }),
      'must be at most 1 with the plan Free, not 2.',
    ],
    [
      faultAt('', 'too_many_things', { ...plan, things: 'channels', scope: 'project', maxCount: 50, count: 50 }),
      'The plan Free allows 50 channels a project; this project has 50.',
    ],
    [
      faultAt('', 'too_many_things', { ...plan, things: 'projects', scope: 'account', maxCount: 10, count: 10 }),
      'The plan Free allows 10 projects an account; this account has 10.',
    ],
    [
      faultAt('', 'too_much_storage', {
        ...plan,
        things: 'megabytes of storage',
        scope: 'project',
        maxUsed: 16,
        used: 15.999,
        added: 0.1,
      }),
      'The plan Free allows 16 megabytes of storage a project; this project uses 16.00, and this request adds 0.10.',
    ],
  ])('the fault %o of a plan limit has the expected message', ({ message }, expected) =>
    expect(message).toBe(expected),
  );
});

test.each([
  [['url'], 'send `url` again'],
  [['url', 'secret'], 'send `url` and `secret` again'],
  [['a', 'b', 'c'], 'send `a` and `b` and `c` again'],
  [['a', 'b', 'c', 'd', 'e'], 'send `a`, `b`, `c` and 2 more again'],
])('the sentence names at most three of the secrets that must be sent again: %j', (secrets, words) => {
  expect(faultAt('config', 'secrets_required', { secrets }).message).toContain(words);
});

test.each([
  ['object', 'must be an object', 'must be a map'],
  ['record', 'must be a JSON object', 'must be a map'],
  ['array', 'must be an array', 'must be a list'],
  ['boolean', 'must be a boolean', 'must be true or false'],
  ['string', 'must be a string', 'must be text'],
  ['number', 'must be a number', 'must be a number'],
  ['int', 'must be a whole number', 'must be a whole number'],
  // Every object inherits a property `constructor`. A careless look-up of the word for YAML would find that property.
  ['constructor', 'must be a constructor', 'must be a constructor'],
])('the type %s has a name for JSON and a name for YAML', (type, json, yaml) => {
  const fault = faultAt('a', 'wrong_type', { expected: [type], format: null });
  expect([fault.message, sentenceOf(fault, 'yaml')]).toEqual([json, yaml]);
});

test.each<[FaultCode, RegExp]>([
  ['read_only', /leave it out/],
  ['masked', /leave the field out/],
  ['no_response_body', /use GET/],
  ['only_for_windows', /set `maintenance` to true/],
  ['unknown_plan', /GET \/api\/billing\/plans/],
  ['given_twice', /give it once/],
  ['project_required', /name the project in this header/],
])('the sentence of the fault %s says what to do', (code, words) => {
  expect(sentenceOf({ code, params: {} })).toMatch(words);
});
