import type { Monitor } from '@uptime/sdk';
import type { Connection } from '../connection.ts';
import { CliError } from '../exit.ts';
import type { Members } from '../flags/reference-flags.ts';
import { plain } from '../output.ts';

type Asking = Pick<Connection, 'io' | 'signal'>;

interface Option {
  id: string;
  name: string;
  /** A word that is shown after the name. Options with such a mark are preselected. */
  mark?: string;
}

/** Asks the user to choose at least one resource of a list. Throws a CliError if the list is empty. */
export async function chooseSome(
  question: string,
  none: string,
  there: readonly Option[],
  asking: Asking,
): Promise<string[]> {
  if (there.length === 0) throw new CliError(none);
  return choose(question, there, asking, true);
}

/**
 * Asks the user to choose any number of the project's monitors, unless the flags named some. With `marksDown`, monitors
 * that are down are marked and preselected.
 */
export async function chooseMonitors(
  members: Members,
  { question, marksDown = false }: { question: string; marksDown?: boolean },
  connection: Connection,
): Promise<Members> {
  if (members.monitors) return members;
  const there = await connection.client.monitors.list({}, { signal: connection.signal });
  if (there.length === 0) return members;
  const option = ({ id, name, status }: Monitor): Option =>
    marksDown && status === 'down' ? { id, name, mark: 'down' } : { id, name };
  return { monitors: await choose(question, there.map(option), connection, false) };
}

async function choose(
  message: string,
  there: readonly Option[],
  { io, signal }: Asking,
  required: boolean,
): Promise<string[]> {
  const { checkbox } = await import('@inquirer/prompts');
  const choices = there.map(({ id, name, mark }) => ({
    value: id,
    name: mark ? `${plain(name)} (${mark})` : plain(name),
    checked: mark !== undefined,
  }));
  return checkbox({ message, choices, required }, { input: io.stdin, output: io.stderr, signal });
}
