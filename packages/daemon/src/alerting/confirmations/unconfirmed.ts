import { channelTypeDefinitions } from '@uptime/sdk/contract';
import type { ChannelRow } from '../../store/tables.ts';
import type { MessageRules } from '../message-rules.ts';

type Confirmable = Pick<ChannelRow, 'id' | 'type' | 'confirmed_at'>;

/**
 * Whether this server requires a confirmed address for channels of this type. The result is the same before and after
 * the confirmation of the address.
 */
export const needsConfirmation = ({ type }: Pick<ChannelRow, 'type'>, rules: Pick<MessageRules, 'confirmsAddresses'>) =>
  rules.confirmsAddresses && channelTypeDefinitions[type].gateway !== null;

/**
 * Returns why no message is sent to a channel whose address is unconfirmed. Null if messages may be sent to the
 * channel.
 */
export function unconfirmedReason(channel: Confirmable, rules: Pick<MessageRules, 'confirmsAddresses'>): string | null {
  if (!needsConfirmation(channel, rules) || channel.confirmed_at !== null) return null;
  return `Not sent, because the address of this channel is not confirmed: \`${confirmCommand(channel.id)}\`.`;
}

/** Returns the command with which a user enters a code or asks for a new code. */
export const confirmCommand = (channelId: string): string => `uptime channels confirm ${channelId}`;
