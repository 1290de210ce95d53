import type { Transaction } from 'kysely';
import type { AddressDigests } from '../../alerting/confirmations/address-digests.ts';
import { issueCode } from '../../alerting/confirmations/issue-code.ts';
import { confirmedSince } from '../../alerting/confirmations/known-address.ts';
import type { AddressRules } from '../../alerting/message-rules.ts';
import type { ChannelRow, Project, Tables } from '../../store/tables.ts';
import type { CodeToSend } from './send-code.ts';

/** A channel with its new and its former address. */
interface Addressed {
  row: ChannelRow;
  /** The digests of the new address. Null for a type that does not use a gateway of the operator. */
  address: AddressDigests | null;
  /** The digest of the former address; null for a new channel. */
  before: string | null;
  project: Pick<Project, 'id' | 'user_id'>;
  now: number;
}

/**
 * Stores the digest of a channel's address, and whether the address is confirmed. A new address counts as confirmed if
 * the account has confirmed it before. Otherwise makes a code, which the caller must send after the commit. If no code
 * may be sent now, the channel's error says why.
 */
export async function settleAddress(
  trx: Transaction<Tables>,
  rules: AddressRules,
  { row, address, before, project, now }: Addressed,
): Promise<{ row: ChannelRow; code: CodeToSend | null }> {
  const digest = address?.address ?? null;
  if (digest === before && digest === row.address_digest) return { row, code: null };
  const change = (columns: Partial<ChannelRow>): Promise<ChannelRow> =>
    trx.updateTable('channel').set(columns).where('seq', '=', row.seq).returningAll().executeTakeFirstOrThrow();
  // The address is not new. The digest is stored anyway, because an earlier version stored channels without it.
  if (digest === before) return { row: await change({ address_digest: digest }), code: null };

  const confirmed_at = address && (await confirmedSince(trx, rules, { address, project, now }));
  const noted = await change({
    address_digest: digest,
    confirmed_at,
    code_digest: null,
    code_until: null,
    code_tries: 0,
  });
  if (address === null || confirmed_at !== null) return { row: noted, code: null };
  const issue = await issueCode(trx, rules, { channel: row, project, address, now });
  return issue.ok
    ? { row: noted, code: { channel: noted, issued: issue.issued } }
    : { row: await change({ last_error: issue.why }), code: null };
}
