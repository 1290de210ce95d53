import { checkbox } from '@inquirer/prompts';
import type { Uptime } from '@uptime/sdk';
import { alertRuleInput } from '@uptime/sdk/contract';
import type { Context } from '../../context.ts';
import { CliError } from '../../exit.ts';
import { plain } from '../../output.ts';
import { askField } from '../../prompts/ask-field.ts';
import type { Members } from '../../flags/reference-flags.ts';

interface Rule {
  fields: Record<string, unknown>;
  members: Members;
}

/** Asks for missing fields of a rule: its name, and its monitors and channels from lists. */
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
      'Which monitors does the rule watch?',
      'there are no monitors yet: `uptime monitors create` creates one',
      await client.monitors.list({}, { signal }),
    ));
  const channels =
    members.channels ??
    (await choose(
      'Which channels does it notify?',
      'there are no channels yet: `uptime channels create` creates one',
      await client.channels.list({}, { signal }),
    ));
  return { fields: { ...fields, name }, members: { monitors, channels } };
}
