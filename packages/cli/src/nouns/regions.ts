import type { Region } from '@uptime/sdk';
import type { Server } from '../connection.ts';
import { timeColumn } from '../list-table.ts';
import type { Listing } from './noun.ts';
import { faultOf, unstopped } from './probes.ts';

/** A region with an id, because `--quiet` prints ids. The id is the region's name. */
type NamedRegion = Region & { id: string };

/** The noun for regions. They can only be listed. */
export const regions = {
  word: 'regions',

  list: {
    summary: 'list the regions that checks run from, and their probes',
    examples: ['regions list', 'regions list -o json'],
    read: async ({ client, signal }: Server) =>
      (await client.regions.list({ signal })).map((region) => ({ ...region, id: region.name })),
    columns: ({ now, paint }) => [
      { title: 'NAME', value: ({ name }) => name },
      {
        title: 'SERVED',
        value: ({ served }) => (served ? 'yes' : 'no'),
        short: ({ served, status }) => (served ? 'yes' : paint.red(status === 'unknown' ? 'no: silent' : 'no')),
      },
      { title: 'PROBES', value: ({ probes }) => String(unstopped(probes).length) },
      {
        title: 'VERSION',
        value: ({ probes }) => [...new Set(unstopped(probes).map(({ version }) => version))].join(' '),
      },
      { title: 'LAG', value: ({ probes }) => lag(probes) },
      timeColumn('SEEN', { read: ({ lastSeenAt }) => lastSeenAt, now }),
      { title: 'FAULT', value: ({ probes }) => faultOf(probes), cut: true },
    ],
    data:
      async () =>
      ({ name, served, status, lastSeenAt, probes }: NamedRegion) => ({ name, served, status, lastSeenAt, probes }),
  } satisfies Listing<NamedRegion>,
} as const;

/** Returns the largest lag. The lag of a silent probe is that of its last report, so it is left out. */
function lag(probes: Region['probes']): string {
  const seconds = probes.filter(({ live }) => live).map(({ lagSeconds }) => lagSeconds);
  return seconds.length === 0 ? '' : `${Math.round(Math.max(...seconds))} s`;
}
