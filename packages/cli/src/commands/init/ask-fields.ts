import { monitorInputs, monitorSecrets, monitorType, type MonitorType, monitorTypes } from '@uptime/sdk/contract';
import type * as z from 'zod';
import type { Context } from '../../context.ts';
import { askField } from '../../prompts/ask-field.ts';

type Fields = Record<string, unknown>;

/** Asks for the required fields that a monitor still lacks, and for its interval. Returns all fields. */
export async function askFields(given: Fields, context: Pick<Context, 'io' | 'signal'>): Promise<Fields> {
  const { io, signal } = context;
  const { select } = await import('@inquirer/prompts');
  const fields: Fields = { ...given };
  fields['type'] ??= await select(
    {
      message: 'What should the monitor check?',
      choices: monitorTypes.map((value) => ({ value, name: monitorType(value).label })),
    },
    { input: io.stdin, output: io.stderr, signal },
  );
  const type = fields['type'] as MonitorType;
  const shape = monitorInputs[type].shape as Record<string, z.ZodType>;
  const required = Object.keys(shape).filter((field) => !shape[field]!.safeParse(undefined).success);
  for (const field of [...required, 'interval']) {
    // If the answer is the default value, `init` leaves this field out of the manifest.
    const secret = monitorSecrets[type][field] === 'whole';
    fields[field] ??= await askField(field, shape[field]!, context, { secret });
  }
  return fields;
}
