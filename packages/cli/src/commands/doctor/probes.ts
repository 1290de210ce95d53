import type { Region } from '@uptime/sdk';
import { relative } from '../../times.ts';
import type { Finding } from './finding.ts';

type Probe = Region['probes'][number];

/** Reports probes that are silent, cannot check, or have another version than the server. */
export function probeFindings(regions: readonly Region[], serverVersion: string | null, now: number): Finding[] {
  return regions.flatMap(({ name, probes }) =>
    probes.flatMap((probe): Finding[] => {
      const found = faultOf(probe, serverVersion, now);
      if (!found) return [];
      const who = `probe ${probe.name.slice(0, 8)} of the region "${name}"`;
      return [{ what: 'probes', state: 'warning', says: `${who} ${found.says}`, next: found.next }];
    }),
  );
}

function faultOf(
  { live, leftAt, lastSeenAt, fault, version }: Probe,
  serverVersion: string | null,
  now: number,
): { says: string; next: string } | null {
  // A probe that was stopped on purpose needs no attention.
  if (!live && leftAt != null) return null;
  if (!live) {
    const next = 'look at its log, and at its connection to this server; `uptimed admin probes revoke <id>` forgets it';
    return { says: `is silent: it last reported ${relative(lastSeenAt, now)}`, next };
  }
  if (fault !== null) return { says: `cannot check: ${fault}`, next: 'look at its log' };
  if (serverVersion === null || version === serverVersion) return null;
  return {
    says: `has version ${version}, and the server has ${serverVersion}`,
    next: 'update the older of the two; a server accepts older probes, but not newer ones',
  };
}
