import type { RangeQuery, Uptime } from '@uptime/sdk';
import type { Io } from '../../io.ts';
import { type ListColumn, listTable } from '../../list-table.ts';
import type { View } from './history.ts';

export interface History {
  rows: readonly unknown[];
  /** Renders the rows as a table. */
  render: (io: Io) => string;
}

interface Query {
  view: View;
  range: RangeQuery;
  /** Reads only checks from this region. */
  region?: string | undefined;
  signal: AbortSignal;
}

/** Reads one kind of a monitor's history. Returns the rows, and a function that renders them. */
export async function readHistory(
  client: Uptime,
  id: string,
  { view, range, region, signal }: Query,
): Promise<History> {
  const { monitors } = client;
  if (view === 'changes') {
    return history(await monitors.events(id, range, { signal }), [
      { title: 'TIME', value: ({ timestamp }) => timestamp },
      { title: 'FROM', value: ({ from }) => from },
      { title: 'TO', value: ({ to }) => to },
      { title: 'WHY', value: ({ error }) => why(error), cut: true },
    ]);
  }
  if (view === 'days') {
    return history(await monitors.dailyUptime(id, range, { signal }), [
      { title: 'DATE', value: ({ date }) => date },
      { title: 'UPTIME', value: ({ uptime }) => (uptime === null ? '-' : `${Math.floor(uptime * 1000) / 1000} %`) },
      { title: 'MAINTENANCE', value: ({ maintenanceSeconds }) => `${maintenanceSeconds ?? 0} s` },
    ]);
  }
  if (view === 'checks') {
    return history(await monitors.responseTimes(id, { ...range, ...(region && { region }) }, { signal }), [
      { title: 'TIME', value: ({ timestamp }) => timestamp },
      { title: 'STATUS', value: ({ status }) => status ?? '-' },
      { title: 'TOOK', value: ({ responseTime }) => (responseTime === null ? '-' : `${Math.round(responseTime)} ms`) },
      { title: 'REGION', value: ({ region }) => region ?? '-' },
      { title: 'WHY', value: ({ error }) => why(error), cut: true },
    ]);
  }
  return history(await monitors.heartbeatMetrics(id, range, { signal }), [
    { title: 'TIME', value: ({ timestamp }) => timestamp },
    { title: 'STATUS', value: ({ status }) => status ?? '-' },
    { title: 'DURATION', value: ({ duration }) => (duration == null ? '-' : `${Math.round(duration)} ms`) },
    {
      title: 'METRICS',
      value: ({ metrics }) =>
        Object.entries(metrics)
          .map(([name, value]) => `${name}=${value}`)
          .join(' '),
    },
  ]);
}

const history = <T>(rows: readonly T[], columns: readonly ListColumn<T>[]): History => ({
  rows,
  render: (io) => listTable(io, rows, columns),
});

const why = (error: { code: string; message: string } | null | undefined): string =>
  error ? `${error.code}: ${error.message}` : '';
