import { Command, Help, Option } from 'commander';
import type { CliCommand } from './command.ts';
import type { Context } from './context.ts';
import type { Ended } from './exit.ts';
import { topics } from './help/topics.ts';
import { version } from './version.ts';

const groups: Record<string, string> = {
  monitors: 'create, change, list and check monitors; show their history',
  channels: 'where alerts are sent',
  rules: 'which monitors alert which channels, and when',
  alerts: 'past and open alerts, and the messages about them',
  incidents: 'what you write for the readers of your status pages',
  maintenance: 'planned work, during which no alert is sent',
  pages: 'public status pages',
  billing: 'plans and payment',
  regions: 'the places that checks run from',
  probes: 'programs that check from other places',
  projects: 'the projects of your account, and their keys',
  keys: 'keys for machines, each with a scope and an expiry',
  sessions: 'where your account is logged in',
};

/** The groups of the main help, with the first words of their commands. Other commands come last. */
const headings: Record<string, readonly string[]> = {
  'Start here:': ['login', 'init', 'test', 'apply', 'status', 'watch', 'wait', 'ls', 'doctor'],
  'Manifest (monitors.yaml):': ['validate', 'diff', 'pull', 'export', 'import'],
  'One by one:': ['monitors', 'channels', 'rules', 'alerts', 'incidents', 'maintenance', 'pages'],
  'Places:': ['regions', 'probes'],
  'From jobs and cron:': ['ping', 'exec'],
  'Account:': ['signup', 'logout', 'whoami', 'projects', 'keys', 'sessions', 'usage', 'billing'],
  'More:': ['api', 'mcp', 'completion', 'version', 'help'],
};
const headed = Object.values(headings).flat();

/** Creates the tree of commands. Calls `ended` with the outcome of the executed command. */
export function createProgram(
  commands: readonly CliCommand[],
  context: Context,
  ended: (exit: Ended) => void,
): Command {
  const program = quiet(new Command(context.program), context)
    .description('Uptime monitoring that you keep in code.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addOption(new Option('--profile <name>', 'profile of the settings file (UPTIME_PROFILE)'))
    .addOption(new Option('--site-url <address>', 'address of the server (UPTIME_SITE_URL)'))
    .addOption(new Option('--api-key <key>', "the project's key (UPTIME_API_KEY); safer in the environment"))
    .addOption(new Option('--verbose', 'print each request, and details of failures'))
    .configureHelp({ showGlobalOptions: true, visibleCommands: inOrder, groupItems, subcommandTerm: termOf })
    .addHelpCommand(
      new Command('help').argument('[command]').description('print help on a command or a topic').helpGroup('More:'),
    )
    .showSuggestionAfterError(true)
    .addHelpText(
      'after',
      `\nTopics: ${Object.keys(topics)
        .map((topic) => `${context.program} help ${topic}`)
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
    .helpGroup(parent === program ? headingOf(verb) : '')
    .description(sentence(entry.summary))
    .summary(entry.summary)
    .helpOption('-h, --help', 'print help')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', `\nExamples:\n${entry.examples.map((line) => `  $ ${context.program} ${line}`).join('\n')}`);
  entry.define?.(added);
  added.action(async () => {
    ended(await entry.execute(added.args, added.optsWithGlobals(), context));
  });
}

function findGroup(parent: Command, word: string, context: Context): Command {
  const found = parent.commands.find((command) => command.name() === word);
  if (found) return found;
  return quiet(parent.command(word), context)
    .helpGroup(headingOf(word))
    .description(sentence(groups[word] ?? word))
    .summary(groups[word] ?? word)
    .helpOption('-h, --help', 'print help');
}

const headingOf = (word: string): string =>
  Object.keys(headings).find((heading) => headings[heading]!.includes(word)) ?? 'More:';

/** Sorts the first words of commands in the order of the groups. Subcommands keep their order. */
function inOrder(command: Command): Command[] {
  const visible = new Help().visibleCommands(command);
  return command.parent ? visible : visible.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function placeOf(command: Command): number {
  const place = headed.indexOf(command.name());
  return place < 0 ? headed.length : place;
}

/**
 * Returns a command with its arguments, for the help. The text `[options]` is removed, because every command has
 * options.
 */
const termOf = (command: Command): string => new Help().subcommandTerm(command).replace(' [options]', '');

/** Groups items of the help. The groups are in the order of their first items. */
const groupItems = <T>(_: readonly T[], visible: T[], groupOf: (item: T) => string): Map<string, T[]> =>
  Map.groupBy(visible, groupOf);

/**
 * Makes commander independent of the process: commander writes to the streams of the context, and throws an error
 * instead of exiting.
 */
const quiet = (command: Command, { io }: Context): Command =>
  command.exitOverride().configureOutput({
    writeOut: (text) => void io.stdout.write(io.named(text)),
    writeErr: (text) => void io.stderr.write(io.named(text)),
    getOutHelpWidth: () => io.stdout.columns || 100,
    getErrHelpWidth: () => io.stderr.columns || 100,
    getOutHasColors: () => io.out.level > 0,
    getErrHasColors: () => io.err.level > 0,
  });

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`;
