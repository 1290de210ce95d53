import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonSchema, bodySchemas } from '../testing/body-schema.ts';
import { monitorSamples } from '../testing/monitor-samples.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck });
});
afterAll(() => daemon.close());

interface Case {
  about: string;
  value: unknown;
  taken: boolean;
}

/** Returns the values to try for a field: its limits, a value beyond each limit, values of other types, and null. */
function casesOf(field: string, schema: JsonSchema): Case[] {
  const options = schema.anyOf ?? [schema];
  const cases = options.flatMap((option) => limitsOf(field, option));
  const types = new Set(options.map((option) => (option.type === 'integer' ? 'number' : (option.type ?? 'string'))));
  for (const value of ['7', 7, true, [7], { seven: 7 }]) {
    const type = Array.isArray(value) ? 'array' : typeof value;
    if (!types.has(type)) cases.push({ about: `a value of type ${type}`, value, taken: false });
  }
  cases.push({ about: 'null', value: null, taken: types.has('null') });
  return cases;
}

function limitsOf(field: string, schema: JsonSchema): Case[] {
  const { minimum, maximum, enum: values } = schema;
  if (values) {
    const wrong = { about: 'a value that is not listed', value: 'nothing', taken: false };
    return [...values.map((value) => ({ about: `the value ${String(value)}`, value, taken: true })), wrong];
  }
  if (schema.type === 'integer' && minimum !== undefined && maximum !== undefined) {
    return [
      { about: `the minimum ${minimum}`, value: minimum, taken: true },
      { about: `the maximum ${maximum}`, value: maximum, taken: true },
      { about: 'a value below the minimum', value: minimum - 1, taken: false },
      { about: 'a value above the maximum', value: maximum + 1, taken: false },
      { about: 'a fraction', value: minimum + 0.5, taken: false },
    ];
  }
  const length = schema.maxLength ?? Number(/,(\d+)\}\$$/.exec(schema.pattern ?? '')?.[1] ?? Number.NaN);
  if (schema.type === 'string' && Number.isFinite(length)) {
    return [
      { about: `${length} characters`, value: fill(field, length), taken: true },
      { about: `${length + 1} characters`, value: fill(field, length + 1), taken: false },
    ];
  }
  return [];
}

function fill(field: string, length: number): string {
  if (field === 'url') return 'http://localhost/'.padEnd(length, 'a');
  if (field === 'host' || field === 'hostname') return `${'a'.repeat(62)}.`.repeat(5).slice(0, length);
  if (field === 'nameserver') return `${fill('host', 253)}:${'53'.padStart(length - 254, '0')}`;
  if (field === 'email') return `${'a'.repeat(40)}@${'b'.repeat(length - 45)}.com`;
  return 'a'.repeat(length);
}

const operations = {
  createMonitor: { path: '/api/monitors', cookie: false },
  createProject: { path: '/api/projects', cookie: true },
  createAlertRule: { path: '/api/alert-rules', cookie: false },
} as const;

const valid: Record<string, Record<string, unknown>> = {
  ...Object.fromEntries(monitorSamples.map((sample) => [sample.type, sample])),
  createProject: { name: 'n' },
  createAlertRule: { name: 'n', monitorIds: [], channelIds: [] },
};

const all = (['createMonitor', 'createProject', 'createAlertRule'] as const).flatMap((operation) =>
  bodySchemas(operation).map((schema) => ({
    operation,
    schema,
    kind: typeof schema.properties?.type?.const === 'string' ? schema.properties.type.const : operation,
  })),
);

describe.each(all)('$kind', ({ operation, schema, kind }) => {
  const { path, cookie } = operations[operation];
  const send = (body: object) => daemon.request('POST', path, body, cookie ? { cookie: daemon.cookie } : {});
  const fields = Object.entries(schema.properties ?? {}).filter(([, of]) => of.const === undefined);

  test('the server accepts the valid body that the other tests change', async () => {
    expect(await send(valid[kind]!)).toMatchObject({ status: 201 });
  });

  const cases = fields.flatMap(([field, of]) => casesOf(field, of).map((one) => ({ field, ...one })));
  test.each(cases)(
    'in the field $field, the server accepts or refuses $about, as the schema says',
    async ({ field, value, taken }) => {
      const answer = await send({ ...valid[kind], [field]: value });
      if (taken) {
        expect(answer).toMatchObject({ status: 201 });
        // Deletes the created resource, because some fields must be unique in a project.
        await daemon.request(
          'DELETE',
          `${path}/${(answer.body as { id: string }).id}`,
          undefined,
          cookie ? { cookie: daemon.cookie } : {},
        );
        return;
      }
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      const { errors } = answer.body as { errors: { path: string }[] };
      expect(errors.every((fault) => fault.path.split('.')[0] === field)).toBe(true);
    },
  );

  test('the refusal names a missing required field', async () => {
    for (const field of schema.required ?? []) {
      const { [field]: _, ...rest } = valid[kind]!;
      const { status, body } = await send(rest);
      expect(status).toBe(400);
      expect((body as { errors: { path: string }[] }).errors.map((fault) => fault.path)).toEqual([field]);
    }
  });

  test('the refusal of a mistyped field name suggests the right name', async () => {
    for (const [field] of fields.filter(([name]) => name.length > 3)) {
      const mistyped = `${field.slice(0, -1)}${field.at(-1)}${field.at(-1)}`;
      const answer = await send({ ...valid[kind], [mistyped]: 1 });
      const fault = { path: mistyped, message: expect.stringContaining(`\`${field}\``) as string };
      expect(answer).toMatchObject({ status: 400, body: { errors: [fault] } });
    }
  });
});

test.each([
  ['signUp', '/api/auth/sign-up/email', { name: 'n', email: 'limits@example.com', password: '12345678' }],
  ['signIn', '/api/auth/sign-in/email', { email: 'limits@example.com', password: 'x' }],
] as const)('%s refuses a body in which one field is invalid', async (operation, path, body) => {
  const [schema] = bodySchemas(operation);
  for (const [field, of] of Object.entries(schema?.properties ?? {})) {
    const short = {
      about: 'a text that is too short',
      value: 'x'.repeat((of.minLength ?? 0) - 1 < 0 ? 0 : of.minLength! - 1),
      taken: false,
    };
    const refused = casesOf(field, of).filter((one) => !one.taken);
    for (const { value } of of.minLength === undefined ? refused : [...refused, short]) {
      const answer = await daemon.request('POST', path, { ...body, [field]: value }, { apiKey: null });
      expect([field, value, answer.status]).toEqual([field, value, 400]);
    }
  }
});
