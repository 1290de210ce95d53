import { parseArgs } from 'node:util';
import { ConfigError, readConfig, unknownVariables } from './config/config.ts';
import { type Setting, type SettingName, settings } from './config/settings.ts';
import { fileLimitFault } from './file-limit.ts';

/** Runs this process's command line. */
export async function main(): Promise<void> {
  const [command, ...rest] = process.argv.slice(2);
  try {
    switch (command) {
      case 'serve':
        return await serve(rest);
      case 'admin': {
        const { administer } = await import('./admin/admin.ts');
        return await administer(rest, { env: process.env, stdin: process.stdin, print });
      }
      case 'version':
      case '--version': {
        const { version } = await import('./daemon.ts');
        return print(version);
      }
      case undefined:
      case 'help':
      case '--help':
      case '-h':
        return print(help);
      default:
        throw new ConfigError(`There is no command ${command}. \`uptimed help\` lists the commands.`);
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof ConfigError ? 2 : 1;
  }
}

const help = `uptimed: the uptime server and checker

  uptimed serve      serve the API and run the checks
  uptimed admin      manage accounts: admins, passwords, sign-up
  uptimed version    print the version
  uptimed help       print this help

\`uptimed serve --help\` lists every setting, \`uptimed admin --help\` every task.`;

async function serve(args: string[]): Promise<void> {
  const { flags, configFile, wantsHelp } = readFlags(args);
  if (wantsHelp) return print(serveHelp());
  const limit = openFilesLimit();
  const fault = fileLimitFault(limit);
  if (fault !== null) throw new Error(fault);
  const file = configFile === undefined ? {} : await readFrom(configFile);
  const config = readConfig({ flags, env: process.env, file });
  // Listens before the start, so that a signal during the start ends the daemon after it.
  const signals = listenForSignals();
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
/** Under npm or npx one Ctrl-C arrives twice, from the terminal and from npm. Only a later one shortens the stop. */
const sameKeyMs = 500;

/** The first signal stops the daemon. A second SIGTERM, or a later Ctrl-C, shortens the stop. */
function listenForSignals(): { stop: Promise<void>; interrupt: Promise<void> } {
  const [stop, interrupt] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let first: number | null = null;
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (first === null) first = now;
    else if (signal === 'SIGTERM' || now - first > sameKeyMs) interrupt.resolve();
    stop.resolve();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return { stop: stop.promise, interrupt: interrupt.promise };
}

function readFlags(args: string[]) {
  const named = (Object.entries(settings) as [SettingName, { flag?: string }][]).flatMap(([name, { flag }]) =>
    flag === undefined ? [] : [[name, flag.slice(2)] as const],
  );
  try {
    const { values } = parseArgs({
      args,
      options: {
        ...Object.fromEntries(named.map(([, flag]) => [flag, { type: 'string' as const }])),
        config: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const given: Record<string, string | boolean | undefined> = values;
    const flags: Partial<Record<SettingName, string>> = {};
    for (const [name, flag] of named) if (typeof given[flag] === 'string') flags[name] = given[flag];
    return { flags, configFile: values.config, wantsHelp: values.help === true };
  } catch (error) {
    throw new ConfigError((error as Error).message.split('. ')[0]!.replace(/\.?$/, '.'));
  }
}

/** How many files this process may open. Node shows this limit only in its report. */
function openFilesLimit(): number | 'unlimited' | undefined {
  // Otherwise the report would look up the names of its peers.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  return report.userLimits?.open_files?.soft;
}

/** YAML is loaded only if there is a file. */
async function readFrom(configFile: string): Promise<Record<string, unknown>> {
  const { readConfigFile } = await import('./config/config-file.ts');
  return readConfigFile(configFile);
}

function serveHelp(): string {
  const lines = (Object.entries(settings) as [string, Setting<unknown>][]).map(
    ([name, { env, flag, default: byDefault, publicDefault, docs }]) => {
      const inPublic = publicDefault === undefined ? '' : `, in public mode ${publicDefault}`;
      const said = byDefault === null ? '' : ` Default: ${byDefault}${inPublic}.`;
      return `  ${env}${flag ? `, ${flag}` : ''} (in the file: ${name})\n      ${docs}${said}`;
    },
  );
  return `uptimed serve [--host <address>] [--port <number>] [--data-dir <folder>] [--config <file>]

Serves the API and runs the checks. A flag overrides the environment, and the environment overrides the config
file. The file is YAML or JSON. It names each setting by the name in brackets below, or by its environment variable.

${lines.join('\n')}`;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);
