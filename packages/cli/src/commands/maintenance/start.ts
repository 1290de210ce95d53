import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { duration } from '../../flags/duration.ts';
import { readWindow, type WindowFields, windowFlags } from './window-flags.ts';

interface StartOptions extends Shown {
  settings: SettingFlags;
  window: WindowFields;
  lengthMs: number;
}

export const startMaintenance = command<StartOptions>({
  path: 'maintenance start',
  summary: 'start a maintenance window now; it ends by itself, and its monitors send no alerts until then',
  examples: [
    'maintenance start --monitors shop --for 30m',
    "maintenance start --monitors shop,nightly-backup --for 2h --title 'Database move' --message 'The shop is read-only.'",
  ],
  define: (command) => {
    windowFlags(command);
    shownFlags(command.requiredOption('--for <time>', 'how long it lasts, such as 30m or 1h30m', duration));
  },
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    window: readWindow(flags, 'maintenance start'),
    lengthMs: flags['for'] as number,
  }),

  async run({ settings, window: fields, lengthMs, ...shown }, context) {
    const { windowInput } = await import('./window-input.ts');
    const { openWindow } = await import('./open-window.ts');
    const { printWindow } = await import('./print-window.ts');
    const { input, connection } = await windowInput(fields, { command: 'maintenance start' }, settings, context);
    const window = await openWindow(connection.client, input, lengthMs, Date.now());
    await printWindow(window, shown, connection);
    return 'ok';
  },
});
