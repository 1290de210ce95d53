import { CliError } from '../../exit.ts';

/** How `exec` and `maintenance run` are typed, for messages. */
export const execForm = 'type `uptime exec <to> -- <command> …`: what stands behind -- is the job';
export const maintenanceRunForm =
  'type `uptime maintenance run --monitors <list> --max <time> -- <command> …`: what stands behind -- is the job';

/**
 * Throws a CliError for a job with flags that no `--` sets apart: `--verbose` or `--version` would be taken for flags
 * of this program, and the job run without them, or not at all.
 */
export function refuseMixedJob(argv: readonly string[]): void {
  const at = argv.findIndex((word, i) => !word.startsWith('-') && !takesValue(argv[i - 1]));
  const words = argv.slice(at + 1);
  if (words.includes('--')) return;
  if (argv[at] === 'exec') refuseFlags(words);
  // Flags of its own come first there: a job can't be told from their values.
  if (argv[at] === 'maintenance' && words[0] === 'run' && words.length > 1 && !words.some(asksForHelp)) {
    throw new CliError('it is not clear where the command begins', { exit: 'usage', next: maintenanceRunForm });
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

/** Whether a word is a flag whose value is the next word, among those that may stand before a command. */
const takesValue = (word: string | undefined): boolean => /^--(?:profile|site-url|api-key)$/.test(word ?? '');
