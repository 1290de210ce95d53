import type * as z from 'zod';
import type { ChannelTypeDefinition } from './channel-types/define-channel-type.ts';
import { channelTypeDefinitions, type ChannelType } from './channel-types/index.ts';
import { type ChannelFields, channelInputs, channelTypes, untypedChannelInput } from './channels.ts';
import { addFaults, type Fault, validate, type Validated } from './validate.ts';

/**
 * Validates the input that creates a channel, by its schema and by rules that JSON Schema cannot express. Reports every
 * fault.
 *
 * @example
 * const parsed = validateChannel({ type: 'email', name: 'Ops', config: { address: 'ops@example.com' } });
 * if (parsed.ok) console.log(parsed.value.key); // null
 */
export function validateChannel(input: unknown): Validated<ChannelFields> {
  const type = channelTypes.find((known) => known === (input as { type?: unknown } | null)?.type);
  // An input without a known type is always invalid, so the result holds only faults.
  if (!type) return validate(untypedChannelInput as unknown as z.ZodType<ChannelFields>, input);
  const parsed = validate<z.ZodType<ChannelFields>>(channelInputs[type], input);
  const found = parsed.ok ? [] : parsed.faults;
  const faulty = new Set(found.map(({ path }) => path));
  const isFaulty = ({ path }: Fault) => faulty.has(path) || faulty.has(path.split('.', 2).join('.'));
  const config = (parsed.ok ? parsed.value : (input as { config?: unknown })).config;
  const faults = addFaults(found, () => configFaults(type, config).filter((fault) => !isFaulty(fault)));
  return parsed.ok && faults.length === 0 ? parsed : { ok: false, faults };
}

/** Finds the faults that the schema cannot detect, in the order of the config's fields. */
function configFaults(type: ChannelType, config: unknown): Fault[] {
  if (typeof config !== 'object' || config === null) return [];
  const { rules } = channelTypeDefinitions[type] as ChannelTypeDefinition;
  return Object.entries(config).flatMap(([field, value]: [string, unknown]) =>
    Object.hasOwn(rules, field) ? (rules[field]?.(value, `config.${field}`) ?? []) : [],
  );
}
