import type { Context } from '../../context.ts';
import { CliError, type ExitName } from '../../exit.ts';
import type { PlanFormat } from '../../flags/plan-format-flag.ts';
import type { ManifestChoice } from '../../manifest/manifest-choice.ts';
import type { PreparedPlan } from '../../plan/make.ts';
import { confirm } from '../../prompts/confirm.ts';
import type { SavedPlan } from '../../saved-plan/saved-plan.ts';
import type { SettingFlags } from '../../settings.ts';
import { projectOf } from '../project-of.ts';
import { printPlan, withReportedFaults } from './print-plan.ts';

export interface ApplyCommandOptions {
  settings: SettingFlags;
  format: PlanFormat;
  manifest: ManifestChoice;
  /** The path of the plan file to carry out; null to make a new plan. */
  plan: string | null;
  /** The path of the file for the new plan; null for no file. */
  out: string | null;
  dryRun: boolean;
  yes: boolean;
  prune: boolean;
  takeOver: boolean;
  allowDeletes: boolean;
  detailedExitCode: boolean;
  concurrency: number;
}

/** Makes a plan, or reads a saved plan. Then shows it, writes it to a file, or carries it out. */
export async function runApply(commandOptions: ApplyCommandOptions, context: Context): Promise<ExitName> {
  const { io } = context;
  const { renderText, counts } = await import('../../plan/render-text.ts');
  const { renderJson } = await import('../../plan/render-json.ts');
  const { readGaps, sayGaps } = await import('../../gaps/read-gaps.ts');
  const saved = commandOptions.plan === null ? null : await readSaved(commandOptions.plan, context);
  const options = saved
    ? { ...commandOptions, ...saved.flags, allowDeletes: commandOptions.allowDeletes || saved.flags.allowDeletes }
    : commandOptions;
  const { format, manifest } = options;

  const { prepared, gaps } = await withReportedFaults({ format, manifest }, context, async () => {
    const prepared = await planFrom(options, saved, context);
    const limits = await checkLimits(prepared, context);
    if (format === 'text') io.print(renderText(prepared.plan, io.out));
    else io.say(counts(prepared.plan));
    if (limits.text !== '') (format === 'text' ? io.print : io.say)(limits.text);
    limits.refuse();
    return { prepared, gaps: await readGaps(prepared, context) };
  });
  sayGaps(gaps, context);
  const { plan, client } = prepared;
  const print = { format, manifest, plan, warnings: [...gaps.regions, ...gaps.unwatched] };
  const changed: ExitName = options.detailedExitCode ? 'usage' : 'ok';
  const isKept = options.dryRun || options.out !== null;
  if (options.out !== null) await writeSaved(prepared, options, options.out, context);
  if (plan.changes.length === 0 || isKept) {
    const { printPlanOutcome } = await import('../../plan/print-outcome.ts');
    await printPlanOutcome(plan, printPlan(print, context), io, { pingUrls: !isKept, rendered: renderJson(plan) });
    return plan.changes.length === 0 ? 'ok' : changed;
  }
  await checkSafety(prepared, options);
  const these = plan.changes.length === 1 ? 'this change' : `these ${plan.changes.length} changes`;
  const next = 'add --yes to apply the plan, or --dry-run to only see it';
  // The user could read a saved plan before this run, so the run does not ask for confirmation.
  const yes = options.yes || saved !== null;
  await confirm({ message: `Apply ${these}?`, yes, next, taken: manifest.files.includes('-') }, context);

  const { applyPlan } = await import('../../plan/apply.ts');
  const { withoutUnknownOwner } = await import('../../plan/without-unknown-owner.ts');
  const { waitWhenAsked } = await import('../../plan/wait-when-asked.ts');
  const { showProgress } = await import('../../plan/progress.ts');
  const { printApplyOutcome } = await import('../../plan/print-outcome.ts');
  const progress = await showProgress(io, plan.changes);
  const withWaits = waitWhenAsked({ signal: context.signal, onWait: progress.waits });
  const applied = await applyPlan(plan, (kind) => withWaits(withoutUnknownOwner(kind.collection(client))), {
    concurrency: options.concurrency,
    signal: context.signal,
    onDone: progress.done,
  });
  progress.end();
  const end = { plan, applied, isSaved: saved !== null };
  const exit = await printApplyOutcome(end, printPlan({ ...print, applied }, context), context);
  return exit === 'ok' ? changed : exit;
}

async function planFrom(
  options: ApplyCommandOptions,
  saved: SavedPlan | null,
  context: Context,
): Promise<PreparedPlan> {
  const { makePlan } = await import('../../plan/make.ts');
  if (!saved) return makePlan(options, context);
  const { remakePlan } = await import('../../saved-plan/make-saved-plan.ts');
  return remakePlan(saved, options.settings, await targetOf(options, context), context);
}

async function readSaved(path: string, context: Context): Promise<SavedPlan> {
  const { readPlanFile } = await import('../../saved-plan/plan-file.ts');
  return readPlanFile(path, context.cwd);
}

async function writeSaved(
  prepared: PreparedPlan,
  options: ApplyCommandOptions,
  out: string,
  context: Context,
): Promise<void> {
  const { savedPlanOf } = await import('../../saved-plan/make-saved-plan.ts');
  const { writePlanFile } = await import('../../saved-plan/plan-file.ts');
  const { manifest, prune, takeOver, allowDeletes } = options;
  const target = await targetOf(options, context);
  const saved = await savedPlanOf(prepared, { manifest, prune, takeOver, allowDeletes }, target, context.env);
  await writePlanFile(out, saved, context.cwd);
  context.io.say(`Wrote the plan to ${out}; \`uptime apply ${out}\` carries it out.`);
}

async function targetOf({ settings }: ApplyCommandOptions, context: Context) {
  const project = await projectOf(await context.connect(settings), context.signal);
  return { project: project?.id ?? null, siteUrl: context.settings(settings).siteUrl.value };
}

/**
 * Compares a plan with the limits of the project. The returned `refuse` throws a CliError if the plan exceeds a limit.
 */
async function checkLimits({ client, plan }: PreparedPlan, context: Context) {
  const { readUsage } = await import('../../usage/read-usage.ts');
  const { sayUsage, usageOfPlan } = await import('../../usage/usage-of-plan.ts');
  const { refuseBeyondLimits } = await import('../../usage/refuse-beyond-limits.ts');
  const usage = plan.changes.length === 0 ? null : await readUsage(client, context.signal);
  const planned = usage ? usageOfPlan(plan, usage) : [];
  return {
    text: usage ? sayUsage(planned, usage) : '',
    refuse: () => usage && refuseBeyondLimits(plan, planned, usage),
  };
}

async function checkSafety({ plan, existing }: PreparedPlan, { allowDeletes }: ApplyCommandOptions): Promise<void> {
  const { tooManyDeletes } = await import('../../plan/too-many-deletes.ts');
  const refusal = allowDeletes ? null : tooManyDeletes(plan, existing);
  if (refusal) throw new CliError(refusal, { exit: 'usage', next: 'to delete them, add --allow-deletes' });
}
