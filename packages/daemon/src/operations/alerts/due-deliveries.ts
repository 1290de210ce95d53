import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../store/tables.ts';

export interface DueChannel {
  channel: number;
  /** Whose it is; empty for a channel that was deleted. */
  project: string;
  /** Until when it is to be left alone, in epoch milliseconds. */
  waitUntil: number;
}

/** The channels that have a message due by `at` (epoch milliseconds), those that are to be left alone among them. */
export async function dueChannels(db: Kysely<Tables>, at: number): Promise<DueChannel[]> {
  // Steps from channel to channel over the index: however long a queue, it costs one look.
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

/** The first `limit` messages that are due to a channel, the longest due first. */
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
