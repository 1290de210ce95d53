import { channelTypeDefinitions } from '@uptime/sdk/contract';
import type { ChannelRow } from '../../store/tables.ts';
import type { MessageRules } from '../message-rules.ts';

type Confirmable = Pick<ChannelRow, 'id' | 'type' | 'confirmed_at'>;

/**
 * Whether this server requires that the address of a channel of this type is confirmed. It does not matter whether the
 * address is already confirmed.
 */
export const needsConfirmation = ({ type }: Pick<ChannelRow, 'type'>, rules: Pick<MessageRules, 'confirmsAddresses'>) =>
  rules.confirmsAddresses && channelTypeDefinitions[type].gateway !== null;

/** The reason why a channel with an unconfirmed address gets nothing; null if it may get messages. */
export function unconfirmedReason(channel: Confirmable, rules: Pick<MessageRules, 'confirmsAddresses'>): string | null {
  if (!needsConfirmation(channel, rules) || channel.confirmed_at !== null) return null;
  return `Not sent, because the address of this channel is not confirmed: \`${confirmCommand(channel.id)}\`.`;
}

/** The command that enters a code, or asks for a new code. */
export const confirmCommand = (channelId: string): string => `uptime channels confirm ${channelId}`;
