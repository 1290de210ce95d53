import { select } from '@inquirer/prompts';
import {
  channelConfigs,
  channelSecrets,
  type ChannelType,
  channelTypes,
  name as nameSchema,
} from '@uptime/sdk/contract';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { askField } from '../../prompts/ask-field.ts';
import type { ChannelFields } from './validate-fields.ts';

/** Asks for the required fields of a channel that are still missing. */
export async function askChannel(
  given: ChannelFields,
  context: Pick<Context, 'io' | 'signal'>,
): Promise<ChannelFields> {
  const { io, signal } = context;
  const type =
    channelTypes.find((known) => known === given['type']) ??
    (await select<ChannelType>(
      { message: 'Type of channel', choices: [...channelTypes] },
      { input: io.stdin, output: io.stderr, signal },
    ));
  const name = given['name'] ?? (await askField('name', nameSchema, context));
  const config = { ...given.config };
  const shape = channelConfigs[type].shape as Record<string, z.ZodType>;
  const secrets: readonly string[] = channelSecrets[type];
  for (const field of Object.keys(shape).filter((one) => !shape[one]!.safeParse(undefined).success)) {
    config[field] ??= await askField(field, shape[field]!, context, { secret: secrets.includes(field) });
  }
  return { ...given, type, name, config };
}
