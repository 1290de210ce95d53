import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { duration } from '../../flags/duration.ts';
import { instant } from '../../flags/instant.ts';
import { readWindow, type WindowFields, windowFlags } from './window-flags.ts';

interface ScheduleOptions extends Shown {
  settings: SettingFlags;
  window: WindowFields;
  start: number;
  end: number;
}

export const scheduleMaintenance = command<ScheduleOptions>({
  path: 'maintenance schedule',
  summary: 'schedule a maintenance window; status pages announce it',
  examples: [
    'maintenance schedule --monitors shop --start 2030-05-01T02:00:00Z --end 2030-05-01T04:00:00Z',
    "maintenance schedule --monitors shop --start '2030-05-01 02:00' --for 2h --title 'Database move'",
  ],
  define: (command) => {
    windowFlags(command);
    command
      .option('--start <time>', 'date and time, such as 2030-05-01T02:00:00Z; local time without a zone', instant)
      .option('--end <time>', 'end, in the same form', instant)
      .option('--for <time>', 'duration instead of --end, such as 30m or 1h30m', duration);
    shownFlags(command);
  },
  parse: (_args, flags) => {
    const { start, end, for: length } = flags as { start?: number; end?: number; for?: number };
    const faults = [
      ...(start === undefined ? ['--start is required'] : []),
      ...(end === undefined && length === undefined ? ['--end or --for is required'] : []),
      ...(end !== undefined && length !== undefined ? ['--end and --for both set the end: leave one out'] : []),
      ...(start !== undefined && end !== undefined && end <= start ? ['--end must be after --start'] : []),
    ];
    const window = readWindow(flags, 'maintenance schedule', faults);
    return { settings: settingFlags(flags), ...readShown(flags), window, start: start!, end: end ?? start! + length! };
  },

  async run({ settings, window, start, end, ...shown }, context) {
    const { windowInput } = await import('./window-input.ts');
    const { printWindow } = await import('./print-window.ts');
    const [scheduledStart, scheduledEnd] = [start, end].map((at) => new Date(at).toISOString());
    const times = { maintenance: true, scheduledStart, scheduledEnd };
    const command = 'maintenance schedule';
    const { input, connection } = await windowInput(window, { command, times }, settings, context);
    const { client, signal } = connection;
    await printWindow(await client.incidents.create(input, { signal }), shown, connection);
    return 'ok';
  },
});
