import { parseArgs } from 'node:util';
import { ConfigError, readConfig, unknownVariables } from './config/config.ts';
import { type Setting, type SettingName, settings } from './config/settings.ts';

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
        throw new ConfigError(`There is no command ${command}; \`uptimed help\` lists them.`);
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof ConfigError ? 2 : 1;
  }
}

const help = `uptimed: the uptime server and checker

  uptimed serve      serve the interface and check what is due
  uptimed admin      see to accounts: admins, passwords, who may sign up
  uptimed version    print the version
  uptimed help       print this

\`uptimed serve --help\` lists every setting, \`uptimed admin --help\` every task.`;

async function serve(args: string[]): Promise<void> {
  const { flags, configFile, wantsHelp } = readFlags(args);
  if (wantsHelp) return print(serveHelp());
  const file = configFile === undefined ? {} : await readFrom(configFile);
  const config = readConfig({ flags, env: process.env, file });
  // Before the start: a signal that comes in its midst ends it too, once it is through.
  const signalled = new Promise<void>((resolve) => {
    process.on('SIGINT', () => resolve());
    process.on('SIGTERM', () => resolve());
  });
  const { startDaemon } = await import('./daemon.ts');
  const daemon = await startDaemon(config, { unknownVariables: unknownVariables(process.env) });
  await signalled;

  // It does not wait for ever. A second signal changes nothing: under npm or npx, Ctrl-C comes twice.
  setTimeout(() => process.exit(1), 1900).unref();
  await daemon.close();
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

/** YAML is loaded only where there is a file. */
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

Serves the interface and checks what is due. A flag stands over the environment, the environment over the config
file (YAML or JSON, settings by their name there or their name in the environment).

${lines.join('\n')}`;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);
