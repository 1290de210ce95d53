// Describes the commands of the CLI for the generated documents.
import { PassThrough } from 'node:stream';
import { commands } from '../packages/cli/src/commands/index.ts';
import { createContext } from '../packages/cli/src/context.ts';
import { createProgram } from '../packages/cli/src/program.ts';

type Command = ReturnType<typeof createProgram>;

/** The parts of a command's description. */
export interface DescribedCommand {
  /** The words of the command, and its arguments. */
  synopsis: string;
  summary: string;
  /** Arguments and flags, each with its description. */
  rows: (readonly [what: string, about: string])[];
  examples: readonly string[];
}

/** Creates the tree of all commands. */
export function commandTree(): Command {
  const stream = new PassThrough();
  const context = createContext({ stdin: stream, stdout: stream, stderr: stream, env: {}, cwd: '/' });
  return createProgram(commands, context, () => undefined);
}

export function describe({ path, summary, examples }: (typeof commands)[number], program: Command): DescribedCommand {
  const command = path
    .split(' ')
    .reduce((at, word) => at.commands.find((child) => child.name() === word) ?? at, program);
  const words = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '…' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return {
    synopsis: [path, ...words].join(' '),
    summary: `${summary[0]!.toUpperCase()}${summary.slice(1)}.`,
    rows: [
      ...command.registeredArguments.map((argument) => [`<${argument.name()}>`, argument.description] as const),
      ...command.options.filter(({ hidden }) => !hidden).map((option) => [option.flags, aboutOf(option)] as const),
    ],
    examples,
  };
}

function aboutOf({
  description,
  defaultValue,
  defaultValueDescription,
  argChoices,
}: Command['options'][number]): string {
  const facts = [
    argChoices && `one of ${argChoices.join(', ')}`,
    defaultValue !== undefined && `default: ${defaultValueDescription ?? String(defaultValue)}`,
  ].filter(Boolean);
  return facts.length > 0 ? `${description} (${facts.join('; ')})` : description;
}
