import { timingSafeEqual } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { ChannelRow, Project, Tables } from '../../store/tables.ts';
import { reviveChannel } from '../deliveries/revive-channel.ts';
import type { AddressDigester } from './address-digests.ts';

/** After this many wrong entries, the code of a channel is no longer valid. */
export const codeTries = 5;

/**
 * The result of entering a code. `left`: how many more codes may be entered. `void`: the code is no longer valid after
 * too many wrong entries. `none`: no code was sent for this channel.
 */
export type Entered =
  { result: 'confirmed' } | { result: 'wrong'; left: number } | { result: 'void' | 'expired' | 'none' };

/**
 * Confirms the address of a channel if `code` is the code that was sent there. Also confirms all other channels of the
 * account with the same address. Messages that failed because of the missing confirmation are then sent.
 */
export async function enterCode(
  trx: Transaction<Tables>,
  addresses: AddressDigester,
  {
    channel,
    project,
    code,
    now,
  }: {
    channel: ChannelRow;
    project: Pick<Project, 'user_id'>;
    code: string;
    now: number;
  },
): Promise<Entered> {
  const { seq, id, address_digest: address, code_digest: expected, code_until: until, code_tries: tries } = channel;
  if (address === null || expected === null || until === null) return { result: 'none' };
  if (until <= now) return { result: 'expired' };
  if (tries >= codeTries) return { result: 'void' };
  if (!equal(addresses.ofCode(id, address, code), expected)) {
    const left = codeTries - tries - 1;
    await trx
      .updateTable('channel')
      .set({ code_tries: tries + 1 })
      .where('seq', '=', seq)
      .execute();
    return left === 0 ? { result: 'void' } : { result: 'wrong', left };
  }
  const projects = trx.selectFrom('project').select('id').where('user_id', '=', project.user_id);
  const confirmed = await trx
    .updateTable('channel')
    .set({ confirmed_at: now, code_digest: null, code_until: null, code_tries: 0, last_error: null })
    .where('address_digest', '=', address)
    .where('confirmed_at', 'is', null)
    .where('project_id', 'in', projects)
    .returning('seq')
    .execute();
  for (const one of confirmed) await reviveChannel(trx, one.seq, { at: now, fresh: true });
  return { result: 'confirmed' };
}

const equal = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};
