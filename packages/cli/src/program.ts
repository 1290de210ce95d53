import { Command, Option } from 'commander';
import { commands } from './commands/index.ts';
import type { CliCommand } from './commands/command.ts';
import type { Context } from './context.ts';
import type { Ended } from './exit.ts';
import { topics } from './help/topics.ts';
import { version } from './version.ts';

const groups: Record<string, string> = {
  monitors: 'apply monitors from YAML, change them one by one, read what they say',
  channels: 'where alerts are sent, and whether they arrive',
  rules: 'what fires an alert, and who is told',
  alerts: 'past and open alerts, and the messages about them',
  incidents: 'what is wrong, told to those who look at your status pages',
  maintenance: 'windows of planned work, in which no alert is sent',
  pages: 'public status pages',
  billing: 'what your account may have, and paying for more',
  projects: 'the projects of your account, and their keys',
  sessions: 'where your account is logged in',
};

/** The tree of commands. How the one that runs ended is handed to `ended`. */
export function createProgram(context: Context, ended: (exit: Ended) => void): Command {
  const program = quiet(new Command('uptime'), context)
    .description('Uptime monitoring that you keep in code.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addOption(new Option('--profile <name>', 'profile of the settings file (UPTIME_PROFILE)'))
    .addOption(new Option('--site-url <address>', 'address of the server (UPTIME_SITE_URL)'))
    .addOption(new Option('--api-key <key>', "the project's key (UPTIME_API_KEY); better kept out of the command line"))
    .addOption(new Option('--verbose', 'tell each request, and more about failures'))
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError(true)
    .addHelpText(
      'after',
      `\nTopics: ${Object.keys(topics)
        .map((topic) => `uptime help ${topic}`)
        .join(', ')}`,
    );

  for (const entry of commands) {
    for (const path of [entry.path, ...(entry.aliases ?? [])]) addCommand(program, path, entry, context, ended);
  }
  return program;
}

function addCommand(
  program: Command,
  path: string,
  entry: CliCommand,
  context: Context,
  ended: (exit: Ended) => void,
): void {
  const words = path.split(' ');
  const verb = words.pop()!;
  const parent = words.reduce((at, word) => findGroup(at, word, context), program);
  const added = quiet(parent.command(verb), context)
    .description(sentence(entry.summary))
    .summary(entry.summary)
    .helpOption('-h, --help', 'print help')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', `\nExamples:\n${entry.examples.map((line) => `  $ uptime ${line}`).join('\n')}`);
  entry.define?.(added);
  added.action(async () => {
    ended(await entry.execute(added.args, added.optsWithGlobals(), context));
  });
}

function findGroup(parent: Command, word: string, context: Context): Command {
  const found = parent.commands.find((command) => command.name() === word);
  if (found) return found;
  return quiet(parent.command(word), context)
    .description(sentence(groups[word] ?? word))
    .summary(groups[word] ?? word)
    .helpOption('-h, --help', 'print help');
}

/** Keeps commander away from the process: it writes through the context and throws instead of exiting. */
const quiet = (command: Command, { io }: Context): Command =>
  command.exitOverride().configureOutput({
    writeOut: (text) => void io.stdout.write(text),
    writeErr: (text) => void io.stderr.write(text),
    getOutHelpWidth: () => io.stdout.columns || 100,
    getErrHelpWidth: () => io.stderr.columns || 100,
    getOutHasColors: () => io.out.level > 0,
    getErrHasColors: () => io.err.level > 0,
  });

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`;
