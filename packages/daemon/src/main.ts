import { ConfigError, readConfig, unknownVariables } from './config/config.ts';
import { readFlags } from './config/serve-flags.ts';
import { serveHelp } from './config/serve-help.ts';
import { fileLimitFault, openFilesLimit } from './file-limit.ts';
import { listenForSignals } from './stop-signals.ts';

interface Command {
  /** Its line in the help. */
  about: string;
  run(args: string[]): Promise<void>;
}

const commands: Record<string, Command> = {
  serve: { about: 'serve the API and run the checks', run: serve },
  admin: {
    about: 'manage accounts: admins, passwords, sign-up',
    async run(args) {
      const { administer } = await import('./admin/admin.ts');
      await administer(args, { env: process.env, stdin: process.stdin, print });
    },
  },
  version: {
    about: 'print the version',
    async run() {
      const { version } = await import('./daemon.ts');
      print(version);
    },
  },
  help: { about: 'print this help', run: async () => print(help()) },
};

const aliases: Record<string, string> = { '--version': 'version', '--help': 'help', '-h': 'help' };

/** Runs this process's command line. */
export async function main(): Promise<void> {
  const [given = 'help', ...rest] = process.argv.slice(2);
  try {
    const name = aliases[given] ?? given;
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw new ConfigError(`There is no command ${given}. \`uptimed help\` lists the commands.`);
    await command.run(rest);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof ConfigError ? 2 : 1;
  }
}

const help = () => `uptimed: the uptime server and checker

${Object.entries(commands)
  .map(([name, { about }]) => `  uptimed ${name.padEnd(10)} ${about}`)
  .join('\n')}

\`uptimed serve --help\` lists every setting, \`uptimed admin --help\` every task.`;

async function serve(args: string[]): Promise<void> {
  const { flags, configFile, wantsHelp } = readFlags(args);
  if (wantsHelp) return print(serveHelp());
  const limit = openFilesLimit(process);
  const fault = fileLimitFault(limit);
  if (fault !== null) throw new Error(fault);
  const file = configFile === undefined ? {} : await readFrom(configFile);
  const config = readConfig({ flags, env: process.env, file });
  // Listens before the start, so that a signal during the start ends the daemon after it.
  const signals = listenForSignals(process);
  const { startDaemon } = await import('./daemon.ts');
  const openFiles = typeof limit === 'number' ? limit : Infinity;
  const daemon = await startDaemon(config, {
    configFile,
    unknownVariables: unknownVariables(process.env),
    openFiles,
  });
  await signals.stop;

  // Exits after this time even if something hangs.
  const exitAfter = (ms: number) => void setTimeout(() => process.exit(1), ms).unref();
  exitAfter(longestStopMs);
  void signals.interrupt.then(() => {
    daemon.interrupt();
    exitAfter(hurriedStopMs);
  });
  await daemon.close();
}

/** Messages being sent have 10 s to finish; the rest of a stop takes less than 2 s. */
const longestStopMs = 11_900;
const hurriedStopMs = 1900;
/** YAML is loaded only if there is a file. */
async function readFrom(configFile: string): Promise<Record<string, unknown>> {
  const { readConfigFile } = await import('./config/config-file.ts');
  return readConfigFile(configFile);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
