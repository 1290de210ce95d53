// Generates the man page of the command line from the commands.
import { commands } from '../packages/cli/src/commands/index.ts';
import { exitCodes, exitMeanings, type ExitName } from '../packages/cli/src/exit.ts';
import { commandTree, describe } from './command-tree.ts';

/** Returns uptime.1: every command with its flags and examples, the environment, and the exit codes. */
export function manPage(): string {
  const program = commandTree();
  const globals = program.options.filter(({ hidden }) => !hidden);
  return [
    '.\\" Generated from packages/cli/src/commands by `npm run generate`. Do not edit.',
    '.TH UPTIME 1 "" "uptime" "User Commands"',
    '.SH NAME',
    'uptime, uptimectl \\- uptime monitoring that you keep in code',
    '.SH SYNOPSIS',
    '.B uptime',
    '.I command',
    '[\\fIoptions\\fR]',
    '.SH DESCRIPTION',
    'The program is also called \\fBuptimectl\\fR, for systems whose own \\fBuptime\\fR is first in PATH.',
    'Data goes to standard output, messages go to standard error.',
    '.SH OPTIONS',
    'Every command takes these options.',
    ...globals.flatMap(({ flags, description }) => item(flags, description)),
    '.SH COMMANDS',
    ...commands.flatMap((entry) => {
      const { synopsis, summary, rows, examples } = describe(entry, program);
      return [
        `.SS uptime ${roff(synopsis)}`,
        roff(summary),
        ...rows.flatMap(([what, about]) => item(what, about)),
        '.PP',
        '.nf',
        ...examples.map((line) => roff(`$ uptime ${line}`)),
        '.fi',
      ];
    }),
    '.SH ENVIRONMENT',
    ...item('UPTIME_SITE_URL', 'the address of the server'),
    ...item('UPTIME_API_KEY', 'a key of the project'),
    ...item('UPTIME_PROFILE', 'the profile of the settings file'),
    ...item('UPTIME_CONFIG_DIR', 'the folder of the settings file'),
    '.SH EXIT STATUS',
    ...(Object.keys(exitCodes) as ExitName[]).flatMap((name) => item(String(exitCodes[name]), exitMeanings[name])),
    '',
  ].join('\n');
}

const item = (what: string, about: string): string[] => ['.TP', `.B ${roff(what)}`, roff(about)];

/** Escapes a text for roff: backslashes, hyphens that people copy, a leading dot or quote, and letters beyond ASCII. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')
    .replaceAll(
      /[^\x20-\x7e]/gu,
      (letter) => `\\[u${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    );
