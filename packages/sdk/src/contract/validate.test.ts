import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import {
  alertRuleInput,
  allEndpoints,
  channelInput,
  faultAt,
  incidentInput,
  metrics,
  planInput,
  sentenceOf,
  validate,
  validateMonitor,
} from './index.ts';

const faults = (schema: z.ZodType, input: unknown) => {
  const result = validate(schema, input);
  return result.ok ? {} : Object.fromEntries(result.faults.map(({ path, message }) => [path, message]));
};

test('every fault has a path, and says what was expected', () => {
  const input = { monitorIds: ['m', 1], channelIds: 'x', trigger: 'down', consecutiveFailures: 101 };
  expect(faults(alertRuleInput, input)).toEqual({
    name: 'is required',
    'monitorIds.1': 'must be a string',
    channelIds: 'must be an array',
    trigger: 'must be one of monitor_down, ssl_expiring, ssl_expired, ssl_invalid, domain_expiring, domain_expired',
    consecutiveFailures: 'must be at most 100',
  });
});

test('the fault of an unknown field suggests the nearest known field, even inside a union', () => {
  expect(faults(channelInput, { type: 'slack', name: 'x', config: { webhookURL: 'u' } })).toEqual({
    'config.webhookUrl': 'is required',
    'config.webhookURL': 'unknown field; did you mean `webhookUrl`?',
  });
  expect(faults(planInput, { name: 'a', monitors: 1, checkInterval: 1, regions: 1, price: 1, zzzzzz: 1 })).toEqual({
    zzzzzz: 'unknown field',
  });
});

test('the fault of a union without a discriminator lists all its options', () => {
  expect(faults(metrics, { a: {}, b: 1, c: null })).toEqual({
    a: 'must be a number or a string',
    c: 'must be a number or a string',
  });
});

test('validation lists at most a thousand faults, counts all others, and is quick even for a huge body', () => {
  const many = (value: unknown) => Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`h${n}`, value]));
  const begun = process.threadCpuUsage();
  const unknown = validate(planInput, many(1));
  const faultsOf = (result: typeof unknown) => (result.ok ? [] : result.faults);
  expect(faultsOf(unknown)).toHaveLength(1001);
  // 40,000 unknown and 5 missing fields are 40,005 faults. The list has 1000 of them.
  expect(faultsOf(unknown).at(-1)).toMatchObject({ path: '', message: 'has 39005 more faults' });
  const http = { type: 'http', name: 'x', url: 'http://localhost/' };
  const valid = validateMonitor({ ...http, headers: many('v'), labels: many('v') });
  expect(valid.ok ? [] : valid.faults).toMatchObject([
    { path: 'headers', message: 'must have at most 50 entries, not 40000' },
    { path: 'labels', message: 'must have at most 50 entries, not 40000' },
  ]);
  const long = validateMonitor({ ...http, headers: { A: 'a'.repeat(5000), B: 'b'.repeat(5000) } });
  expect(long.ok ? [] : long.faults).toMatchObject([
    { path: 'headers', message: 'must have at most 8192 characters in its names and values together, not 10002' },
  ]);
  const wrong = validateMonitor({ ...http, headers: many(1), labels: many(1) });
  expect(wrong.ok ? [] : [wrong.faults.length, wrong.faults.at(-1)]).toMatchObject([
    1001,
    { path: '', message: 'has 79000 more faults' },
  ]);
  const exactly = validate(metrics, Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`m${n}`, []])));
  expect(exactly.ok ? [] : [exactly.faults.length, exactly.faults.at(-1)!.path]).toEqual([1000, 'm999']);
  // Measures processor time, because other work on the machine must not make this test fail.
  const { user, system } = process.threadCpuUsage(begun);
  expect((user + system) / 1000).toBeLessThan(5000);
});

test('the fault of a wrong size names the unit of the limit: characters or entries', () => {
  expect(
    faults(z.strictObject({ a: z.string().min(1), b: z.array(z.string()).max(2) }), { a: '', b: ['', '', ''] }),
  ).toEqual({
    a: 'must be at least 1 character',
    b: 'must have at most 2 entries',
  });
});

test('a fault has a code and parameters; if the schema has an `error`, this is the format in the parameters', () => {
  const schema = z.strictObject({
    list: z.array(z.string()).max(1),
    both: z.union([z.number(), z.boolean()]),
    own: z.int({ error: 'a count' }),
    late: z.int({ error: 'a count' }),
    kind: z.enum(['a', 'b']),
    missing: z.string(),
    map: z.record(z.string().regex(/^a/, { error: 'a text that begins with a' }), z.unknown()),
  });
  const input = { list: ['x', 'y'], both: 'x', own: 'x', kind: 'c', map: { b: 1 }, msising: 1 };
  const result = validate(schema, input);
  expect(result.ok ? [] : result.faults.map(({ path, code, params }) => [path, code, params])).toEqual([
    ['list', 'too_big', { of: 'entries', limit: 1, format: null }],
    ['both', 'wrong_type', { expected: ['number', 'boolean'], format: null }],
    ['own', 'wrong_type', { expected: ['number'], format: 'a count' }],
    ['late', 'required', { format: 'a count' }],
    ['kind', 'not_a_choice', { choices: ['a', 'b'], types: [], format: null }],
    ['missing', 'required', { format: null }],
    ['map.b', 'bad_name', { format: 'a text that begins with a' }],
    ['msising', 'unknown_field', { meant: 'missing' }],
  ]);
});

test('the sentence of a fault names types in the words of JSON or of YAML', () => {
  const fault = faultAt('list', 'wrong_type', { expected: ['array', 'boolean'], format: null });
  expect(fault.message).toBe('must be an array or a boolean');
  expect(sentenceOf(fault, 'yaml')).toBe('must be a list or true or false');
});

test('a valid input is returned with its defaults', () => {
  expect(validate(incidentInput, { title: 'Down' })).toEqual({
    ok: true,
    value: {
      managedBy: null,
      title: 'Down',
      message: '',
      monitorIds: [],
      maintenance: false,
      scheduledStart: null,
      scheduledEnd: null,
    },
  });
});

test('validation of a body never throws for any JSON, and the message of each fault is one line', () => {
  const schemas = Object.values(allEndpoints).flatMap((endpoint) =>
    'body' in endpoint ? [endpoint.body as z.ZodType] : [],
  );
  fc.assert(
    fc.property(fc.constantFrom(...schemas), fc.jsonValue(), (schema, input) => {
      const result = validate(schema, input);
      if (result.ok) return;
      expect(result.faults.length).toBeGreaterThan(0);
      for (const { message } of result.faults) expect(message).toMatch(/^[^\n]+$/);
      for (const { message } of result.faults) expect(message).not.toMatch(/^(?:Invalid|Too|Unrecognized)/);
    }),
    { numRuns: 2000 },
  );
});
