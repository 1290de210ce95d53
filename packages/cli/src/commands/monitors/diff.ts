import { type Format, output } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { fileFlag, readFiles } from '../file-flag.ts';
import { formatFlag, readFormat } from '../../flags/output-flags.ts';

interface DiffOptions {
  settings: SettingFlags;
  format: Format;
  files: string[];
  prune: boolean;
  detailedExitCode: boolean;
}

export const diffMonitors = command<DiffOptions>({
  path: 'monitors diff',
  aliases: ['diff'],
  summary: 'show what apply would change, without changing it',
  examples: ['diff', 'monitors diff -f monitors.yaml --prune --detailed-exitcode'],
  define: (command) => {
    fileFlag(command)
      .option('--prune', 'also show what apply --prune would delete')
      .option('--detailed-exitcode', 'exit with 0 if nothing changes, with 2 if something changes');
    formatFlag(command);
  },
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    format: readFormat(flags),
    files: readFiles(flags),
    prune: isSet(flags, 'prune'),
    detailedExitCode: isSet(flags, 'detailedExitcode'),
  }),

  async run(options, context) {
    const { makePlan } = await import('../../plan/make.ts');
    const { renderText } = await import('../../plan/render-text.ts');
    const { renderJson } = await import('../../plan/render-json.ts');
    const { plan } = await makePlan(options, context);
    await output(context.io, options.format, renderJson(plan), () => renderText(plan, context.io.out));
    return options.detailedExitCode && plan.changes.length > 0 ? 'usage' : 'ok';
  },
});
