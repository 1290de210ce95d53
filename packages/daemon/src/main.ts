import { styleText } from 'node:util';
import { ConfigError, readConfig, unknownVariables } from './config/config.ts';
import { readFlags } from './config/serve-flags.ts';
import { serveHelp } from './config/serve-help.ts';
import { fileLimitFault, openFilesLimit } from './file-limit.ts';
import { limitHeapGrowth } from './heap-growth.ts';
import { collectStartGarbage } from './start-garbage.ts';
import { abortedBySignals, listenForSignals } from './stop-signals.ts';

interface Command {
  /** The purpose of the command, as one line of the help. */
  about: string;
  run(args: string[]): Promise<void>;
}

const commands: Record<string, Command> = {
  serve: { about: 'serve the API and run the checks', run: serve },
  probe: { about: 'check from this machine for a server in another place', run: probe },
  admin: {
    about: 'manage accounts and probes, import a history',
    async run(args) {
      const { administer } = await import('./admin/admin.ts');
      await administer(args, { env: process.env, stdin: process.stdin, print });
    },
  },
  doctor: {
    about: 'find out what is wrong with the daemon of this machine',
    async run(args) {
      const { runDoctor } = await import('./admin/doctor-command.ts');
      const paint = (colour: 'green' | 'yellow' | 'red', words: string) =>
        styleText(colour, words, { stream: process.stdout });
      const isWell = await runDoctor(args, { env: process.env, paint, print });
      if (!isWell) process.exitCode = 1;
    },
  },
  backup: {
    about: 'copy the SQLite database to a file, while the daemon runs',
    run: backup,
  },
  'migrate-to-postgres': {
    about: 'move a SQLite installation to PostgreSQL',
    async run(args) {
      const { runMove } = await import('./move-to-postgres/command.ts');
      const stopping = abortedBySignals(process, 'The move was interrupted. The daemon continues with SQLite.');
      await runMove(args, { env: process.env, print, stopping });
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

/** Runs the command that this process was started with. */
export async function main(): Promise<void> {
  const [given = 'help', ...rest] = process.argv.slice(2);
  // If the reader of the output closes the pipe (`uptimed admin … | head`), a running task and the daemon continue.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => void (code === 'EPIPE' || (process.exitCode = 1)));
  process.stderr.on('error', () => undefined);
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
  .map(([name, { about }]) => `  uptimed ${name.padEnd(19)} ${about}`)
  .join('\n')}

\`uptimed serve --help\` lists every setting, \`uptimed admin --help\` every task, \`uptimed probe --help\` the flags of a probe.`;

async function serve(args: string[]): Promise<void> {
  const { flags, configFile, wantsHelp } = readFlags(args);
  if (wantsHelp) return print(serveHelp());
  const limit = openFilesLimit(process);
  const fault = fileLimitFault(limit);
  if (fault !== null) throw new Error(fault);
  const file = configFile === undefined ? {} : await readFrom(configFile);
  const config = readConfig({ flags, env: process.env, file });
  // Listens for signals before the start. So a signal during the start stops the daemon as soon as it has started.
  const signals = listenForSignals(process);
  const { startDaemon } = await import('./daemon.ts');
  const openFiles = typeof limit === 'number' ? limit : Infinity;
  const daemon = await startDaemon(config, {
    configFile,
    unknownVariables: unknownVariables(process.env),
    openFiles,
  });
  void collectStartGarbage(collectAfterMs);
  void limitHeapGrowth(limitGrowthAfterMs);
  await signals.stop;

  // Ends the process after `ms` even if the stop hangs.
  const exitAfter = (ms: number) => void setTimeout(() => process.exit(1), ms).unref();
  exitAfter(longestStopMs);
  void signals.interrupt.then(() => {
    daemon.interrupt();
    exitAfter(hurriedStopMs);
  });
  await daemon.close();
}

async function backup(args: string[]): Promise<void> {
  const { runBackup } = await import('./backup/command.ts');
  const { systemClock } = await import('./deps.ts');
  const { setPriority } = await import('node:os');
  // Lowers the priority of the backup, so that on a busy processor the daemon's checks and pings run first.
  setPriority(10);
  const { isTTY } = process.stdout;
  const clearLine = '\r\x1b[K';
  const onProgress = (share: number) => {
    if (isTTY) process.stdout.write(`${clearLine}Copying: ${Math.floor(share * 100)} %`);
  };
  const stopping = abortedBySignals(process, 'The backup was interrupted. No file is left.');
  try {
    await runBackup(args, {
      env: process.env,
      clock: systemClock,
      print: (line) => print(isTTY ? `${clearLine}${line}` : line),
      onProgress,
      stopping,
    });
  } catch (error) {
    if (isTTY) process.stdout.write(clearLine);
    throw error;
  }
}

async function probe(args: string[]): Promise<void> {
  const { probeHelp, readProbe } = await import('./probe/read-probe.ts');
  const read = await readProbe(args, { env: process.env, stdin: process.stdin });
  if (read === null) return print(probeHelp);
  const limit = openFilesLimit(process);
  const fault = fileLimitFault(limit);
  if (fault !== null) throw new Error(fault);
  const signals = listenForSignals(process);
  const { setFlagsFromString } = await import('node:v8');
  // A probe often runs on a small machine. It allocates little, so a small heap costs no time.
  for (const flag of ['--optimize-for-size', '--semi-space-growth-factor=1']) setFlagsFromString(flag);
  const { runProbe } = await import('./probe/run-probe.ts');
  const running = await runProbe(read, typeof limit === 'number' ? limit : Infinity);
  const stopped = signals.stop.then(() => null);
  try {
    await Promise.race([stopped, running.refused]);
  } finally {
    setTimeout(() => process.exit(1), longestProbeStopMs).unref();
    await running.close();
  }
}

/** By then, the start has loaded its modules. */
const limitGrowthAfterMs = 1000;

/**
 * Minimum time from the start of the server until it collects garbage. By then, each loop has run for the first time.
 */
const collectAfterMs = 5000;

/** Longest stop of a probe. It has 3 s to send its waiting results; everything else takes less than 3 s. */
const longestProbeStopMs = 7000;

/**
 * Longest stop of the server. Messages that are being sent have 10 s to finish; everything else takes less than 2 s. A
 * second signal aborts the messages, so from then on `hurriedStopMs` is enough.
 */
const longestStopMs = 11_900;
const hurriedStopMs = 1900;
/** Reads the config file. The YAML library is loaded only here, because most servers have no config file. */
async function readFrom(configFile: string): Promise<Record<string, unknown>> {
  const { readConfigFile } = await import('./config/config-file.ts');
  return readConfigFile(configFile);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
