// Generates the reference of the command line from the commands.
import { commands } from '../packages/cli/src/commands/index.ts';
import { exitCodes, exitMeanings, type ExitName } from '../packages/cli/src/exit.ts';
import { commandTree, describe } from './command-tree.ts';

/** Returns docs/cli.md: every command with its flags and examples, and the meaning of the exit codes. */
export function cliDocs(): string {
  const program = commandTree();
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

function section(entry: (typeof commands)[number], program: ReturnType<typeof commandTree>): string {
  const { aliases = [] } = entry;
  const { synopsis, summary, rows: described, examples } = describe(entry, program);
  const also = aliases.length > 0 ? ` Also: ${aliases.map((alias) => `\`uptime ${alias}\``).join(', ')}.` : '';
  const rows = described.map(([what, about]) => `| \`${cell(what)}\` | ${cell(about)} |`);
  return [
    `## uptime ${synopsis.replaceAll('<', '\\<')}`,
    `${summary}${also}`,
    ...(rows.length > 0 ? [`| flag | |\n|---|---|\n${rows.join('\n')}`] : []),
    `\`\`\`sh\n${examples.map((line) => `uptime ${line}`).join('\n')}\n\`\`\``,
  ].join('\n\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
