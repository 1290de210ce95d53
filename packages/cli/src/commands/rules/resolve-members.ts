import type { Uptime } from '@uptime/sdk';
import { CliError } from '../../exit.ts';
import { kinds } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { resolveIds } from '../../nouns/resolve-ids.ts';
import type { Members } from '../../flags/reference-flags.ts';

/** Looks up the ids of monitors and channels. Throws a CliError that lists every word that matches none or several. */
export async function resolveMembers(
  { monitors, channels }: Members,
  client: Uptime,
  signal: AbortSignal,
): Promise<{ monitorIds?: string[]; channelIds?: string[] }> {
  const faults: string[] = [];
  const idsOf = async (kind: Kind, words: readonly string[]): Promise<string[]> => {
    const found = await resolveIds(kind, words, { client, signal });
    faults.push(...found.faults);
    return found.ids;
  };
  const members = {
    ...(monitors && { monitorIds: await idsOf(kinds.monitor, monitors) }),
    ...(channels && { channelIds: await idsOf(kinds.channel, channels) }),
  };
  if (faults.length > 0) {
    throw new CliError(faults.join('\n'), {
      next: '`uptime monitors list` and `uptime channels list` list all of them',
    });
  }
  return members;
}
