import type { Alert } from '@uptime/sdk';

/** The alerts about one outage of one monitor, from all rules and channels. */
export interface Outage {
  type: Alert['type'];
  monitorId: string;
  monitorName: string;
  /** When its first alert fired. */
  firedAt: string;
  /** When its last alert was resolved; null while one is open. */
  resolvedAt: string | null;
  alerts: Alert[];
}

/**
 * Groups alerts into outages. Alerts of the same type about the same monitor belong together if each fired before the
 * previous one was resolved. Open outages come first, then the latest.
 */
export function outagesOf(alerts: readonly Alert[]): Outage[] {
  const outages = [...Map.groupBy(alerts, ({ type, monitorId }) => `${type} ${monitorId}`).values()].flatMap(
    (about) => {
      const inOrder = about.toSorted((a, b) => Date.parse(a.triggeredAt) - Date.parse(b.triggeredAt));
      return inOrder.reduce<Outage[]>((found, alert) => {
        const last = found.at(-1);
        if (last && (last.resolvedAt === null || Date.parse(alert.triggeredAt) < Date.parse(last.resolvedAt))) {
          last.alerts.push(alert);
          last.resolvedAt = later(last.resolvedAt, alert.resolvedAt);
          return found;
        }
        const { type, monitorId, monitorName, triggeredAt: firedAt, resolvedAt } = alert;
        return [...found, { type, monitorId, monitorName, firedAt, resolvedAt, alerts: [alert] }];
      }, []);
    },
  );
  return outages.toSorted(
    (a, b) =>
      Number(a.resolvedAt !== null) - Number(b.resolvedAt !== null) || Date.parse(b.firedAt) - Date.parse(a.firedAt),
  );
}

const later = (a: string | null, b: string | null): string | null =>
  a === null || b === null ? null : Date.parse(a) > Date.parse(b) ? a : b;
