import type { Incident, Uptime } from '@uptime/sdk';
import type { Io } from '../../io.ts';
import { plain } from '../../output.ts';
import { showIncident } from '../incidents/show.ts';
import type { Shown } from '../../flags/output-flags.ts';
import { tellInstant } from '../../flags/instant.ts';

/** Prints a window, with its start and end in local time. */
export async function tellWindow(
  io: Io,
  window: Incident,
  shown: Shown,
  server: { client: Uptime; signal: AbortSignal },
): Promise<void> {
  const [start, end] = [window.scheduledStart, window.scheduledEnd].map((at) => tellInstant(Date.parse(at ?? '')));
  if (!shown.quiet) io.say(`${JSON.stringify(plain(window.title))} from ${start} to ${end}.`);
  await showIncident(io, window, shown, server);
}
