import type { Monitor } from '@uptime/sdk';
import { type Format, output, pairs } from '../../output.ts';
import { isSensitive, withoutPassword } from '../../plan/secrets.ts';
import type { SettingFlags } from '../../settings.ts';
import { command, settingFlags } from '../command.ts';
import { formatFlag, readFormat } from '../format-flag.ts';

interface GetOptions {
  settings: SettingFlags;
  format: Format;
  monitor: string;
}

export const getMonitor = command<GetOptions>({
  path: 'monitors get',
  summary: 'show one monitor with all its fields',
  examples: ['monitors get nightly-backup', 'monitors get nightly-backup -o yaml'],
  define: (command) => {
    command.argument('<monitor>', 'its id, key or name');
    formatFlag(command);
  },
  parse: ([monitor], flags) => ({
    settings: settingFlags(flags),
    format: readFormat(flags),
    monitor: monitor ?? '',
  }),

  async run({ settings, format, monitor: word }, context) {
    const client = await context.connect(settings);
    const { findMonitor } = await import('./find.ts');
    const monitor = await findMonitor(client, word, context.signal);
    await output(context.io, format, monitor, () => pairs(fields(monitor)));
    return 'ok';
  },
});

const fields = (monitor: Monitor): [string, string][] =>
  Object.entries(monitor).map(([field, value]) => [field, show(field, value)]);

function show(field: string, value: unknown): string {
  if (value === null) return '-';
  if (typeof value === 'string') return withoutPassword(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, inner]) => {
    if (Array.isArray(value)) return String(inner);
    return `${name}: ${isSensitive(`${field}.${name}`) ? '(not shown)' : String(inner)}`;
  });
  return entries.length === 0 ? '-' : entries.join(', ');
}
