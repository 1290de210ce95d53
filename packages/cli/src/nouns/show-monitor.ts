import type { Monitor } from '@uptime/sdk';
import type { Io } from '../io.ts';
import { plain } from '../output.ts';
import { withoutSecrets } from '../secrets.ts';
import { mask } from '../mask.ts';
import { duration } from '../times.ts';
import { showResource } from './show-resource.ts';
import type { Shown } from '../flags/output-flags.ts';
import type { DownTime } from './read-down-time.ts';
import { statusColour } from './status-colour.ts';

/**
 * Prints a monitor with all its fields except secrets, or only its id. If it is down, a table also says since when and
 * why.
 */
export async function showMonitor(io: Io, monitor: Monitor, shown: Shown, down: DownTime | null = null): Promise<void> {
  const safe = withoutSecrets(monitor);
  const inTable = shown.format === 'table' ? await tableFields(safe) : safe;
  if (!down) return showResource(io, safe, shown, inTable);
  if (io.stdout.isTTY && shown.format === 'table' && !shown.quiet) {
    const { status } = monitor;
    const line = `Down for ${duration(Date.now() - Date.parse(down.since))}: ${plain(down.reason)}`;
    io.print(`${statusColour(io.out, status)(line)}\n`);
  }
  const entries = Object.entries(inTable).flatMap(([field, value]) =>
    field === 'status'
      ? [
          [field, value],
          ['downSince', down.since],
          ['reason', down.reason],
        ]
      : [[field, value]],
  );
  return showResource(io, safe, shown, Object.fromEntries(entries) as object);
}

/** Returns the fields to show: possible credentials are masked, and an absent error is left out. */
async function tableFields(monitor: Monitor): Promise<object> {
  const { isSecretOfMonitor } = await import('../kinds/monitor.ts');
  const fields = Object.entries(monitor).filter(([field, value]) => field !== 'secretsError' || value !== null);
  return Object.fromEntries(fields.map(([field, value]: [string, unknown]) => [field, masked(field, value)]));

  function masked(path: string, value: unknown): unknown {
    if (typeof value === 'string') return value !== '' && isSecretOfMonitor(path) ? mask : value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, masked(`${path}.${name}`, inner)]));
  }
}
