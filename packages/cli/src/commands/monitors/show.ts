import type { Monitor } from '@uptime/sdk';
import type { Io } from '../../io.ts';
import { plain } from '../../output.ts';
import { withoutSecrets } from '../../plan/secrets.ts';
import { duration } from '../../times.ts';
import { type Shown, showResource } from '../show.ts';
import type { DownTime } from './read-down-time.ts';
import { statusColour } from './status-colour.ts';

/**
 * Prints a monitor with all its fields except secrets, or only its id. If it is down, a table also says since when and
 * why.
 */
export async function showMonitor(io: Io, monitor: Monitor, shown: Shown, down: DownTime | null = null): Promise<void> {
  const safe = withoutSecrets(monitor);
  if (!down) return showResource(io, safe, shown);
  if (io.stdout.isTTY && shown.format === 'table' && !shown.quiet) {
    const { status } = monitor;
    const line = `Down for ${duration(Date.now() - Date.parse(down.since))}: ${plain(down.reason)}`;
    io.print(`${statusColour(io.out, status)(line)}\n`);
  }
  const entries = Object.entries(safe).flatMap(([field, value]) =>
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
