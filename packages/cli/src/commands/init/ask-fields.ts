import { monitorInputs, monitorType, type MonitorType, monitorTypes } from '@uptime/sdk/contract';
import type * as z from 'zod';
import type { Context } from '../../context.ts';
import { askField } from '../../prompts/ask-field.ts';

type Fields = Record<string, unknown>;

/** Asks for the required fields of a monitor that are still missing, and for its interval. */
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
  const shape = monitorInputs[fields['type'] as MonitorType].shape as Record<string, z.ZodType>;
  const required = Object.keys(shape).filter((field) => !shape[field]!.safeParse(undefined).success);
  for (const field of [...required, 'interval']) {
    // The manifest leaves out a field with its default value.
    fields[field] ??= await askField(field, shape[field]!, context);
  }
  return fields;
}
