import { expect, test } from 'vitest';
import * as z from 'zod';
import {
  activeMonitorTypes,
  checkErrorCodes,
  checkErrorNumbers,
  fieldFacts,
  type MonitorType,
  monitorInputs,
  monitorPatch,
  monitorType,
  monitorTypeDefinitions,
  monitorTypes,
  ownFields,
  passiveMonitorTypes,
  validateMonitor,
} from '../index.ts';

const sampleOf = (type: MonitorType) => ({ type, name: 'n', ...monitorType(type).sample });
const fieldsOf = (type: MonitorType) => {
  const parsed = validateMonitor(sampleOf(type));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.value;
};

test('each type is registered under its own name', () => {
  expect(Object.values(monitorTypeDefinitions).map(({ type }) => type)).toEqual(monitorTypes);
});

test.each(monitorTypes)('the sample and the examples of %s are valid', (type) => {
  const { sample, examples } = monitorType(type);
  const inputs = [{ name: 'n', ...sample }, ...examples].map((input) => ({ ...input, type }));
  for (const input of inputs) expect({ input, ...validateMonitor(input) }).toMatchObject({ input, ok: true });
  expect(examples.length).toBeGreaterThan(0);
});

test.each(monitorTypes)('the examples of %s together have every field that only this type has', (type) => {
  const shown = monitorType(type).examples.flatMap((example) => Object.keys(example));
  const missing = ownFields(type).filter((field) => !shown.includes(field));
  expect({ missing, add: 'examples' }).toEqual({ missing: [], add: 'examples' });
});

test.each(activeMonitorTypes)('the type %s has a host, an address for messages and a target', (type) => {
  const definition = monitorType(type);
  const fields = fieldsOf(type);
  expect(definition.address(fields)).not.toBe('');
  expect(definition.host(fields)).not.toBeNull();
  expect(Object.values(definition.target)).toContain(true);
  expect(definition.readOnly, 'add `domain` to `readOnly`').toContain('domain');
});

test.each(passiveMonitorTypes)('the type %s limits the silence, and has the fields pingUrl and lastPingAt', (type) => {
  const definition = monitorType(type);
  expect(definition.silenceMs?.(fieldsOf(type))).toBeGreaterThan(0);
  expect(definition.readOnly).toEqual(expect.arrayContaining(['pingUrl', 'lastPingAt']));
});

test.each(monitorTypes)('the type %s has the field secretsError if, and only if, the type has secrets', (type) => {
  const { secrets, readOnly } = monitorType(type);
  const expected = Object.keys(secrets).length > 0 ? ['secretsError'] : [];
  expect(readOnly.filter((field) => field === 'secretsError')).toEqual(expected);
});

test.each(monitorTypes)(
  'in the type %s, the secrets of a map are its values, and only an address has secret credentials',
  (type) => {
    const { input, secrets } = monitorType(type);
    for (const [field, part] of Object.entries(secrets)) {
      const takes = (value: unknown) => (input.shape[field] as z.ZodType).safeParse(value).success;
      const isAddress = takes('https://a.example/') && !takes('a.example');
      expect({ field, isMap: takes({}) }).toEqual({ field, isMap: part === 'values' });
      if (part === 'credentials') expect({ field, isAddress }).toEqual({ field, isAddress: true });
    }
  },
);

test('a field that several types have is secret in the same way in all of them', () => {
  // The CLI looks only at the name of a field to decide whether its output hides the value.
  const parts = Map.groupBy(
    monitorTypes.flatMap((type) => ownFields(type).map((field) => [field, monitorType(type).secrets[field]] as const)),
    ([field]) => field,
  );
  const different = [...parts].filter(([, all]) => new Set(all.map(([, part]) => part)).size > 1);
  expect(different).toEqual([]);
});

test('each field of a monitor that is described in seconds has the unit seconds', () => {
  for (const type of monitorTypes)
    for (const [field, schema] of Object.entries<z.ZodType>(monitorInputs[type].shape)) {
      const isInSeconds = /\bseconds\b/i.test(schema.description ?? '');
      expect({ field, isInSeconds: fieldFacts.get(schema)?.unit === 'seconds' }).toEqual({ field, isInSeconds });
    }
});

test.each(monitorTypes)('the type %s has a rule for each field that holds a host or an address', (type) => {
  for (const field of ownFields(type)) {
    const schema = monitorType(type).input.shape[field] as z.ZodType;
    const takes = (value: unknown) => schema.safeParse(value).success;
    const isHost = takes('db.internal') && takes('::1') && !takes('') && !takes('a/b');
    const isAddress = takes('https://a.example/') && !takes('a.example');
    const wrong = isHost ? 'a..b' : isAddress ? 'http://a:0/' : null;
    if (wrong === null) continue;
    const { ok } = validateMonitor({ ...sampleOf(type), [field]: wrong });
    const add = `rules: { ${field}: ${isHost ? 'hostFaults' : 'addressFaults'} }`;
    expect({ field, wrong, ok, add }).toEqual({ field, wrong, ok: false, add });
  }
});

test.each(monitorTypes)('a patch accepts every value that the creation of a %s monitor accepts', (type) => {
  for (const [field, schema] of Object.entries<z.ZodType>(monitorInputs[type].shape)) {
    const json = z.toJSONSchema(schema, { io: 'input' }) as { minimum?: number; maximum?: number; enum?: unknown[] };
    const samples = [...monitorType(type).examples, sampleOf(type)] as Record<string, unknown>[];
    const values = [json.minimum, json.maximum, ...(json.enum ?? []), ...samples.map((sample) => sample[field])];
    for (const value of values.filter((one) => one !== undefined))
      expect({ field, value, ok: monitorPatch.safeParse({ [field]: value }).success }).toEqual({
        field,
        value,
        ok: true,
      });
  }
});

test('no two examples of monitors share a key', () => {
  const keys = monitorTypes.flatMap((type) =>
    monitorType(type).examples.map((example) => 'key' in example && example.key),
  );
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

test('the numbers of the error codes in stored results have no gap and no repetition', () => {
  const codesOf = Map.groupBy(checkErrorCodes, (code) => checkErrorNumbers[code]);
  let nextFree = 0;
  while (codesOf.has(nextFree)) nextFree++;
  const taken = [...codesOf].filter(([, codes]) => codes.length > 1);
  const afterGap = [...codesOf].filter(([number]) => number > nextFree);
  const advice = `the next free number is ${nextFree}`;
  expect({ taken, afterGap }, advice).toEqual({ taken: [], afterGap: [] });
});
