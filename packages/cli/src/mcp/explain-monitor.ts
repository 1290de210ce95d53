import type { Alert, Monitor } from '@uptime/sdk';
import type { Server } from '../connection.ts';
import { readDownTime } from '../nouns/monitors/read-down-time.ts';
import { hideSecrets } from './hide-secrets.ts';

const maxAlerts = 10;
const maxAttempts = 3;

/** Explains the state of a monitor: since when and why it is down, and which alerts were sent to which channels. */
export async function explainMonitor(monitor: Monitor, { client, signal }: Server): Promise<object> {
  const { id } = monitor;
  const from = monitor.createdAt.slice(0, 10);
  const isDown = monitor.status === 'down';
  const down = isDown
    ? ((await readDownTime(client, id, { signal })) ?? (await readDownTime(client, id, { from, signal })))
    : null;
  const changes = await client.monitors.events(id, {}, { signal });
  // Reads alerts from the start of the day on which the monitor went down. So some of them may have opened before the
  // outage, for example an alert about a certificate.
  const range = down ? { from: down.since.slice(0, 10) } : {};
  const alerts: Alert[] = [];
  for await (const alert of client.alertHistory.iterate({ ...range, limit: 1000 }, { signal })) {
    if (alert.monitorId === id) alerts.push(alert);
  }
  const rules = (await client.alertRules.list({}, { signal })).filter(({ monitorIds }) => monitorIds.includes(id));
  const shown = alerts
    .toReversed()
    .toSorted((a, b) => Number(a.resolvedAt !== null) - Number(b.resolvedAt !== null))
    .slice(0, maxAlerts);
  return {
    summary: summarise(monitor, { down, alerts: alerts.length, rules: rules.filter(({ enabled }) => enabled).length }),
    downSince: down?.since ?? null,
    reason: down?.reason ?? null,
    alerts: await Promise.all(
      shown.map(
        async ({ id: alertId, ruleName, channelName, type, triggeredAt, resolvedAt, deliveryStatus, error }) => ({
          rule: ruleName,
          channel: channelName,
          type,
          triggeredAt,
          resolvedAt,
          deliveryStatus,
          error,
          deliveries: (await client.alertHistory.deliveries({ alertId }, { signal })).map(
            ({ kind, status, createdAt, nextAttemptAt, attempts }) => ({
              kind,
              status,
              createdAt,
              nextAttemptAt,
              attempts: attempts.slice(-maxAttempts),
            }),
          ),
        }),
      ),
    ),
    rules: rules.map(({ name, trigger, consecutiveFailures, enabled }) => ({
      name,
      trigger,
      consecutiveFailures,
      enabled,
    })),
    latestChanges: changes.slice(-10).toReversed(),
    monitor: hideSecrets('monitors', monitor),
  };
}

/**
 * Returns a summary of the state in fixed sentences. They contain no text from a target, because such a text could
 * mislead the model.
 */
function summarise(
  { status, secretsError }: Monitor & { secretsError?: string | null },
  { down, alerts, rules }: { down: { since: string } | null; alerts: number; rules: number },
): string {
  const state = down
    ? `The monitor has been down since ${down.since}; \`reason\` says why.`
    : `The monitor is ${status}.`;
  const count = alerts === 1 ? 'One alert' : `${alerts} alerts`;
  const sent = `${count} about it ${down ? 'opened since that day' : 'opened in the last 30 days'}.`;
  const watched = rules === 0 ? ' No enabled rule watches it, so no alert opens.' : '';
  const unreadable = secretsError ? ' The server cannot read its secrets, and does not check it.' : '';
  return `${state} ${sent}${watched}${unreadable}`;
}
