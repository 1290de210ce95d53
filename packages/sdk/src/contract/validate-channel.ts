import type { z } from 'zod';
import { type ChannelFields, channelInput, type ChannelType, channelTypes, untypedChannelInput } from './channels.ts';
import { addressFaults, headerFaults } from './request-rules.ts';
import { addFaults, type Fault, validate, type Validated } from './validate.ts';

/**
 * Validates what creates a channel: the schema, and the rules that JSON Schema cannot say. Every fault is reported.
 *
 * @example
 * const parsed = validateChannel({ type: 'email', name: 'Ops', config: { address: 'ops@example.com' } });
 * if (parsed.ok) console.log(parsed.value.key); // null
 */
export function validateChannel(input: unknown): Validated<ChannelFields> {
  const type = channelTypes.find((known) => known === (input as { type?: unknown } | null)?.type);
  // Without a type nothing passes: what comes out are faults alone.
  if (!type) return validate(untypedChannelInput as unknown as z.ZodType<ChannelFields>, input);
  const parsed = validate<z.ZodType<ChannelFields>>(inputOf(type), input);
  const found = parsed.ok ? [] : parsed.faults;
  const faulty = new Set(found.map(({ path }) => path));
  const isFaulty = ({ path }: Fault) => faulty.has(path) || faulty.has(path.split('.', 2).join('.'));
  const config = (parsed.ok ? parsed.value : (input as { config?: unknown })).config;
  const faults = addFaults(found, () => configFaults(config).filter((fault) => !isFaulty(fault)));
  return parsed.ok && faults.length === 0 ? parsed : { ok: false, faults };
}

/** The schema of one type alone, so that a fault names no field of another. */
function inputOf(type: ChannelType) {
  return channelInput.options.find(({ shape }) => shape.type.value === type)!;
}

/** The faults that the schema cannot see; fields of one name have one rule in every type. */
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
