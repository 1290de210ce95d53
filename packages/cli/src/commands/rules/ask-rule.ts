import { checkbox } from '@inquirer/prompts';
import type { Uptime } from '@uptime/sdk';
import { alertRuleInput } from '@uptime/sdk/contract';
import type { Context } from '../../context.ts';
import { CliError } from '../../exit.ts';
import { plain } from '../../output.ts';
import { askField } from '../ask-field.ts';
import type { Members } from './member-flags.ts';

interface Rule {
  fields: Record<string, unknown>;
  members: Members;
}

/** Asks for what a rule must have and is not given yet: its name, and by lists to choose from its monitors and channels. */
export async function askRule(
  { fields, members }: Rule,
  client: Uptime,
  context: Pick<Context, 'io' | 'signal'>,
): Promise<Rule> {
  const { io, signal } = context;
  const choose = async (message: string, none: string, there: readonly { id: string; name: string }[]) => {
    if (there.length === 0) throw new CliError(none);
    const choices = there.map(({ id, name }) => ({ value: id, name: plain(name) }));
    return checkbox({ message, choices, required: true }, { input: io.stdin, output: io.stderr, signal });
  };
  const name = fields['name'] ?? (await askField('name', alertRuleInput.shape.name, context));
  const monitors =
    members.monitors ??
    (await choose(
      'Which monitors does it watch?',
      'there are no monitors yet: `uptime monitors create` makes one',
      await client.monitors.list({}, { signal }),
    ));
  const channels =
    members.channels ??
    (await choose(
      'Which channels are told?',
      'there are no channels yet: `uptime channels create` makes one',
      await client.channels.list({}, { signal }),
    ));
  return { fields: { ...fields, name }, members: { monitors, channels } };
}
