import { type Monitor, NotFoundError, type Uptime } from '@uptime/sdk';
import { CliError } from '../../exit.ts';
import { plain } from '../../output.ts';

/** The monitor that goes by an id, a key or a name. Throws a CliError when none or several do. */
export async function findMonitor(client: Uptime, word: string, signal: AbortSignal): Promise<Monitor> {
  if (word.startsWith('mon_')) {
    try {
      return await client.monitors.get(word, { signal });
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  // Filtered here too: a server that does not know the filter answers with all.
  if (/^[a-z0-9._-]{1,63}$/.test(word)) {
    const byKey = (await client.monitors.list({ key: word }, { signal })).find(({ key }) => key === word);
    if (byKey) return byKey;
  }
  const named = (await client.monitors.list({ name: word }, { signal })).filter(({ name }) => name === word);
  if (named.length > 1) {
    throw new CliError(`${named.length} monitors are named ${JSON.stringify(plain(word))}`, {
      next: `take an id instead: ${named.map(({ id }) => id).join(', ')}`,
    });
  }
  if (named[0]) return named[0];
  throw new CliError(`no monitor has the id, key or name ${JSON.stringify(plain(word))}`, {
    next: await suggestion(client, word, signal),
  });
}

async function suggestion(client: Uptime, word: string, signal: AbortSignal): Promise<string> {
  const { nearest } = await import('@uptime/sdk/contract');
  const monitors = await client.monitors.list({}, { signal });
  const meant = nearest(
    word,
    monitors.flatMap(({ key, name }) => (key ? [key, name] : [name])),
  );
  return meant ? `did you mean ${JSON.stringify(plain(meant))}?` : '`uptime monitors list` shows what there is';
}
