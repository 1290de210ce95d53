import type { CliCommand } from '../../command.ts';
import { monitors } from '../../nouns/monitors.ts';
import { onOne } from '../../verbs/on-one.ts';

/** Creates the command that pauses a monitor, or the command that resumes it. */
const setPaused = (verb: 'pause' | 'resume', summary: string): CliCommand =>
  onOne(monitors, {
    verb,
    summary,
    examples: [`monitors ${verb} nightly-backup`, `monitors ${verb} nightly-backup --quiet`],

    async run({ id }, shown, connection) {
      const { client, signal } = connection;
      const monitor = await client.monitors.update(id, { paused: verb === 'pause' }, { signal });
      await monitors.show(monitor, shown, connection);
    },
  });

export const pauseMonitor = setPaused('pause', 'pause a monitor: no checks, no alerts, not counted in uptime');
export const resumeMonitor = setPaused('resume', 'check a paused monitor again');
