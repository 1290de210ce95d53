// Generates the reference of the command line from the commands.
import { PassThrough } from 'node:stream';
import { commands } from '../packages/cli/src/commands/index.ts';
import { createContext } from '../packages/cli/src/context.ts';
import { exitCodes, exitMeanings, type ExitName } from '../packages/cli/src/exit.ts';
import { createProgram } from '../packages/cli/src/program.ts';

type Command = ReturnType<typeof createProgram>;

/** Returns docs/cli.md: every command with its flags and examples, and the meaning of the exit codes. */
export function cliDocs(): string {
  const stream = new PassThrough();
  const context = createContext({ stdin: stream, stdout: stream, stderr: stream, env: {}, cwd: '/' });
  const program = createProgram(commands, context, () => undefined);
  const codes = (Object.keys(exitCodes) as ExitName[]).map((name) => `| ${exitCodes[name]} | ${exitMeanings[name]} |`);
  return [
    opening,
    ...commands.map((entry) => section(entry, program)),
    '## Exit codes',
    `\`uptime exec\` and \`uptime maintenance run\` exit with the code of their job. All other commands:\n\n| code | meaning |\n|---|---|\n${codes.join('\n')}`,
    '',
  ].join('\n\n');
}

const opening = `<!-- Generated from packages/cli/src/commands by \`npm run generate\`. Do not edit. -->

# The command line

The program is called \`uptime\`, and also \`uptimectl\`, for systems whose own \`uptime\` is first in PATH. Every command
takes \`--profile\`, \`--site-url\`, \`--api-key\` and \`--verbose\`. A flag overrides the environment, and the environment
overrides the settings file. Data goes to standard output, messages go to standard error. \`uptime doctor\` finds
problems, \`uptime help manifest\` lists the fields of a manifest.`;

function section({ path, aliases = [], summary, examples }: (typeof commands)[number], program: Command): string {
  const command = path
    .split(' ')
    .reduce((at, word) => at.commands.find((child) => child.name() === word) ?? at, program);
  const words = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '…' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const also = aliases.length > 0 ? ` Also: ${aliases.map((alias) => `\`uptime ${alias}\``).join(', ')}.` : '';
  const described = [
    ...command.registeredArguments.map((argument) => [`<${argument.name()}>`, argument.description] as const),
    ...command.options.filter(({ hidden }) => !hidden).map((option) => [option.flags, aboutOf(option)] as const),
  ];
  const rows = described.map(([what, about]) => `| \`${cell(what)}\` | ${cell(about)} |`);
  return [
    `## uptime ${[path, ...words].join(' ').replaceAll('<', '\\<')}`,
    `${summary[0]!.toUpperCase()}${summary.slice(1)}.${also}`,
    ...(rows.length > 0 ? [`| flag | |\n|---|---|\n${rows.join('\n')}`] : []),
    `\`\`\`sh\n${examples.map((line) => `uptime ${line}`).join('\n')}\n\`\`\``,
  ].join('\n\n');
}

function aboutOf({ description, defaultValue, argChoices }: Command['options'][number]): string {
  const facts = [
    argChoices && `one of ${argChoices.join(', ')}`,
    defaultValue !== undefined && `default: ${String(defaultValue)}`,
  ].filter(Boolean);
  return facts.length > 0 ? `${description} (${facts.join('; ')})` : description;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
