import type { Backend } from '../handler.ts';

/** Maximum number of channels that one warning names by their ids. */
const maxNamed = 10;

/**
 * Returns the warnings about channels that /healthz shows to the operator. They contain the ids of channels, but no
 * names and no text of a provider.
 */
export async function channelWarnings({
  store,
  notifier,
  deps,
}: Pick<Backend, 'store' | 'notifier' | 'deps'>): Promise<string[]> {
  const rows = await store.db
    .selectFrom('channel')
    .select(['id', 'config', 'last_error', 'held_why', 'wait_until'])
    .orderBy('seq')
    .execute();
  const held = rows.filter((row) => row.held_why !== null && row.wait_until > deps.clock.now());
  const unreadable = rows.filter((row) => notifier.open(row) === null);
  const failing = rows.filter((row) => row.last_error !== null && !unreadable.includes(row));
  return [
    ...sentence(unreadable, 'config cannot be read, because it was stored under another secret key'),
    ...sentence(failing, 'latest message did not arrive'),
    ...sentence(held, 'messages wait because a limit of messages is reached'),
  ];
}

function sentence(channels: readonly { id: string }[], what: string): string[] {
  if (channels.length === 0) return [];
  const ids = channels.slice(0, maxNamed).map(({ id }) => id);
  const more = channels.length > maxNamed ? ` and ${channels.length - maxNamed} more` : '';
  return [
    `${channels.length} ${channels.length === 1 ? 'channel' : 'channels'} whose ${what}: ${ids.join(', ')}${more}`,
  ];
}
