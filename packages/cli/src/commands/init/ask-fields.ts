import { input, select } from '@inquirer/prompts';
import { type MonitorType, monitorInputs, monitorTypes } from '@uptime/sdk/contract';
import type { z } from 'zod';
import type { Context } from '../../context.ts';

type Fields = Record<string, unknown>;

const kinds: Record<MonitorType, string> = {
  http: 'a web address answers as expected',
  dns: 'a name resolves',
  tcp: 'a port accepts connections',
  ping: 'a host answers on TCP port 80',
  heartbeat: 'a job reports that it ran',
};

/** Asks for what a monitor must have and is not given yet, and for its interval. */
export async function askFields(given: Fields, { io, signal }: Pick<Context, 'io' | 'signal'>): Promise<Fields> {
  const through = { input: io.stdin, output: io.stderr, signal };
  const fields: Fields = { ...given };
  fields['type'] ??= await select(
    { message: 'What is to be watched?', choices: monitorTypes.map((value) => ({ value, name: kinds[value] })) },
    through,
  );
  const shape = monitorInputs[fields['type'] as MonitorType].shape as Record<string, z.ZodType>;
  const required = Object.keys(shape).filter((field) => !shape[field]!.safeParse(undefined).success);
  for (const field of [...required, 'interval']) {
    if (fields[field] !== undefined) continue;
    const schema = shape[field]!;
    const fallback = schema.safeParse(undefined);
    const answer = await input(
      {
        message: questionOf(field, schema),
        ...(fallback.success && { default: String(fallback.data) }),
        validate: (text) => {
          const { error } = schema.safeParse(valueOf(text, schema));
          return error ? (error.issues[0]?.message ?? 'This cannot be.') : true;
        },
      },
      through,
    );
    // What stands at its default is left out of the manifest.
    fields[field] = valueOf(answer, schema);
  }
  return fields;
}

/** A number where the field takes one: a name may be all digits, too. */
const valueOf = (text: string, schema: z.ZodType): string | number =>
  /^\d+$/.test(text) && schema.safeParse(Number(text)).error?.issues[0]?.code !== 'invalid_type' ? Number(text) : text;

function questionOf(field: string, schema: z.ZodType): string {
  const { description = field } = schema.toJSONSchema({ io: 'input' });
  return description.replace(/\.$/, ':');
}
