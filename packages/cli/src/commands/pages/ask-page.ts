import { checkbox } from '@inquirer/prompts';
import type { Uptime } from '@uptime/sdk';
import { statusPageInput } from '@uptime/sdk/contract';
import type { Context } from '../../context.ts';
import { plain } from '../../output.ts';
import { askField } from '../../prompts/ask-field.ts';

interface Page {
  fields: Record<string, unknown>;
  monitors: string[] | undefined;
}

/** Asks for missing fields of a status page: name, slug, and its monitors from a list. */
export async function askPage(
  { fields: given, monitors: named }: Page,
  client: Uptime,
  context: Pick<Context, 'io' | 'signal'>,
): Promise<Page> {
  const { io, signal } = context;
  const { shape } = statusPageInput;
  const fields = { ...given };
  for (const field of ['name', 'slug'] as const) fields[field] ??= await askField(field, shape[field], context);
  if (named) return { fields, monitors: named };
  const there = await client.monitors.list({}, { signal });
  if (there.length === 0) return { fields, monitors: named };
  const choices = there.map(({ id, name }) => ({ value: id, name: plain(name) }));
  const through = { input: io.stdin, output: io.stderr, signal };
  return { fields, monitors: await checkbox({ message: 'Which monitors does the page show?', choices }, through) };
}
