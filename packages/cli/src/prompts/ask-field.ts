import { fieldFacts, validate } from '@uptime/sdk/contract';
import type * as z from 'zod';
import type { Context } from '../context.ts';

/**
 * Asks for a field of a resource until the schema accepts the answer. A secret answer is hidden while the user types.
 */
export async function askField(
  field: string,
  schema: z.ZodType,
  { io, signal }: Pick<Context, 'io' | 'signal'>,
  { secret = false } = {},
): Promise<string | number> {
  const { input, password } = await import('@inquirer/prompts');
  const through = { input: io.stdin, output: io.stderr, signal };
  const message = questionOf(field, schema);
  const accepts = (text: string): true | string => {
    const valid = validate(schema, valueOf(text, schema));
    return valid.ok || valid.faults[0]!.message;
  };
  if (secret) return password({ message, mask: true, validate: accepts }, through);
  return valueOf(await input({ message, default: defaultOf(schema), validate: accepts }, through), schema);
}

/** Returns the default of a field as text, as a person would type it; undefined if the field has no default. */
function defaultOf(schema: z.ZodType): string | undefined {
  const { data } = schema.safeParse(undefined);
  if (typeof data === 'string') return data;
  return data === null || data === undefined ? undefined : JSON.stringify(data);
}

/**
 * Converts an answer to a number if the field is a number. In a text field, such as a name, an answer of digits remains
 * text.
 */
const valueOf = (text: string, schema: z.ZodType): string | number =>
  /^\d+$/.test(text) && schema.safeParse(Number(text)).error?.issues[0]?.code !== 'invalid_type' ? Number(text) : text;

function questionOf(field: string, schema: z.ZodType): string {
  const { description = field } = schema.toJSONSchema({ io: 'input' });
  return (fieldFacts.get(schema)?.question ?? description).replace(/\.$/, ':');
}
