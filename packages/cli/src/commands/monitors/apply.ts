import { command } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { planFormatFlag, readPlanFormat } from '../../flags/plan-format-flag.ts';
import { isSet, listFlag, type RawFlags, settingFlags, textFlag } from '../../flags/raw-flags.ts';
import { whole } from '../../flags/whole.ts';
import { yesFlag } from '../../prompts/confirm.ts';
import { fileFlag, readManifestChoice } from '../file-flag.ts';
import type { ApplyCommandOptions } from './run-apply.ts';

export const applyMonitors = command<ApplyCommandOptions>({
  path: 'monitors apply',
  aliases: ['apply'],
  summary: 'change the server to match a manifest',
  examples: ['apply --dry-run', 'monitors apply -f monitors.yaml --yes'],
  define: (command) => {
    command.argument('[plan]', 'a plan of `apply --out`, to carry out exactly that plan');
    yesFlag(fileFlag(command).option('--dry-run', 'print what would change, and change nothing'))
      .option('--out <path>', 'write the plan to a file, and change nothing')
      .option('--prune', 'also delete objects that the manifest lacks, if it manages them and has a list of their kind')
      .option('--take-over', 'also manage objects that another manifest manages')
      .option('--allow-deletes', 'allow --prune to delete more than 30 % of a kind that has at least ten resources')
      .option('--detailed-exitcode', 'exit with 0 if nothing changes, with 2 if something changes')
      .option('--concurrency <n>', 'number of requests at once', whole(1, 64), 8);
    planFormatFlag(command);
  },
  parse: ([plan], flags) => ({
    settings: settingFlags(flags),
    format: readPlanFormat(flags),
    manifest: readManifestChoice(flags),
    plan: planArgument(plan, flags),
    out: outFlag(flags),
    dryRun: isSet(flags, 'dryRun'),
    yes: isSet(flags, 'yes'),
    prune: isSet(flags, 'prune'),
    takeOver: isSet(flags, 'takeOver'),
    allowDeletes: isSet(flags, 'allowDeletes'),
    detailedExitCode: isSet(flags, 'detailedExitcode'),
    concurrency: flags['concurrency'] as number,
  }),

  async run(options, context) {
    const { runApply } = await import('./run-apply.ts');
    return runApply(options, context);
  },
});

/**
 * Returns the path of the plan file, or null. Throws a CliError for flags that choose a manifest, because a plan names
 * its manifest itself.
 */
function planArgument(plan: string | undefined, flags: RawFlags): string | null {
  if (plan === undefined) return null;
  const given = {
    '-f': listFlag(flags, 'file').length > 0,
    '--env': 'env' in flags,
    '--prune': isSet(flags, 'prune'),
    '--take-over': isSet(flags, 'takeOver'),
    '--out': 'out' in flags,
  };
  const twice = Object.entries(given).flatMap(([flag, isGiven]) => (isGiven ? [flag] : []));
  if (twice.length === 0) return plan;
  throw new CliError(`a plan is applied as it was made, so ${twice.join(' and ')} cannot be added`, {
    exit: 'usage',
    next: 'leave it out, or make a new plan with `uptime apply --out`',
  });
}

function outFlag(flags: RawFlags): string | null {
  const out = textFlag(flags, 'out');
  if (out === undefined) return null;
  const fault =
    out === ''
      ? '--out is empty: is a variable not set?'
      : listFlag(flags, 'file').includes('-')
        ? 'a plan needs a manifest that apply can read again, and standard input cannot be read twice'
        : null;
  if (fault !== null)
    throw new CliError(fault, { exit: 'usage', next: 'type `uptime apply -f monitors.yaml --out plan.json`' });
  return out;
}
