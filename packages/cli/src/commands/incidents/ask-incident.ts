import { checkbox, confirm } from '@inquirer/prompts';
import type { Uptime } from '@uptime/sdk';
import { incidentInput } from '@uptime/sdk/contract';
import type { Context } from '../../context.ts';
import { CliError } from '../../exit.ts';
import { plain } from '../../output.ts';
import { askField } from '../../prompts/ask-field.ts';
import { audienceOf } from './audience.ts';

interface Incident {
  fields: Record<string, unknown>;
  monitors: string[] | undefined;
}

/** Asks on a terminal for missing fields of an incident: title, message, and its monitors from a list. */
export async function askIncident(
  { fields: given, monitors: named }: Incident,
  client: Uptime,
  context: Pick<Context, 'io' | 'signal'>,
): Promise<Incident> {
  const { io, signal } = context;
  const { title, message } = incidentInput.shape;
  const fields = { ...given };
  fields['title'] ??= await askField(
    'title',
    title.describe('Title, as readers of your status pages will see it:'),
    context,
  );
  if (fields['message'] === undefined) {
    const text = message.describe('What do you know so far? (may be empty)');
    fields['message'] = String(await askField('message', text, context));
  }
  if (named) return { fields, monitors: named };
  const there = await client.monitors.list({}, { signal });
  if (there.length === 0) return { fields, monitors: named };
  const choices = there.map(({ id, name, status }) => ({
    value: id,
    name: status === 'down' ? `${plain(name)} (down)` : plain(name),
    checked: status === 'down',
  }));
  const ask = { message: 'Which monitors does it affect? (if none, all status pages show it)', choices };
  return { fields, monitors: await checkbox(ask, { input: io.stdin, output: io.stderr, signal }) };
}

/** Lists the status pages that will show an incident. Asks whether to publish it if `ask` is set. */
export async function showAudience(
  monitorIds: readonly string[],
  ask: boolean,
  client: Uptime,
  { io, signal }: Pick<Context, 'io' | 'signal'>,
): Promise<void> {
  const pages = audienceOf(monitorIds, await client.statusPages.list({}, { signal }));
  if (pages.length === 0) io.say('No status page shows these monitors: the incident will not be public.');
  else io.say(`It will be public on:\n${pages.map(({ name, url }) => `  ${plain(name)}  ${url}`).join('\n')}`);
  if (!ask) return;
  const publish = await confirm(
    { message: pages.length > 0 ? 'Publish it?' : 'Create it?', default: true },
    { input: io.stdin, output: io.stderr, signal },
  );
  if (!publish) throw new CliError('not confirmed; no incident was created');
}
