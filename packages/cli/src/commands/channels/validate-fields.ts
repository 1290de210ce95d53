import type { ChannelInput, ChannelPatch } from '@uptime/sdk';
import {
  channelConfigs,
  channelPatch,
  type ChannelType,
  type Fault,
  faultAt,
  validate,
  validateChannel,
} from '@uptime/sdk/contract';
import type { z } from 'zod';
import { flagFor } from '../../flags/field-flags.ts';
import { refuseFaults } from '../../flags/refuse-faults.ts';
import { channelFlags } from '../../nouns/flags/channels.ts';

export type ChannelFields = Record<string, unknown> & { config: Record<string, unknown> };

/** Validates fields as input that creates a channel. Throws a CliError that lists every fault. */
export function asInput(fields: ChannelFields): ChannelInput {
  const checked = validateChannel(fields);
  if (checked.ok) return checked.value;
  return refuse(checked.faults, 'channels create', fields, fields['type']);
}

/** Validates fields as a patch of a channel of the given type. Throws a CliError that lists every fault. */
export function asPatch(patch: Record<string, unknown>, type: ChannelType): ChannelPatch {
  const checked = validate(channelPatch, patch);
  const next = (patch['type'] ?? type) as ChannelType;
  const shape = channelConfigs[next].shape as Record<string, z.ZodType>;
  const faults = checked.ok ? [] : checked.faults;
  for (const [field, value] of Object.entries(patch['config'] ?? {})) {
    const path = `config.${field}`;
    const schema = shape[field];
    if (!schema) faults.push(faultAt(path, 'unknown_field', { meant: null }));
    else if (value !== null && !hasNull(value)) faults.push(...faultsAt(path, schema, value));
  }
  if (faults.length > 0) return refuse(faults, 'channels update', patch, next);
  return patch;
}

/** Whether a map removes an entry. The server validates its other entries. */
const hasNull = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).includes(null);

function faultsAt(path: string, schema: z.ZodType, value: unknown): Fault[] {
  const checked = validate(schema, value);
  if (checked.ok) return [];
  return checked.faults.map((fault) => ({ ...fault, path: [path, fault.path].filter(Boolean).join('.') }));
}

function refuse(faults: readonly Fault[], command: string, given: object, type: unknown): never {
  const fields = Object.keys(channelConfigs[type as ChannelType]?.shape ?? {});
  const flags = fields.map((field) => flagFor(`config.${field}`, channelFlags)).join(', ');
  const foreign = `is not a field of type ${String(type)}, which has ${flags}`;
  return refuseFaults(faults, { command, flags: channelFlags, given, foreign });
}
