import type { Monitor } from '@uptime/sdk';
import type { Command } from 'commander';
import type { Io } from '../../io.ts';
import { type Format, output, pairs } from '../../output.ts';
import { isSensitive, withoutPassword } from '../../plan/secrets.ts';
import { isSet, type RawFlags } from '../command.ts';
import { quietFormatFlag, readFormat } from '../format-flag.ts';

/** How a monitor is printed. */
export interface Shown {
  format: Format;
  quiet: boolean;
}

export const shownFlags = (command: Command): void => quietFormatFlag(command);

export const readShown = (flags: RawFlags): Shown => ({ format: readFormat(flags), quiet: isSet(flags, 'quiet') });

/** Prints one monitor with all its fields, or its id alone. */
export async function showMonitor(io: Io, monitor: Monitor, { format, quiet }: Shown): Promise<void> {
  if (quiet) return io.print(monitor.id);
  await output(io, format, monitor, () =>
    pairs(Object.entries(monitor).map(([field, value]) => [field, show(field, value)])),
  );
}

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
