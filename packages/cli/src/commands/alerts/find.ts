import type { Alert, Uptime } from '@uptime/sdk';
import { CliError } from '../../exit.ts';
import { plain } from '../../output.ts';
import { findMonitor } from '../monitors/find.ts';

/**
 * Finds the alerts about a monitor by its id, key or name. The alerts of a deleted monitor are found too. Throws a
 * CliError for an unknown monitor.
 */
export async function ofMonitor(
  alerts: readonly Alert[],
  word: string,
  client: Uptime,
  signal: AbortSignal,
): Promise<Alert[]> {
  const remembered = alerts.filter(({ monitorId, monitorName }) => monitorId === word || monitorName === word);
  try {
    const { id } = await findMonitor(client, word, signal);
    return alerts.filter(({ monitorId }) => monitorId === id);
  } catch (error) {
    if (!(error instanceof CliError) || remembered.length === 0) throw error;
    return remembered;
  }
}

/**
 * Finds an alert by its id. For the id, key or name of a monitor, finds its latest alert of the last 30 days. Throws a
 * CliError if there is none.
 */
export async function findAlert(client: Uptime, word: string, signal: AbortSignal): Promise<Alert> {
  if (word.startsWith('alr_')) return client.alertHistory.get(word, { signal });
  const latest = (await ofMonitor(await client.alertHistory.list({}, { signal }), word, client, signal)).at(-1);
  if (latest) return latest;
  throw new CliError(`no alert about ${JSON.stringify(plain(word))} fired in the last 30 days`, {
    next: '`uptime alerts list --from <date>` shows older alerts',
  });
}
