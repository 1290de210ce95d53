import { incidentInput } from '@uptime/sdk/contract';
import type { Context } from '../../context.ts';

/** Asks on a terminal for the title that an incident must have, where it is not given. */
export async function askTitle(
  fields: Record<string, unknown>,
  context: Pick<Context, 'io' | 'signal'>,
): Promise<Record<string, unknown>> {
  if (fields['title'] !== undefined || !context.io.interactive) return fields;
  const { askField } = await import('../ask-field.ts');
  const schema = incidentInput.shape.title.describe('What is wrong, as people will read it:');
  return { ...fields, title: await askField('title', schema, context) };
}
