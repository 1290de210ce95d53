import { CommanderError } from 'commander';
import type { CliCommand } from './command.ts';
import { commands as allCommands } from './commands/index.ts';
import { refuseMixedJob } from './commands/exec/refuse-mixed-job.ts';
import type { Context } from './context.ts';
import { type Ended, exitCodes } from './exit.ts';
import { help } from './help/help.ts';
import { createProgram } from './program.ts';
import { report } from './report.ts';

/**
 * Runs a command line (without `node` and the program's name) and returns its exit code. Never throws, never exits.
 *
 * @example
 * const exit = await run(['monitors', 'apply', '-f', 'monitors.yaml', '--yes'], createContext({ …streams, env, cwd }));
 */
export async function run(
  argv: readonly string[],
  context: Context,
  commands: readonly CliCommand[] = allCommands,
): Promise<number> {
  let exit: Ended = 'ok';
  const program = createProgram(commands, context, (ended) => (exit = ended));
  try {
    const [first, ...words] = argv;
    if (first === 'help' && words.every((word) => !word.startsWith('-'))) {
      await help(words, program, context.io);
      return exitCodes.ok;
    }
    // The scripts of `uptime completion` run `uptime --complete`, followed by every word of the line that is typed.
    if (first === '--complete') {
      const { complete } = await import('./completion/complete.ts');
      await complete(words, program, context);
      return exitCodes.ok;
    }
    refuseMixedJob(argv);
    await program.parseAsync([...argv], { from: 'user' });
    return typeof exit === 'number' ? exit : exitCodes[exit];
  } catch (error) {
    if (error instanceof CommanderError) return exitCodes[error.exitCode === 0 ? 'ok' : 'usage'];
    return exitCodes[await report(error, context, program.opts()['verbose'] === true)];
  }
}
