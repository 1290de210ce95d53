import type { Alert } from '@uptime/sdk';

/** The alerts about one outage of one monitor, from all rules and channels. */
export interface Outage {
  type: Alert['type'];
  monitorId: string;
  monitorName: string;
  /** When the first alert of the outage opened. */
  firedAt: string;
  /** When the last alert of the outage was resolved; null while an alert is open. */
  resolvedAt: string | null;
  alerts: Alert[];
}

/**
 * Groups alerts into outages. An alert belongs to an outage of its type and monitor if the alert opened while an
 * earlier alert of this outage was open. Open outages come first, and the others follow from the latest to the oldest.
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
