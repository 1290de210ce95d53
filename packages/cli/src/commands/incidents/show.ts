import type { Incident, Uptime } from '@uptime/sdk';
import type { Io } from '../../io.ts';
import { output, pairs } from '../../output.ts';
import { table } from '../../table.ts';
import { readMonitorNames } from '../monitor-names.ts';
import type { Shown } from '../show.ts';

/** Prints an incident with its timeline, or only its id. A table names its monitors. */
export async function showIncident(
  io: Io,
  incident: Incident,
  { format, quiet }: Shown,
  { client, signal }: { client: Uptime; signal: AbortSignal },
): Promise<void> {
  if (quiet) return io.print(incident.id);
  const { monitorIds } = incident;
  const names = format === 'table' && monitorIds.length > 0 ? await readMonitorNames(client, signal) : String;
  await output(io, format, incident, () => {
    const fields = pairs([
      ['id', incident.id],
      ['title', incident.title],
      ['status', incident.status],
      ['monitors', monitorIds.map(names).join(', ') || '-'],
      ...(incident.maintenance
        ? ([
            ['scheduledStart', incident.scheduledStart ?? '-'],
            ['scheduledEnd', incident.scheduledEnd ?? '-'],
          ] as const)
        : ([['startedAt', incident.startedAt]] as const)),
      ['resolvedAt', incident.resolvedAt ?? '-'],
    ]);
    return incident.updates.length === 0 ? fields : `${fields}\n\n${timeline(incident)}`;
  });
}

const timeline = ({ updates }: Incident): string =>
  table(updates, [
    { title: 'TIME', value: ({ createdAt }) => createdAt },
    { title: 'STATUS', value: ({ status }) => status },
    { title: 'MESSAGE', value: ({ message }) => message.replaceAll(/\s*\n\s*/g, ' ') || '-' },
  ]);
