import type { Region } from '@uptime/sdk';
import { probeBacklogMs, probeWithBacklogKeptMs, silentProbeKeptMs } from '@uptime/sdk/contract';
import { duration, relative } from '../../times.ts';
import type { Finding } from './finding.ts';

type Probe = Region['probes'][number];

/** Reports probes that are silent, cannot check, or have another version than the server. */
export function probeFindings(regions: readonly Region[], serverVersion: string | null, now: number): Finding[] {
  return regions.flatMap(({ name, probes }) =>
    probes.flatMap((probe): Finding[] => {
      const found = faultOf(probe, probes, { serverVersion, now });
      if (!found) return [];
      const who = `probe ${probe.name.slice(0, 8)} of the region "${name}"`;
      return [{ what: 'probes', state: 'warning', says: `${who} ${found.says}`, next: found.next }];
    }),
  );
}

function faultOf(
  probe: Probe,
  ofRegion: readonly Probe[],
  { serverVersion, now }: { serverVersion: string | null; now: number },
): { says: string; next: string } | null {
  const { live, leftAt, lastSeenAt, fault, version } = probe;
  // A probe that was stopped on purpose needs no attention.
  if (!live && leftAt != null) return null;
  if (!live) {
    const next = `look at its log, and at its connection to this server; ${endOfWarning(probe, ofRegion)}`;
    return { says: `is silent: it last reported ${relative(lastSeenAt, now)}`, next };
  }
  if (fault !== null) return { says: `cannot check: ${fault}`, next: 'look at its log' };
  if (serverVersion === null || version === serverVersion) return null;
  return {
    says: `has version ${version}, and the server has ${serverVersion}`,
    next: 'update the older of the two; a server accepts older probes, but not newer ones',
  };
}

/**
 * Says how the warning about a silent probe ends. A revoked token stops working for all its probes. So the text advises
 * to revoke the token only if no probe of the region is live, because then no live probe has the token. The server does
 * not say which probes of a region have the same token.
 */
function endOfWarning({ lagSeconds }: Probe, ofRegion: readonly Probe[]): string {
  if (!ofRegion.some(({ live }) => live))
    return 'if it is gone for good, `uptimed admin probes revoke <id>` revokes its token, and forgets all probes with this token';
  const keptMs = lagSeconds * 1000 < probeBacklogMs ? silentProbeKeptMs : probeWithBacklogKeptMs;
  return `if a live probe has the same token, this warning ends by itself about ${duration(keptMs)} after the last report (\`uptimed admin probes list\` shows the tokens)`;
}
