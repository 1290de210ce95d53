import { CliError } from '../../exit.ts';

/** Advice for error messages: how to type `exec` and `maintenance run`. */
export const execForm = 'type `uptime exec <to> -- <command> …`, with the job after --';
export const maintenanceRunForm =
  'type `uptime maintenance run --monitors <list> --max <time> -- <command> …`, with the job after --';

/**
 * Throws a CliError if a job has flags but does not follow `--`. Without `--`, this program would read a flag of the
 * job, such as `--verbose` or `--version`, as its own flag. Then the job would run without the flag, or not at all.
 */
export function refuseMixedJob(argv: readonly string[]): void {
  const at = argv.findIndex((word, i) => !word.startsWith('-') && !takesValue(argv[i - 1]));
  const words = argv.slice(at + 1);
  if (words.includes('--')) return;
  if (argv[at] === 'exec') refuseFlags(words);
  // The job follows the flags of `maintenance run`. Without `--`, the name of the job could also be the value of the
  // flag before it.
  if (argv[at] === 'maintenance' && words[0] === 'run' && words.length > 1 && !words.some(asksForHelp)) {
    throw new CliError('it is not clear where the job begins', { exit: 'usage', next: maintenanceRunForm });
  }
}

function refuseFlags(words: readonly string[]): void {
  const flag = words.find((word) => word.startsWith('-'));
  if (flag === undefined || words.slice(0, 2).some(asksForHelp)) return;
  throw new CliError(`it is not clear whether ${flag.split('=')[0]} is a flag of uptime or of the job`, {
    exit: 'usage',
    next: execForm,
  });
}

const asksForHelp = (word: string): boolean => word === '--help' || word === '-h';

/** Whether a word is a global flag whose value is the next word. */
const takesValue = (word: string | undefined): boolean => /^--(?:profile|site-url|api-key)$/.test(word ?? '');
