import type { Alert, Uptime } from '@uptime/sdk';
import { CliError } from '../../exit.ts';
import { plain } from '../../output.ts';
import { findMonitor } from '../monitors/find.ts';

/** The alerts about a monitor, by its id, key or name; that of a deleted one is still known. Throws a CliError for none such. */
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

/** The alert that goes by an id; by a monitor's id, key or name the latest about it in 30 days. Throws a CliError for none. */
export async function findAlert(client: Uptime, word: string, signal: AbortSignal): Promise<Alert> {
  if (word.startsWith('alr_')) return client.alertHistory.get(word, { signal });
  const latest = (await ofMonitor(await client.alertHistory.list({}, { signal }), word, client, signal)).at(-1);
  if (latest) return latest;
  throw new CliError(`no alert about ${JSON.stringify(plain(word))} fired in the last 30 days`, {
    next: '`uptime alerts list --from <date>` looks further back',
  });
}
