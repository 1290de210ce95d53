import { expect, test } from 'vitest';
import * as z from 'zod';
import { fieldFacts } from '../fields.ts';
import { validateChannel } from '../validate-channel.ts';
import type { ChannelTypeDefinition } from './define-channel-type.ts';
import { type ChannelType, channelTypeDefinitions } from './index.ts';

const definitions = Object.entries<ChannelTypeDefinition>(channelTypeDefinitions);

const takes = (schema: unknown, value: unknown) => (schema as z.ZodType).safeParse(value).success;
const isAddress = (schema: unknown) => takes(schema, 'https://a.example/') && !takes(schema, 'x');
const isHeaders = (schema: unknown) => takes(schema, { 'X-Team': 'ops' }) && !takes(schema, { 'X Team': 'ops' });

/** Whether `masked` of config-fields.ts describes the field. */
const isMasked = (schema: unknown): boolean =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? isMasked(schema.unwrap())
    : fieldFacts.get(schema as z.ZodType)?.question !== undefined;

/** The config of the example, with a value for each variable. */
const configOf = ({ config, example }: ChannelTypeDefinition) =>
  Object.fromEntries(
    Object.entries(example.config).map(([field, value]) => {
      if (isHeaders(config.shape[field])) return [field, {}];
      return [field, String(value).replace(/^\$\{\w+\}$/, 'https://hooks.example.com/x')];
    }),
  );

test.each(definitions)('the example of %s is valid', (type, definition) => {
  const { name } = definition.example;
  expect(validateChannel({ type, name, config: configOf(definition) })).toMatchObject({ ok: true });
});

test.each(definitions)('in the example of %s, a variable for an address ends with _URL', (_, { config, example }) => {
  const addresses = Object.keys(config.shape).filter((field) => isAddress(config.shape[field]));
  for (const value of addresses.map((field) => String(example.config[field]))) expect(value).toMatch(/_URL\}$|^[^$]/);
});

test('each example has a name and variables of its own', () => {
  const words = definitions.flatMap(([, { example }]) => [
    example.name,
    ...(JSON.stringify(example.config).match(/\$\{\w+\}/g) ?? []),
  ]);
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
});

test.each(definitions)(
  'the config of %s has a name for the SDK, and each of its texts has a limit',
  (_, { config }) => {
    // The SDK's type of a config has the `id` of `.meta({ id: 'ChatConfig' })` as its name.
    expect(config.meta()?.id).toMatch(/^[A-Z]\w+Config$/);
    const tooLong = 'x'.repeat(100_000);
    const unlimited = Object.keys(config.shape).filter((field) => takes(config.shape[field], tooLong));
    expect(unlimited).toEqual([]);
  },
);

test.each(definitions)('exactly the secrets of %s are described as masked', (_, { config, secrets }) => {
  const masked = Object.keys(config.shape).filter((field) => isMasked(config.shape[field]));
  expect(masked.toSorted()).toEqual(secrets.filter((field) => !field.endsWith('.*')).toSorted());
});

test.each(definitions)('the docs of %s say how to set up the channel', (_, { docs }) => {
  expect(docs.setup.trim()).not.toBe('');
});

test.each(definitions)('the type %s has a rule for each field that holds an address or headers', (type, one) => {
  for (const [field, schema] of Object.entries(one.config.shape)) {
    const wrong = isAddress(schema) ? 'http://a:0/' : isHeaders(schema) ? { te: 'x' } : null;
    if (wrong === null) continue;
    const config = { ...configOf(one), [field]: wrong };
    // If this input is valid, the type's `rules` lacks this field. Add addressRule or headersRule of
    // config-fields.ts.
    expect({ field, ...validateChannel({ type, name: 'n', config }) }).toMatchObject({ field, ok: false });
  }
});

test.each(definitions)(
  'every address in the config of %s is a destination of secrets, or is itself the only secret',
  (_, one) => {
    const addresses = Object.keys(one.config.shape).filter((field) => isAddress(one.config.shape[field]));
    const missing = addresses.filter(
      (field) =>
        !one.destinations.includes(field) &&
        (!one.secrets.includes(field) || one.secrets.some((secret) => secret !== field)),
    );
    expect({ missing, addTo: '`secrets` or `destinations`' }).toEqual({
      missing: [],
      addTo: '`secrets` or `destinations`',
    });
  },
);

/** The properties that decide which messages are sent, limited or dropped. */
type Sending = Pick<ChannelTypeDefinition, 'gateway' | 'keepsIncidents' | 'lateAlarms'>;

const phone = { kind: 'phone', address: 'phoneNumber' } as const;
const usual: Sending = { gateway: null, keepsIncidents: false, lateAlarms: 'combined' };
/** The types that differ from `usual`. The list is written by hand, so that no definition changes by mistake. */
const unusual: Partial<Record<string, Partial<Sending>>> = {
  email: { gateway: { kind: 'mail', address: 'address' } },
  pagerduty: { keepsIncidents: true, lateAlarms: 'omit' },
  opsgenie: { keepsIncidents: true, lateAlarms: 'omit' },
  webhook: { lateAlarms: 'each' },
  sms: { gateway: phone },
  phone: { gateway: phone, lateAlarms: 'omit' },
} satisfies Partial<Record<ChannelType, Partial<Sending>>>;

test.each(definitions)(
  'the type %s has the gateway, keepsIncidents and lateAlarms of `usual`, or the values in `unusual`',
  (type, one) => {
    const { gateway, keepsIncidents, lateAlarms } = one;
    const advice = `if the definition of ${type} is right, enter it in \`unusual\` of channel-types.test.ts`;
    expect({ gateway, keepsIncidents, lateAlarms }, advice).toEqual({ ...usual, ...unusual[type] });
  },
);
