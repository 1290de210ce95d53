import type { Monitor } from '@uptime/sdk';
import type { Io } from '../../io.ts';
import { type ListColumn, listTable, timeColumn } from '../../list-table.ts';
import { plain } from '../../output.ts';
import { withoutSecrets } from '../../secrets.ts';
import { duration } from '../../times.ts';
import { showResource } from '../show-resource.ts';
import type { Shown } from '../../flags/output-flags.ts';
import type { DownTime } from './read-down-time.ts';
import { statusColour } from './status-colour.ts';

/**
 * Prints a monitor with all its fields except secrets, or only its id. If the monitor is down, a table also says since
 * when and why.
 */
export async function showMonitor(io: Io, monitor: Monitor, shown: Shown, down: DownTime | null = null): Promise<void> {
  const safe = withoutSecrets(monitor);
  const { secretsError, regionResults, ...fields } = { secretsError: null, regionResults: [], ...safe };
  const inTable = secretsError === null ? fields : { ...fields, secretsError };
  await showFields(io, safe, shown, { monitor, inTable, down });
  if (shown.format !== 'table' || shown.quiet || regionResults.length === 0) return;
  io.print(`\n${listTable(io, regionResults, resultColumns(io))}`);
}

/** The columns of the table with the latest result of each region. */
const resultColumns = ({ out }: Io): ListColumn<RegionResult>[] => [
  { title: 'REGION', value: ({ region }) => region },
  { title: 'STATUS', value: ({ status }) => status, short: ({ status }) => resultColour(out, status)(status) },
  { title: 'TOOK', value: ({ responseTime }) => (responseTime === null ? '-' : `${Math.round(responseTime)} ms`) },
  { title: 'CODE', value: ({ statusCode }) => (statusCode === null ? '-' : String(statusCode)) },
  timeColumn('CHECKED', { read: ({ checkedAt }) => checkedAt, now: Date.now() }),
  { title: 'WHY', value: ({ error }) => (error ? `${error.code}: ${error.message}` : ''), cut: true },
];

type RegionResult = NonNullable<Monitor['regionResults']>[number];

const resultColour = (out: Io['out'], status: RegionResult['status']) =>
  status === 'unknown' ? out.yellow : statusColour(out, status);

interface ShownFields {
  monitor: Monitor;
  inTable: object;
  down: DownTime | null;
}

async function showFields(
  io: Io,
  safe: { id: string },
  shown: Shown,
  { monitor, inTable, down }: ShownFields,
): Promise<void> {
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
