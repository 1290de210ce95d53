import type { Monitor } from '@uptime/sdk';
import type { Command } from 'commander';
import type { Io } from '../../io.ts';
import { type Format, output, pairs } from '../../output.ts';
import { withoutSecrets } from '../../plan/secrets.ts';
import { isSet, type RawFlags } from '../command.ts';
import { quietFormatFlag, readFormat } from '../format-flag.ts';

/** How a monitor is printed. */
export interface Shown {
  format: Format;
  quiet: boolean;
}

export const shownFlags = (command: Command): void => quietFormatFlag(command);

export const readShown = (flags: RawFlags): Shown => ({ format: readFormat(flags), quiet: isSet(flags, 'quiet') });

/** Prints one monitor with all its fields, or its id alone. What is secret in it stays with the server. */
export async function showMonitor(io: Io, monitor: Monitor, { format, quiet }: Shown): Promise<void> {
  if (quiet) return io.print(monitor.id);
  const shown = withoutSecrets(monitor);
  await output(io, format, shown, () => pairs(Object.entries(shown).map(([field, value]) => [field, show(value)])));
}

function show(value: unknown): string {
  if (value === null) return '-';
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Array.isArray(value)
    ? value.map(String)
    : Object.entries(value).map(([name, inner]) => `${name}: ${String(inner)}`);
  return entries.length === 0 ? '-' : entries.join(', ');
}
