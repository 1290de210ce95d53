import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../store/tables.ts';

/** A channel with due messages. */
export interface DueChannel {
  channel: number;
  /** The project of the channel; empty for a deleted channel. */
  project: string;
  /** The messages of the channel wait for its provider or for a limit until this time, in epoch milliseconds. */
  waitUntil: number;
}

/**
 * Resolves with the channels that have a message due by `at` (epoch milliseconds), including channels whose messages
 * have to wait.
 */
export async function dueChannels(db: Kysely<Tables>, at: number): Promise<DueChannel[]> {
  // This query jumps from channel to channel in the index, so a long queue costs no more than a short queue.
  const { rows } = await sql<DueChannel>`
    with recursive waiting (channel) as (
      select min(channel) from delivery where status = 'pending' and next_at is not null
      union all
      select (select min(channel) from delivery
              where status = 'pending' and next_at is not null and channel > waiting.channel)
      from waiting where waiting.channel is not null)
    select waiting.channel, coalesce(channel.project_id, '') as project, coalesce(channel.wait_until, 0) as "waitUntil"
    from waiting left join channel on channel.seq = waiting.channel
    where exists (select 1 from delivery
                  where status = 'pending' and next_at <= ${at} and delivery.channel = waiting.channel)`.execute(db);
  return rows;
}

/**
 * Resolves with the `seq` of up to `limit` due messages of a channel. The message that has been due for longest comes
 * first.
 */
export async function dueDeliveries(
  db: Kysely<Tables>,
  channel: number,
  { at, limit }: { at: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('delivery')
    .select('seq')
    .where('status', '=', sql.lit('pending'))
    .where('channel', '=', channel)
    .where('next_at', '<=', at)
    .orderBy('next_at')
    .limit(limit)
    .execute();
  return rows.map(({ seq }) => seq);
}
