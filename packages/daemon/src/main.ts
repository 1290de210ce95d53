import { admin } from './commands/admin.ts';
import { backup } from './commands/backup.ts';
import { doctor } from './commands/doctor.ts';
import { migrateToPostgres } from './commands/migrate-to-postgres.ts';
import { print } from './commands/print.ts';
import { probe } from './commands/probe.ts';
import { serve } from './commands/serve.ts';
import { version } from './commands/version.ts';
import { ConfigError } from './config/config.ts';

interface Command {
  /** The purpose of the command, as one line of the help. */
  about: string;
  run(args: string[]): Promise<void>;
}

const commands: Record<string, Command> = {
  serve: { about: 'serve the API and run the checks', run: serve },
  probe: { about: 'check from this machine for a server in another place', run: probe },
  admin: { about: 'manage accounts and probes, import a history', run: admin },
  doctor: { about: 'find out what is wrong with the daemon of this machine', run: doctor },
  backup: { about: 'copy the SQLite database to a file, while the daemon runs', run: backup },
  'migrate-to-postgres': { about: 'move a SQLite installation to PostgreSQL', run: migrateToPostgres },
  version: { about: 'print the version', run: version },
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
