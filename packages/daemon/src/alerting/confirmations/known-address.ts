import type { Transaction } from 'kysely';
import type { Project, Tables } from '../../store/tables.ts';
import type { MessageRules } from '../message-rules.ts';
import type { AddressDigests } from './address-digests.ts';

/**
 * Resolves with the time since which the address of a channel counts as confirmed, in epoch milliseconds. If the server
 * requires no code, this is `now`. Otherwise it is the earliest `confirmed_at` of the account's channels with the same
 * address. Null if there is no such channel, so that a code has to be sent.
 */
export async function confirmedSince(
  trx: Transaction<Tables>,
  rules: Pick<MessageRules, 'confirmsAddresses'>,
  { address, project, now }: { address: AddressDigests | null; project: Pick<Project, 'user_id'>; now: number },
): Promise<number | null> {
  if (!rules.confirmsAddresses || address === null) return now;
  const known = await trx
    .selectFrom('channel')
    .innerJoin('project', 'project.id', 'channel.project_id')
    .select('channel.confirmed_at')
    .where('channel.address_digest', '=', address.address)
    .where('channel.confirmed_at', 'is not', null)
    .where('project.user_id', '=', project.user_id)
    .orderBy('channel.confirmed_at')
    .limit(1)
    .executeTakeFirst();
  return known?.confirmed_at ?? null;
}
