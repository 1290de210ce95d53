import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import type { ManifestChoice } from '../../manifest/manifest-choice.ts';
import { fileFlag, readManifestChoice } from '../file-flag.ts';
import { type PlanFormat, planFormatFlag, readPlanFormat } from '../../flags/plan-format-flag.ts';
import { printPlan, withReportedFaults } from './print-plan.ts';

interface DiffOptions {
  settings: SettingFlags;
  format: PlanFormat;
  manifest: ManifestChoice;
  prune: boolean;
  takeOver: boolean;
  detailedExitCode: boolean;
}

export const diffMonitors = command<DiffOptions>({
  path: 'monitors diff',
  aliases: ['diff'],
  summary: 'show what apply would change, without changing it',
  examples: ['diff', 'monitors diff -f monitors.yaml --prune --exit-code'],
  define: (command) => {
    fileFlag(command)
      .option('--prune', 'also show what apply --prune would delete')
      .option('--take-over', 'also show what apply --take-over would change')
      .option('--exit-code', 'exit with 0 if nothing differs, with 2 if something differs')
      .option('--detailed-exitcode', 'the same as --exit-code');
    planFormatFlag(command);
  },
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    format: readPlanFormat(flags),
    manifest: readManifestChoice(flags),
    prune: isSet(flags, 'prune'),
    takeOver: isSet(flags, 'takeOver'),
    detailedExitCode: isSet(flags, 'exitCode') || isSet(flags, 'detailedExitcode'),
  }),

  async run(options, context) {
    const { makePlan } = await import('../../plan/make.ts');
    const { renderText } = await import('../../plan/render-text.ts');
    const { renderJson } = await import('../../plan/render-json.ts');
    const about = { format: options.format, manifest: options.manifest };
    const { plan } = await withReportedFaults(about, context, () => makePlan(options, context));
    const print = printPlan({ ...about, plan, warnings: [] }, context);
    await print(renderJson(plan), () => renderText(plan, context.io.out), []);
    return options.detailedExitCode && plan.changes.length > 0 ? 'usage' : 'ok';
  },
});
