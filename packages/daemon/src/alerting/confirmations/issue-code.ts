import { randomInt } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { ChannelRow, Project, Tables } from '../../store/tables.ts';
import { type CountedMessage, countMessage, uncountMessage } from '../message-budget/message-counts.ts';
import { limitName, minuteOf, usedOfLimit } from '../message-budget/message-limits.ts';
import type { AddressRules } from '../message-rules.ts';
import type { AddressDigests } from './address-digests.ts';
import { maxCodesPerMailbox, countCode } from './count-code.ts';
import { confirmCommand } from './unconfirmed.ts';

/** How long a code is valid. */
const codeLifeMs = 30 * 60_000;
const digits = 6;

/** A new code, which the caller must send now. It is already counted and stored. */
export interface IssuedCode {
  code: string;
  /**
   * The digest of the mailbox, under which the code is counted. If the code cannot be sent, the caller needs the
   * digest to remove the code from the count.
   */
  mailbox: string;
  counted: CountedMessage;
}

export type CodeIssue = { ok: true; issued: IssuedCode } | { ok: false; why: string; until: number };

/** Makes a new code for the address of a channel, unless a limit is reached. An earlier code becomes invalid. */
export async function issueCode(
  trx: Transaction<Tables>,
  rules: AddressRules,
  {
    channel,
    project,
    address,
    now,
  }: {
    channel: Pick<ChannelRow, 'seq' | 'id'>;
    project: Pick<Project, 'id' | 'user_id'>;
    address: AddressDigests;
    now: number;
  },
): Promise<CodeIssue> {
  const refused = (why: string, until: number): CodeIssue => ({
    ok: false,
    why: `No code was sent: ${why}. After ${minuteOf(until)}, type \`${confirmCommand(channel.id)}\`.`,
    until,
  });
  const sender = { channel: channel.id, project: project.id, account: project.user_id };
  const count = await countMessage(trx, rules.limits, { kind: address.kind, purpose: 'code', sender, now });
  if (!count.ok)
    return refused(
      `${limitName(count.by, address.kind)} leaves no room for another code (${usedOfLimit(count.by, now)} are used)`,
      count.until,
    );
  const until = await countCode(trx, address.mailbox, now);
  if (until !== null) {
    await uncountMessage(trx, count.counted, { channel: channel.seq, now });
    return refused(
      `this address got ${maxCodesPerMailbox} codes in the last 24 hours, and the limit is ${maxCodesPerMailbox}`,
      until,
    );
  }
  const code = String(randomInt(10 ** digits)).padStart(digits, '0');
  await trx
    .updateTable('channel')
    .set({
      code_digest: rules.addresses.ofCode(channel.id, address.address, code),
      code_until: now + codeLifeMs,
      code_tries: 0,
    })
    .where('seq', '=', channel.seq)
    .execute();
  return { ok: true, issued: { code, mailbox: address.mailbox, counted: count.counted } };
}
