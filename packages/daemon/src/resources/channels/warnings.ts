import { channelWarning, maxCounted } from '../../core/counted-warnings.ts';
import type { Backend } from '../handler.ts';

/**
 * Returns the warnings about channels that /healthz shows to the operator. They contain the ids of channels, but no
 * names and no text of a provider. `engine/unreadable-secrets.ts` warns about channels whose config cannot be read.
 */
export async function channelWarnings({ store, deps }: Pick<Backend, 'store' | 'deps'>): Promise<string[]> {
  // Each of the two statements reads a partial index, in the order of this index.
  const channels = () =>
    store.db
      .selectFrom('channel')
      .select('id')
      .limit(maxCounted + 1);
  const [failing, held] = await Promise.all([
    channels().where('last_error', 'is not', null).orderBy('seq').execute(),
    channels()
      .where('held_why', 'is not', null)
      .where('wait_until', '>', deps.clock.now())
      .orderBy('wait_until')
      .execute(),
  ]);
  return [
    ...channelWarning(idsOf(failing), 'latest message did not arrive'),
    ...channelWarning(idsOf(held), 'messages wait because a limit of messages is reached'),
  ];
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
