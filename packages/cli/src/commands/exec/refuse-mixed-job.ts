import { CliError } from '../../exit.ts';

/** How `exec` is typed, for messages. */
export const execForm = 'type `uptime exec <to> -- <command> …`: what stands behind -- is the job';

/**
 * Throws a CliError for a job with flags that no `--` sets apart: `--verbose` or `--version` would be taken for flags
 * of this program, and the job run without them, or not at all.
 */
export function refuseMixedJob(argv: readonly string[]): void {
  const at = argv.findIndex((word, i) => !word.startsWith('-') && !takesValue(argv[i - 1]));
  const words = argv.slice(at + 1);
  if (argv[at] !== 'exec' || words.includes('--')) return;
  const flag = words.find((word) => word.startsWith('-'));
  if (flag === undefined || words.slice(0, 2).some((word) => word === '--help' || word === '-h')) return;
  throw new CliError(`it is not clear whether ${flag.split('=')[0]} is a flag of uptime or of the job`, {
    exit: 'usage',
    next: execForm,
  });
}

/** Whether a word is a flag whose value is the next word, among those that may stand before a command. */
const takesValue = (word: string | undefined): boolean => /^--(?:profile|site-url|api-key)$/.test(word ?? '');
