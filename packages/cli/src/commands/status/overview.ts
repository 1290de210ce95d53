import type { Certificate, Domain, Incident, Monitor, MonitorStatus } from '@uptime/sdk';
import { defaultDomainExpiryThreshold, knownMonitorType } from '@uptime/sdk/contract';
import { phaseOf } from '../../kinds/phase.ts';
import { countStatuses } from '../../nouns/monitors/count-statuses.ts';
import type { DownTime } from '../../nouns/monitors/read-down-time.ts';

/** A certificate or domain that expires soon, has expired, or is not valid. */
export interface Expiry {
  monitor: string;
  what: 'certificate' | 'domain';
  /** The issuer of the certificate, or the domain. */
  of: string;
  /** Whole days until the expiry; null if the expiry is unknown. */
  daysRemaining: number | null;
  error: string | null;
}

/** A monitor that is down. `since` and `reason` are null if the server does not return them. */
export interface Down {
  id: string;
  key: string | null;
  name: string;
  since: string | null;
  reason: string | null;
  inMaintenance: boolean;
}

/** The content of `uptime status`. */
export interface Overview {
  counts: Record<MonitorStatus, number>;
  down: Down[];
  incidents: Incident[];
  /** The maintenance windows that are in force, or begin within a day. */
  windows: Incident[];
  expiries: Expiry[];
}

const dayMs = 86_400_000;

/** Returns everything that needs attention at `now` (epoch milliseconds). The longest outages come first. */
export function overviewOf(
  monitors: readonly Monitor[],
  incidents: readonly Incident[],
  downTimes: ReadonlyMap<string, DownTime>,
  now: number,
): Overview {
  const ids = new Set(monitors.map(({ id }) => id));
  const about = incidents.filter(({ monitorIds }) => monitorIds.length === 0 || monitorIds.some((id) => ids.has(id)));
  const windows = about
    .filter(({ maintenance }) => maintenance)
    .filter((window) => isNear(window, now))
    .toSorted((a, b) => Date.parse(a.scheduledStart ?? '') - Date.parse(b.scheduledStart ?? ''));
  const inForce = new Set(
    windows.filter((one) => phaseOf({ ...one }, now) === 'in force').flatMap((w) => w.monitorIds),
  );
  const down = monitors
    .filter(({ status }) => status === 'down')
    .map(({ id, key, name }) => {
      const { since = null, reason = null } = downTimes.get(id) ?? {};
      return { id, key, name, since, reason, inMaintenance: inForce.has(id) };
    })
    .toSorted((a, b) => timeOf(a.since) - timeOf(b.since));
  return {
    counts: countStatuses(monitors),
    down,
    incidents: about.filter(({ maintenance, resolvedAt }) => !maintenance && resolvedAt == null),
    windows,
    expiries: monitors
      .filter(({ status }) => status !== 'paused')
      .flatMap(expiriesOf)
      .toSorted((a, b) => (a.daysRemaining ?? -1) - (b.daysRemaining ?? -1)),
  };
}

/** Whether a maintenance window is in force, or begins within a day. */
function isNear(window: Incident, now: number): boolean {
  const phase = phaseOf({ ...window }, now);
  return phase === 'in force' || (phase === 'ahead' && Date.parse(window.scheduledStart ?? '') < now + dayMs);
}

const timeOf = (time: string | null): number => (time === null ? Infinity : Date.parse(time));

/** The name, certificate and domain of a monitor. Only some types of monitor have a certificate or a domain. */
type Watched = Pick<Monitor, 'name'> & { certificate?: Certificate | null; domain?: Domain | null };

/**
 * Returns the certificate of a monitor if it expires within its threshold or is not valid. Also returns the domain of
 * the monitor if the domain expires within its threshold.
 */
function expiriesOf(monitor: Monitor): Expiry[] {
  const { name, certificate, domain }: Watched = monitor;
  const type = knownMonitorType(monitor.type);
  const found: Expiry[] = [];
  if (certificate) {
    const { issuer, daysRemaining, error } = certificate;
    const isSoon = daysRemaining < (type?.certificate?.thresholdDays(monitor) ?? 0);
    if (isSoon || error !== null) found.push({ monitor: name, what: 'certificate', of: issuer, daysRemaining, error });
  }
  if (domain?.daysRemaining != null) {
    const { name: of, daysRemaining, error } = domain;
    const isSoon = daysRemaining < (type?.domain?.thresholdDays(monitor) ?? defaultDomainExpiryThreshold);
    if (isSoon) found.push({ monitor: name, what: 'domain', of, daysRemaining, error });
  }
  return found;
}
