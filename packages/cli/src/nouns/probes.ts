import type { Probe, ProbeToken } from '@uptime/sdk';
import type { Server } from '../connection.ts';
import { timeColumn } from '../list-table.ts';
import type { Listing } from './noun.ts';

/** The noun for tokens of probes. They can only be listed, added and revoked. */
export const probes = {
  word: 'probes',
  account: true,

  list: {
    summary: 'list the probes that check from other places; needs an admin',
    examples: ['probes list', 'probes list -o json'],
    read: ({ client, signal }: Server) => client.probes.list({ signal }),
    empty: 'No probes yet. `uptime probes add <region>` makes a token for a probe.',
    columns: ({ now }) => [
      { title: 'REGION', value: ({ region }) => region },
      { title: 'PROBES', value: ({ probes }) => String(probes.length) },
      { title: 'LIVE', value: ({ probes }) => String(probes.filter(({ live }) => live).length) },
      { title: 'WAITING', value: ({ probes }) => String(probes.reduce((sum, { queued }) => sum + queued, 0)) },
      timeColumn('SEEN', {
        read: ({ probes }) =>
          probes
            .map(({ lastSeenAt }) => lastSeenAt)
            .toSorted()
            .at(-1),
        now,
      }),
      { title: 'FAULT', value: ({ probes }) => faultOf(probes), cut: true },
      { title: 'ID', value: ({ id }) => id },
    ],
  } satisfies Listing<ProbeToken>,
} as const;

/**
 * Returns the probes that were not stopped on purpose. Probes that were stopped on purpose need no attention. Older
 * servers do not send `leftAt`, so all of their probes are returned.
 */
export const unstopped = (probes: readonly Probe[]): Probe[] => probes.filter(({ leftAt }) => leftAt == null);

/** Returns the fault of the first probe that has one and was not stopped on purpose; otherwise an empty text. */
export const faultOf = (probes: readonly Probe[]): string =>
  unstopped(probes).find(({ fault }) => fault !== null)?.fault ?? '';
