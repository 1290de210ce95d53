import type { Alert } from '@uptime/sdk';
import type { Server } from '../../connection.ts';
import { CliError } from '../../exit.ts';
import { plain } from '../../output.ts';
import { monitors } from '../monitors.ts';

/**
 * Returns the alerts about the monitor with this id, key or name. If the monitor was deleted, its old id or name still
 * finds its alerts. Throws a CliError if the monitor is unknown.
 */
export async function ofMonitor(alerts: readonly Alert[], word: string, server: Server): Promise<Alert[]> {
  const remembered = alerts.filter(({ monitorId, monitorName }) => monitorId === word || monitorName === word);
  try {
    const { id } = await monitors.find(word, server);
    return alerts.filter(({ monitorId }) => monitorId === id);
  } catch (error) {
    if (!(error instanceof CliError) || remembered.length === 0) throw error;
    return remembered;
  }
}

/**
 * Returns the alert whose id is `word`. If `word` is the id, key or name of a monitor, returns the latest alert about
 * that monitor in the last 30 days. Throws if there is no such alert.
 */
export async function findAlert(word: string, server: Server): Promise<Alert> {
  const { client, signal } = server;
  if (word.startsWith('alr_')) return client.alertHistory.get(word, { signal });
  const latest = (await ofMonitor(await client.alertHistory.list({}, { signal }), word, server)).at(-1);
  if (latest) return latest;
  throw new CliError(`no alert about ${JSON.stringify(plain(word))} opened in the last 30 days`, {
    next: '`uptime alerts list --from <date>` shows older alerts',
  });
}
