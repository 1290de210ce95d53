import { CliError, type ExitName } from '../../exit.ts';
import type { Format } from '../../output.ts';
import type { Made } from '../../plan/make.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { confirm, yesFlag } from '../../prompts/confirm.ts';
import { whole } from '../../flags/whole.ts';
import { fileFlag, readFiles } from '../file-flag.ts';
import { formatFlag, readFormat } from '../../flags/output-flags.ts';

interface ApplyCommandOptions {
  settings: SettingFlags;
  format: Format;
  files: string[];
  dryRun: boolean;
  yes: boolean;
  prune: boolean;
  allowDeletes: boolean;
  detailedExitCode: boolean;
  concurrency: number;
}

export const applyMonitors = command<ApplyCommandOptions>({
  path: 'monitors apply',
  aliases: ['apply'],
  summary: 'change the server to match a manifest',
  examples: ['apply --dry-run', 'monitors apply -f monitors.yaml --yes'],
  define: (command) => {
    yesFlag(fileFlag(command).option('--dry-run', 'print what would change, and change nothing'))
      .option('--prune', 'also delete objects that the manifest lacks, of each kind that it lists')
      .option('--allow-deletes', 'allow --prune to delete more than 30 % of ten or more resources')
      .option('--detailed-exitcode', 'exit with 0 if nothing changes, with 2 if something changes')
      .option('--concurrency <n>', 'number of requests at once', whole(1, 64), 8);
    formatFlag(command);
  },
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    format: readFormat(flags),
    files: readFiles(flags),
    dryRun: isSet(flags, 'dryRun'),
    yes: isSet(flags, 'yes'),
    prune: isSet(flags, 'prune'),
    allowDeletes: isSet(flags, 'allowDeletes'),
    detailedExitCode: isSet(flags, 'detailedExitcode'),
    concurrency: flags['concurrency'] as number,
  }),

  async run(options, context) {
    const { io } = context;
    const { makePlan } = await import('../../plan/make.ts');
    const { renderText, counts } = await import('../../plan/render-text.ts');
    const { renderJson } = await import('../../plan/render-json.ts');
    const { readGaps, sayGaps } = await import('../../gaps/read-gaps.ts');
    const made = await makePlan(options, context);
    const { client, plan } = made;
    const { readUsage } = await import('../../usage/read-usage.ts');
    const { sayUsage, usageOfPlan } = await import('../../usage/usage-of-plan.ts');
    const { refuseBeyondLimits } = await import('../../usage/refuse-beyond-limits.ts');
    const usage = plan.changes.length === 0 ? null : await readUsage(client, context.signal);
    const planned = usage ? usageOfPlan(plan, usage) : [];
    const changed: ExitName = options.detailedExitCode ? 'usage' : 'ok';
    const json = options.format !== 'table';
    if (!json) io.print(renderText(plan, io.out));
    else io.say(counts(plan));
    if (planned.length > 0) (json ? io.say : io.print)(sayUsage(planned, usage!));
    if (usage) refuseBeyondLimits(plan, planned, usage);

    sayGaps(await readGaps(made, context), context);
    if (plan.changes.length === 0 || options.dryRun) {
      const { tellPlan } = await import('../../plan/tell.ts');
      await tellPlan(plan, options.format, io, { pingUrls: !options.dryRun, rendered: renderJson(plan) });
      return plan.changes.length === 0 ? 'ok' : changed;
    }
    await checkSafety(made, options);
    const these = plan.changes.length === 1 ? 'this change' : `these ${plan.changes.length} changes`;
    const next = 'add --yes to apply the plan, or --dry-run to only see it';
    await confirm({ message: `Apply ${these}?`, yes: options.yes, next, taken: options.files.includes('-') }, context);

    const { applyPlan } = await import('../../plan/apply.ts');
    const { showProgress } = await import('../../plan/progress.ts');
    const { tellApplied } = await import('../../plan/tell.ts');
    const progress = await showProgress(io, plan.changes);
    const applied = await applyPlan(plan, (kind) => kind.collection(client), {
      concurrency: options.concurrency,
      signal: context.signal,
      onDone: progress.done,
    });
    progress.end();
    const exit = await tellApplied(plan, applied, options.format, context);
    return exit === 'ok' ? changed : exit;
  },
});

async function checkSafety({ plan, existing }: Made, { allowDeletes }: ApplyCommandOptions): Promise<void> {
  const { tooManyDeletes } = await import('../../plan/safety.ts');
  const refusal = allowDeletes ? null : tooManyDeletes(plan, existing);
  if (refusal) throw new CliError(refusal, { exit: 'usage', next: 'if you mean this, add --allow-deletes' });
}
