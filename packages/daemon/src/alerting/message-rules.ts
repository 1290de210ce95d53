import type { AddressDigester } from './confirmations/address-digests.ts';
import { type MessageLimits, noMessageLimits } from './message-budget/message-limits.ts';

/** The rules for messages that go through the operator's gateways: mail, SMS and calls. */
export interface MessageRules {
  limits: MessageLimits;
  /**
   * Whether a user has to enter a code that was sent to an address before any other message is sent to that address.
   */
  confirmsAddresses: boolean;
}

export const noMessageRules: MessageRules = { limits: noMessageLimits, confirmsAddresses: false };

/** Message rules together with the digester that computes the stored digests of addresses. */
export interface AddressRules extends MessageRules {
  addresses: AddressDigester;
}
