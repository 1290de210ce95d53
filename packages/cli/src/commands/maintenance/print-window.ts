import type { Incident } from '@uptime/sdk';
import type { Connection } from '../../connection.ts';
import { formatInstant } from '../../flags/instant.ts';
import type { Shown } from '../../flags/output-flags.ts';
import { maintenance } from '../../nouns/maintenance.ts';
import { plain } from '../../output.ts';

/** Prints a window, with its start and end in local time. */
export async function printWindow(window: Incident, shown: Shown, connection: Connection): Promise<void> {
  const [start, end] = [window.scheduledStart, window.scheduledEnd].map((at) => formatInstant(Date.parse(at ?? '')));
  if (!shown.quiet) connection.io.say(`${JSON.stringify(plain(window.title))} from ${start} to ${end}.`);
  await maintenance.show(window, shown, connection);
}
