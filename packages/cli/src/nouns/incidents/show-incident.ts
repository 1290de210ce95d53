import type { Incident } from '@uptime/sdk';
import type { Connection } from '../../connection.ts';
import { output, pairs, plain } from '../../output.ts';
import { table } from '../../table.ts';
import { relativeWithTime } from '../../times.ts';
import { readNamesById } from '../read-names-by-id.ts';
import type { Shown } from '../../flags/output-flags.ts';

/** Prints an incident with its timeline, or only its id. In a table, the names of its monitors replace their ids. */
export async function showIncident(
  incident: Incident,
  { format, quiet }: Shown,
  connection: Connection,
): Promise<void> {
  const { io } = connection;
  if (quiet) return io.print(incident.id);
  const { monitorIds } = incident;
  const names = format === 'table' && monitorIds.length > 0 ? await readNamesById(['monitors'], connection) : String;
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
    return incident.updates.length === 0
      ? fields
      : `${fields}\n\n${io.stdout.isTTY ? story(incident, io.stdout.columns || 80) : timeline(incident)}`;
  });
}

/**
 * Renders the timeline for people: each message below its time and status, with line breaks between words. A word that
 * is longer than a line is not broken, so that an address can be copied.
 */
const story = ({ updates }: Incident, width: number): string =>
  updates
    .map(({ createdAt, status, message }) => {
      const line = plain(message.replaceAll(/\s*\n\s*/g, ' '));
      const wrapped = line
        .replaceAll(new RegExp(`(.{1,${Math.max(20, width - 2)}}|\\S+)(?:\\s+|$)`, 'gu'), '  $1\n')
        .trimEnd();
      return [`${relativeWithTime(createdAt, Date.now())}: ${status}`, ...(line === '' ? [] : [wrapped])].join('\n');
    })
    .join('\n');

const timeline = ({ updates }: Incident): string =>
  table(updates, [
    { title: 'TIME', value: ({ createdAt }) => createdAt },
    { title: 'STATUS', value: ({ status }) => status },
    { title: 'MESSAGE', value: ({ message }) => message.replaceAll(/\s*\n\s*/g, ' ') || '-' },
  ]);
