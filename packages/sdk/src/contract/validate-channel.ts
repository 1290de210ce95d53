import type { z } from 'zod';
import { type ChannelFields, channelInput, type ChannelType, channelTypes, untypedChannelInput } from './channels.ts';
import { addressFaults, headerFaults } from './request-rules.ts';
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
  // An input without a type never passes, so the result holds only faults.
  if (!type) return validate(untypedChannelInput as unknown as z.ZodType<ChannelFields>, input);
  const parsed = validate<z.ZodType<ChannelFields>>(inputOf(type), input);
  const found = parsed.ok ? [] : parsed.faults;
  const faulty = new Set(found.map(({ path }) => path));
  const isFaulty = ({ path }: Fault) => faulty.has(path) || faulty.has(path.split('.', 2).join('.'));
  const config = (parsed.ok ? parsed.value : (input as { config?: unknown })).config;
  const faults = addFaults(found, () => configFaults(config).filter((fault) => !isFaulty(fault)));
  return parsed.ok && faults.length === 0 ? parsed : { ok: false, faults };
}

/** Returns the schema of one type, so that no fault names a field of another type. */
function inputOf(type: ChannelType) {
  return channelInput.options.find(({ shape }) => shape.type.value === type)!;
}

/** Finds the faults that the schema cannot detect. A field name has the same rule in every type. */
function configFaults(config: unknown): Fault[] {
  if (typeof config !== 'object' || config === null) return [];
  return Object.entries(config).flatMap(([field, value]: [string, unknown]) => {
    const path = `config.${field}`;
    if (addresses.includes(field) && typeof value === 'string') return addressFaults(path, value);
    if (field === 'headers' && typeof value === 'object' && value !== null)
      return headerFaults(path, value as Record<string, unknown>);
    return [];
  });
}

const addresses = ['webhookUrl', 'url', 'serverUrl', 'homeserverUrl'];
